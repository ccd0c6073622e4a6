"""What a web worker keeps: its threads whatever a request does to them, and nothing of a body."""

import http.client
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.devstack.options import PROJECT, read_options
from config.devstack.valkey import free_port
from config.devstack.workers import web_command
from tests.deploy.test_graceful_stop import process

pytestmark = pytest.mark.django_db(transaction=True)
# The service's own server, and paths that end the thread and say whose bodies it has in hand.
OPEN = """
import sys
from config.rsgi import application

def answer(environ, start_response):
    if environ["PATH_INFO"] == "/end":
        sys.exit("an exception that is no Exception")
    if environ["PATH_INFO"] == "/held":
        environ["PATH_INFO"] = "/healthz"
        response = service(environ, start_response)
        reader = application.reader
        response.content = repr([reader.held, *reader.held_by_address]).encode()
        return response
    return service(environ, start_response)

service, application.application = application.application, answer
"""


@contextmanager
def serving(folder: Path) -> Iterator[int]:
    """The port of a web server with one thread."""
    (folder / "opened.py").write_text(OPEN)
    port = free_port()
    command = web_command(read_options({"PORT": str(port), "WEB_WORKERS": "1", "WEB_THREADS": "1"}))
    command = [f"--working-dir={folder}" if "log-level" in word else word for word in command]
    command[-1] = "opened:application"
    with process(command, folder / "web.log", PYTHONPATH=str(PROJECT)):
        deadline = time.monotonic() + 90
        while not is_up(port):
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield port


def get(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
    try:
        connection.request("GET", path, headers={"Host": "testserver"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def is_up(port: int) -> bool:
    try:
        return get(port, "/healthz")[0] == 200
    except OSError:
        return False


def say(port: int, host: str, text: bytes) -> None:
    """From the address `host` of this machine; waits for the answer."""
    with socket.create_connection(("127.0.0.1", port), 5, (host, 0)) as connection:
        connection.sendall(b"POST /healthz HTTP/1.1\r\nHost: testserver\r\n" + text)
        connection.shutdown(socket.SHUT_WR)
        connection.recv(65536)


def test_a_request_that_would_end_its_thread_is_500_and_the_next_is_answered(
    tmp_path: Path,
) -> None:
    with serving(tmp_path) as port:
        assert get(port, "/end")[0] == 500
        assert get(port, "/healthz")[0] == 200


def test_nothing_is_kept_of_a_client_whose_bodies_are_done(tmp_path: Path) -> None:
    """A client with many addresses would fill the memory with them."""
    with serving(tmp_path) as port:
        say(port, "127.0.0.2", b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n")
        say(port, "127.0.0.3", b"Content-Length: 9000\r\n\r\n" + b"x" * 9000)
        say(port, "127.0.0.4", b"Content-Length: 9000\r\n\r\n" + b"x" * 8000)
        say(port, "127.0.0.5", b"Content-Length: 9000\r\n\r\n")
        assert get(port, "/held") == (200, b"[0]")
