"""One call to a rail, and what each end of it means: refused, doubtful, or an answer."""

import json
import os
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest

from payments.providers import http
from payments.providers.ports import ProviderTimeout, ProviderUnreachable
from tests.rails.http_calls import wait_until

ANSWER = b"HTTP/1.1 %d X\r\nContent-Length: %d\r\nContent-Type: application/json\r\n\r\n%b"


def response(status, body):
    return ANSWER % (status, len(body), body)


@contextmanager
def listening(serve):
    """A port where `serve(connection)` decides what is sent, byte by byte."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        requests = []

        def accept():
            try:
                while True:
                    connection, _ = server.accept()
                    with connection:
                        requests.append(connection.recv(65536))
                        serve(connection)
            except OSError:
                return

        thread = threading.Thread(target=accept, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.getsockname()[1]}", requests


def send(url, **changes):
    return http.call(http.RailCall(**{"method": "GET", "url": url, "operation": "test", **changes}))


def test_json_of_a_success_is_returned_with_exact_numbers():
    with listening(lambda c: c.sendall(response(200, b'{"amount": 12.50, "id": 7}'))) as (url, _):
        answer = send(url)
    assert (answer.status, answer.is_success) == (200, True)
    assert str(answer.body["amount"]) == "12.50"
    assert answer.body["id"] == 7


def test_body_and_query_are_sent_as_given():
    with listening(lambda c: c.sendall(response(201, b"{}"))) as (url, requests):
        send(f"{url}/a", method="POST", json={"name": "Ñandú"}, query={"r": "a b"})
    head, _, body = requests[0].partition(b"\r\n\r\n")
    assert head.startswith(b"POST /a?r=a+b ")
    assert json.loads(body) == {"name": "Ñandú"}


@pytest.mark.parametrize("status", [400, 404, 409, 422])
def test_refusals_are_the_adapters_to_read(status):
    with listening(lambda c: c.sendall(response(status, b"<html>"))) as (url, _):
        answer = send(url)
    assert (answer.status, answer.body, answer.is_success) == (status, None, False)


@pytest.mark.parametrize("status", [401, 403, 429])
def test_refused_credentials_and_too_many_calls_moved_nothing(status):
    with (
        listening(lambda c: c.sendall(response(status, b"{}"))) as (url, _),
        pytest.raises(ProviderUnreachable),
    ):
        send(url)


@pytest.mark.parametrize("status", [302, 500, 502, 503, 504])
def test_redirects_and_server_errors_are_doubts(status):
    with (
        listening(lambda c: c.sendall(response(status, b"{}"))) as (url, requests),
        pytest.raises(ProviderTimeout),
    ):
        send(url)
    assert len(requests) == 1


@pytest.mark.parametrize("body", [b"", b"<html>", b'{"a": NaN}', b'{"a":1,"a":2}', b"\xff"])
def test_success_that_is_not_json_is_a_doubt(body):
    with (
        listening(lambda c: c.sendall(response(200, body))) as (url, _),
        pytest.raises(ProviderTimeout),
    ):
        send(url)


def test_closed_port_and_unknown_name_were_never_reached():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    for url in (f"http://127.0.0.1:{port}", "http://rail.invalid"):
        with pytest.raises(ProviderUnreachable):
            send(url)


def test_port_that_speaks_no_tls_was_never_reached():
    with (
        listening(lambda c: c.sendall(b"HTTP/1.1 200 OK\r\n\r\n")) as (url, _),
        pytest.raises(ProviderUnreachable),
    ):
        send(url.replace("http:", "https:"))


def test_connection_cut_after_the_request_is_a_doubt():
    for sent in (b"", b"HTTP/1.1 20", response(200, b"{}")[:-1]):
        with (
            listening(lambda c, sent=sent: c.sendall(sent)) as (url, _),
            pytest.raises(ProviderTimeout),
        ):
            send(url, method="POST", json={})


def test_deadline_counts_for_the_whole_call_and_not_for_each_byte():
    def drip(connection):
        for byte in response(200, b"{}"):
            connection.sendall(bytes([byte]))
            time.sleep(0.2)

    with listening(drip) as (url, _):
        started = time.monotonic()
        with pytest.raises(ProviderTimeout):
            send(url, timeout=1)
    assert time.monotonic() - started < 8


def test_body_larger_than_a_megabyte_is_a_doubt():
    with (
        listening(lambda c: c.sendall(response(200, b'"' + b"a" * 1048576 + b'"'))) as (url, _),
        pytest.raises(ProviderTimeout),
    ):
        send(url)


def test_process_that_was_forked_makes_calls_of_its_own():
    with listening(lambda c: c.sendall(response(200, b"{}"))) as (url, _):
        send(url)
        child = os.fork()
        if child == 0:
            os._exit(0 if send(url, timeout=20).status == 200 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_log_holds_the_reference_and_neither_keys_nor_bodies(caplog):
    with listening(lambda c: c.sendall(response(200, b'{"secret": "s1"}'))) as (url, _):
        send(
            f"{url}/pub_test_abc",
            reference="chg_1",
            headers={"Authorization": "Bearer prv_test_abc"},
            json={"document": "1020304050"},
        )
    assert "chg_1" in caplog.text
    for secret in ("pub_test_abc", "prv_test_abc", "1020304050", "s1"):
        assert secret not in caplog.text


def test_repr_of_a_call_shows_no_key_and_no_payer():
    shown = repr(
        http.RailCall(
            method="POST",
            url="u",
            operation="o",
            headers={"Authorization": "Bearer s3cret"},
            query={"email": "s3cret"},
            json={"document": "s3cret"},
        )
    )
    assert "s3cret" not in shown


def test_call_without_time_is_not_sent():
    with listening(lambda c: c.sendall(response(200, b"{}"))) as (url, requests):
        for timeout in (0, -1.0):
            with pytest.raises(ProviderUnreachable):
                send(url, timeout=timeout)
    assert requests == []


def test_calls_inside_a_limit_end_with_it_together():
    """The second call finds no time, and is not sent."""
    ended = threading.Event()
    with listening(lambda c: ended.wait(30)) as (url, requests):
        started = time.monotonic()
        with http.limited_to(2), http.limited_to(30):
            for error in (ProviderTimeout, ProviderUnreachable):
                with pytest.raises(error):
                    send(url, method="POST", json={}, timeout=20)
        assert time.monotonic() - started < 10
        ended.set()
    assert len(requests) == 1


def test_limit_ends_with_its_block():
    with listening(lambda c: c.sendall(response(200, b"{}"))) as (url, _):
        with http.limited_to(0), pytest.raises(ProviderUnreachable):
            send(url)
        assert send(url).status == 200


def test_rail_whose_name_server_hangs_delays_no_other_rail(monkeypatch):
    look_up, hangs, ended = socket.getaddrinfo, [], threading.Event()

    def hang(host, *arguments, **options):
        if host == "hanging.rail.example":
            hangs.append(host)
            ended.wait(30)
        return look_up(host, *arguments, **options)

    monkeypatch.setattr(socket, "getaddrinfo", hang)
    monkeypatch.setattr(http, "CONNECT_SECONDS", 3.0)
    with (
        listening(lambda c: c.sendall(response(200, b"{}"))) as (url, _),
        ThreadPoolExecutor(40) as callers,
    ):
        waiting = [
            callers.submit(send, "http://hanging.rail.example", timeout=20) for _ in range(40)
        ]
        wait_until(lambda: hangs)
        assert send(url.replace("127.0.0.1", "localhost"), timeout=10).status == 200
        assert {type(one.exception()) for one in waiting} == {ProviderUnreachable}
        # One look-up serves them all, so that they fill no pool of threads.
        assert len(hangs) == 1
        ended.set()


@pytest.mark.parametrize(
    ("is_sandbox", "is_own_node", "address", "is_reached"),
    [
        (False, False, "127.0.0.1", False),
        (True, False, "127.0.0.1", True),
        (True, False, "169.254.169.254", False),
        (False, True, "127.0.0.1", True),
        (False, True, "169.254.169.254", False),
        (False, True, "100.100.100.200", False),
        (True, True, "169.254.169.254", False),
    ],
)
def test_name_that_leads_into_our_own_network_is_no_rail_but_may_be_our_node(
    monkeypatch, settings, is_sandbox, is_own_node, address, is_reached
):
    settings.SANDBOX, settings.RAIL_ALLOW_PRIVATE = is_sandbox, False
    look_up = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda _host, *rest, **more: look_up(address, *rest, **more)
    )
    with listening(lambda c: c.sendall(response(200, b"{}"))) as (url, requests):
        named = url.replace("127.0.0.1", "rail.example")
        if is_reached:
            assert send(named, timeout=20, is_own_node=is_own_node).status == 200
        else:
            with pytest.raises(ProviderUnreachable, match="ClientConnectorDNSError"):
                send(named, timeout=20, is_own_node=is_own_node)
            assert requests == []


def test_connections_are_closed_when_their_calls_have_ended():
    def serve(connection):
        if len(requests) % 3 == 0:
            connection.sendall(response(200, b"{}"))
        elif len(requests) % 3 == 1:
            connection.sendall(b"HTTP/1.1 20")
        else:
            time.sleep(0.3)

    def open_files():
        return len(os.listdir("/proc/self/fd"))

    with listening(serve) as (url, requests):
        send_whatever(url)
        before = open_files()
        for _ in range(12):
            send_whatever(url)
        wait_until(lambda: open_files() <= before)


def send_whatever(url):
    with suppress(ProviderTimeout, ProviderUnreachable):
        send(url, method="POST", json={}, timeout=0.2)
