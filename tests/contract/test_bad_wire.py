"""What no client library sends, written to a real server byte by byte: no side effect, never a 500.

Lengths that lie, chunks, noise, headers twice or not ASCII, and a request hidden in another.
"""

import pytest

from tests.contract.answers import check_each
from tests.contract.bad_requests import spelled
from tests.contract.wire import Server, chunked, request

pytestmark = pytest.mark.usefixtures("no_side_effect")
JSON = "Content-Type: application/json"
NOT_ASCII = ["ñ".encode(), b"\xff\xfe", "☕".encode()]


def create(*lines: str | bytes, body: bytes, length: bool = True) -> bytes:
    return request("POST", "/api/v1/collect", JSON, *lines, body=body, length=length)


class TestOverTheWire:
    pytestmark = pytest.mark.django_db(transaction=True)

    def refused(
        self, server: Server, raw: bytes, status: int, code: str, *, hang_up: bool = False
    ) -> None:
        (answer,) = server.send(raw, hang_up=hang_up)
        assert answer.status == status, answer.content
        assert answer.headers["content-type"] == "application/json"
        assert answer.headers["x-request-id"]
        assert answer.body["success"] is False
        assert answer.body["error"]["code"] == code

    def test_body_of_three_megabytes_is_refused(
        self, server: Server, credentials: list[str]
    ) -> None:
        body = b"{" + b" " * 3_000_000 + b"}"
        self.refused(server, create(*credentials, body=body), 413, "PAYLOAD_TOO_LARGE")
        self.refused(server, create(body=body), 413, "PAYLOAD_TOO_LARGE")

    def test_three_megabytes_in_chunks(self, server: Server, credentials: list[str]) -> None:
        body = chunked(b"{" + b" " * 3_000_000 + b"}")
        lines = [*credentials, "Transfer-Encoding: chunked"]
        self.refused(server, create(*lines, body=body, length=False), 413, "PAYLOAD_TOO_LARGE")

    def test_chunks_that_are_no_json(self, server: Server, credentials: list[str]) -> None:
        lines = [*credentials, "Transfer-Encoding: chunked"]
        for body in (b"", b"[]", b'{"amount":1,"amount":2}'):
            raw = create(*lines, body=chunked(body, 3), length=False)
            self.refused(server, raw, 400, "VALIDATION_ERROR")

    def test_more_than_was_announced(self, server: Server, credentials: list[str]) -> None:
        body = spelled().encode()
        lines = [*credentials, "Content-Length: 10"]
        self.refused(server, create(*lines, body=body, length=False), 400, "VALIDATION_ERROR")
        assert server.is_alive()

    def test_less_than_was_announced(self, server: Server, credentials: list[str]) -> None:
        """Half of a request may look like a whole one: it is not carried out."""
        body = spelled().encode()
        lines = [*credentials, f"Content-Length: {len(body) + 10}"]
        raw = create(*lines, body=body, length=False)
        self.refused(server, raw, 400, "VALIDATION_ERROR", hang_up=True)

    def test_what_is_no_http(self, server: Server, credentials: list[str]) -> None:
        """The web server itself says 400 and hangs up; we never see the request."""

        def check(*lines: str | bytes) -> None:
            (answer,) = server.send(create(*credentials, *lines, body=b"{}", length=False))
            assert answer.status == 400

        twice = ("Content-Length: 5", "Content-Length: 6")
        lengths = ["Content-Length: abc", "Content-Length: -5", f"Content-Length: {'9' * 30}"]
        check_each([twice, *lengths, "X-Api-Key : x", "X Api Key: x", b"X-Api-Key: a\x00b"], check)
        assert server.is_alive()

    def test_noise_gets_400_and_the_server_lives(self, server: Server) -> None:
        noises = [b"\x00\x01\r\n\r\n", b"\x16\x03\x01\x02\x00\x01", b"GET\r\n\r\n", b"\r\n" * 9]
        for raw in noises:
            assert all(answer.status == 400 for answer in server.send(raw, hang_up=True))
        assert server.is_alive()

    @pytest.mark.parametrize("name", ["X-Api-Key", "X-Api-Secret"])
    def test_credential_sent_twice_is_refused(
        self, server: Server, credentials: list[str], name: str
    ) -> None:
        raw = create(*credentials, f"{name}: x", body=spelled().encode())
        expected = "INVALID_API_KEY" if name == "X-Api-Key" else "INVALID_CREDENTIALS"
        self.refused(server, raw, 401, expected)

    def test_a_credential_that_is_not_ascii(self, server: Server, credentials: list[str]) -> None:
        for value in NOT_ASCII:
            for name, position in (("X-Api-Key", 0), ("X-Api-Secret", 1)):
                lines: list[str | bytes] = [*credentials]
                lines[position] = name.encode() + b": " + value
                (answer,) = server.send(create(*lines, body=spelled().encode()))
                assert answer.status == 401
                code = answer.body["error"]["code"]
                assert code in ("MISSING_CREDENTIALS", "INVALID_CREDENTIALS", "INVALID_API_KEY")

    def test_an_idempotency_key_that_is_not_ascii_is_not_dropped(
        self, server: Server, credentials: list[str]
    ) -> None:
        for value in NOT_ASCII:
            raw = create(*credentials, b"Idempotency-Key: " + value, body=spelled().encode())
            (answer,) = server.send(raw)
            assert answer.status == 400, answer.content
            assert answer.body["success"] is False

    def test_headers_of_eight_kilobytes(self, server: Server, credentials: list[str]) -> None:
        long = "x" * 8192
        raw = create(f"X-Api-Key: {long}", credentials[1], body=spelled().encode())
        self.refused(server, raw, 401, "INVALID_API_KEY")
        raw = create(*credentials, f"Idempotency-Key: {long}", body=spelled().encode())
        self.refused(server, raw, 400, "VALIDATION_ERROR")

    TARGETS = [
        ("/api/v1/collect/" + "x" * 10_240, "ORDER_NOT_FOUND"),
        ("/api/v1/" + "x/" * 5_120, "NOT_FOUND"),
        ("/api/v1/collect/%00", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/%", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/%zz", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/%ff%fe", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/%2e%2e", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/..", "ORDER_NOT_FOUND"),
        ("/api/v1/collect/../collect", "NOT_FOUND"),
        ("/api/v1/../../etc/passwd", "NOT_FOUND"),
        ("/api/v1/%ff%fe", "NOT_FOUND"),
        ("/api/v1/collect/a%2Fb", "NOT_FOUND"),
        ("//api/v1/collect", "NOT_FOUND"),
    ]

    def test_strange_target_is_not_found(self, server: Server, credentials: list[str]) -> None:
        def check(target: str, code: str) -> None:
            self.refused(server, request("GET", target, *credentials), 404, code)

        check_each(self.TARGETS, check)

    def test_strange_method_is_refused(self, server: Server, credentials: list[str]) -> None:
        def check(method: str) -> None:
            raw = request(method, "/api/v1/collect", *credentials)
            self.refused(server, raw, 405, "METHOD_NOT_ALLOWED")

        check_each(["TRACE", "CONNECT", "BREW", "OPTIONS", "PATCH"], check)

    def test_a_trace_returns_no_secret(self, server: Server, credentials: list[str]) -> None:
        for target in ("/api/v1/collect", "/api/v1/nothing", "/callbacks/payin/simulator"):
            answer = server.exchange(request("TRACE", target, *credentials))
            assert credentials[1].removeprefix("X-Api-Secret: ").encode() not in answer

    def test_a_head_answer_has_no_body(self, server: Server, credentials: list[str]) -> None:
        answer = server.exchange(request("HEAD", "/api/v1/collect", *credentials))
        head, _, rest = answer.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200")
        assert rest == b""

    def test_a_second_request_hidden_in_the_first_is_not_carried_out(
        self, server: Server, credentials: list[str]
    ) -> None:
        """Length and chunks together: whatever is believed, there is one order at most."""
        hidden = create(*credentials, body=spelled().encode())
        raw = request(
            "POST",
            "/api/v1/collect",
            JSON,
            *credentials,
            "Content-Length: 4",
            "Transfer-Encoding: chunked",
            body=b"0\r\n\r\n" + hidden,
            length=False,
        )
        first, *_ = server.send(raw)
        assert first.status == 400

    def test_chunks_that_say_what_is_wrong(self, server: Server, credentials: list[str]) -> None:
        """They are read like any other body: the answer names the field."""
        body = chunked(spelled(amount="1").encode(), 7)
        (answer,) = server.send(
            create(*credentials, "Transfer-Encoding: chunked", body=body, length=False)
        )
        assert answer.status == 400
        assert answer.body["error"]["details"]["fields"].keys() == {"amount"}
