"""Statements of the operator's bank are the only large bodies that the web server takes."""

import socket
import time
from collections.abc import Iterator

import pytest
from django.conf import settings

from payments.console.roles import FINANCE
from payments.reconciliation.models import StatementUpload
from tests.admin.conftest import person
from tests.contract.wire import Server, request, running_server
from tests.deploy.slow_clients import connect

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
BODY_SECONDS = 5
PATH = "/admin/reconciliation/statementupload/add/"
TOKEN = "a" * 32
BOUNDARY = "statement"
FORM = f"Content-Type: multipart/form-data; boundary={BOUNDARY}"


@pytest.fixture(scope="module")
def server(django_db_setup: None) -> Iterator[Server]:
    with running_server(BODY_SECONDS=str(BODY_SECONDS)) as running:
        yield running


@pytest.fixture
def cookie() -> str:
    session = person("fabio", FINANCE).cookies[settings.SESSION_COOKIE_NAME].value
    return f"Cookie: csrftoken={TOKEN}; {settings.SESSION_COOKIE_NAME}={session}"


def body(size: int) -> bytes:
    fields = {"csrfmiddlewaretoken": TOKEN, "form_token": "once", "account": "", "accepted_gap": ""}
    parts = [
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    file = 'Content-Disposition: form-data; name="file"; filename="large.csv"\r\n\r\n'
    head = f"{''.join(parts)}--{BOUNDARY}\r\n{file}"
    return head.encode() + b"x" * size + f"\r\n--{BOUNDARY}--\r\n".encode()


def test_a_large_statement_is_taken_whole(server: Server, cookie: str) -> None:
    (answer,) = server.send(request("POST", PATH, FORM, cookie, body=body(20_000_000)))
    assert answer.status == 302, answer.content[:2000]
    upload = StatementUpload.objects.get()
    assert (upload.size, upload.uploaded_by) == (20_000_000, "fabio")


def test_a_slow_upload_has_more_time_than_other_bodies(server: Server, cookie: str) -> None:
    whole = request("POST", PATH, FORM, cookie, body=body(200_000))
    with connect(server, whole[:100_000]) as connection:
        time.sleep(BODY_SECONDS + 2)
        connection.sendall(whole[100_000:])
        assert connection.recv(4096).startswith(b"HTTP/1.1 302")


@pytest.fixture
def impatient(django_db_setup: None) -> Iterator[Server]:
    """Takes hours for an upload, but no long pauses."""
    with running_server(BANK_STATEMENT_UPLOAD_SECONDS="7200", UPLOAD_PAUSE_SECONDS="3") as running:
        yield running


@pytest.mark.parametrize("drips", [False, True])
def test_an_upload_that_stalls_or_drips_gives_the_room_of_all_uploads_back(
    impatient: Server, cookie: str, drips: bool
) -> None:
    lines = (FORM, cookie, "Content-Length: 33000000")
    first = request("POST", PATH, *lines, body=b"x" * 32_999_000, length=False)
    with connect(impatient, first) as slow:
        assert _words(slow, drips=drips).startswith(b"HTTP/1.1 408")
        (answer,) = impatient.send(request("POST", PATH, FORM, cookie, body=body(20_000_000)))
    assert answer.status == 302, answer.content[:2000]


def _words(connection: socket.socket, *, drips: bool) -> bytes:
    """What the server says, within two minutes, to a client that sends a byte now and then."""
    connection.settimeout(0.2)
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        try:
            return connection.recv(4096)
        except TimeoutError:
            if drips:
                connection.sendall(b"x")
    return b""


def test_no_large_body_is_read_without_a_session_or_elsewhere(server: Server, cookie: str) -> None:
    for path, line in ((PATH, "X-None: 1"), ("/admin/login/", cookie)):
        lines = (FORM, line, "Content-Length: 20000000")
        began = time.monotonic()
        with connect(server, request("POST", path, *lines, body=b"", length=False)) as connection:
            assert connection.recv(4096).startswith(b"HTTP/1.1 4")
        assert time.monotonic() - began < BODY_SECONDS


def test_a_statement_above_the_limit_is_refused_at_once(server: Server, cookie: str) -> None:
    lines = (FORM, cookie, "Content-Length: 200000000")
    with connect(server, request("POST", PATH, *lines, body=b"", length=False)) as connection:
        assert connection.recv(4096).startswith(b"HTTP/1.1 413")
    assert not StatementUpload.objects.exists()
