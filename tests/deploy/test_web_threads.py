"""The threads of a web worker outlive whatever a request does to them."""

import http.client
import time
from pathlib import Path

import pytest

from config.devstack.options import PROJECT, read_options
from config.devstack.valkey import free_port
from config.devstack.workers import web_command
from tests.deploy.test_graceful_stop import process

pytestmark = pytest.mark.django_db(transaction=True)
# The service's own server around an application that ends its thread.
ENDING = """
import sys
from config.rsgi import application

def answer(environ, start_response):
    if environ["PATH_INFO"] == "/end":
        sys.exit("an exception that is no Exception")
    return service(environ, start_response)

service, application.application = application.application, answer
"""


def status(port: int, path: str) -> int:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers={"Host": "testserver"})
        return connection.getresponse().status
    finally:
        connection.close()


def started(port: int) -> bool:
    try:
        return status(port, "/healthz") == 200
    except OSError:
        return False


def test_a_request_that_would_end_its_thread_is_500_and_the_next_is_answered(
    tmp_path: Path,
) -> None:
    (tmp_path / "ending.py").write_text(ENDING)
    port = free_port()
    command = web_command(read_options({"PORT": str(port), "WEB_WORKERS": "1", "WEB_THREADS": "1"}))
    command = [f"--working-dir={tmp_path}" if "log-level" in word else word for word in command]
    command[-1] = "ending:application"
    with process(command, tmp_path / "web.log", PYTHONPATH=str(PROJECT)):
        deadline = time.monotonic() + 30
        while not started(port):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        assert status(port, "/end") == 500
        assert status(port, "/healthz") == 200
