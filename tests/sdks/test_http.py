"""What the SDKs for TypeScript and PHP do when the way to the service is not smooth."""

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from tests.sdks.programs import Program, environment_of

ORDER = {"success": True, "data": {"id": "col_1"}}
JSON = {"Content-Type": "application/json"}


@dataclass
class Reply:
    status: int = 201
    headers: dict[str, str] = field(default_factory=lambda: dict(JSON))
    body: bytes = json.dumps(ORDER).encode()
    is_cut: bool = False
    is_silent: bool = False


def refusal(status: int, code: str, **headers: str) -> Reply:
    error = {"success": False, "error": {"code": code, "message": "No."}}
    return Reply(status, {**JSON, **headers}, json.dumps(error).encode())


@dataclass
class Stub:
    """Plays the service: one reply for each request; the last one also for all further ones."""

    replies: list[Reply] = field(default_factory=list)
    seen: list[dict[str, str]] = field(default_factory=list)
    times: list[float] = field(default_factory=list)
    address: str = ""
    ended: threading.Event = field(default_factory=threading.Event)

    def keys(self) -> set[str]:
        return {each.get("idempotency-key", "") for each in self.seen}


def handler(stub: Stub) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            stub.times.append(time.monotonic())
            headers = {name.lower(): value for name, value in self.headers.items()}
            headers["body"] = self.rfile.read(int(headers.get("content-length", 0))).decode()
            headers["line"] = f"{self.command} {self.path}"
            reply = stub.replies[min(len(stub.seen), len(stub.replies) - 1)]
            stub.seen.append(headers)
            if reply.is_silent:
                stub.ended.wait()
            elif not reply.is_cut:
                self.send_response(reply.status)
                for name, value in {**reply.headers, "Content-Length": len(reply.body)}.items():
                    self.send_header(name, str(value))
                self.end_headers()
                self.wfile.write(reply.body)
            self.close_connection = True

        do_POST = do_GET

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@pytest.fixture
def stub() -> Iterator[Stub]:
    made = Stub()
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler(made))
    made.address = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield made
    made.ended.set()
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def program(command: list[str], stub: Stub) -> Program:
    settings = {"PUBLIC_KEY": "pk_1", "SECRET_KEY": "sk_1", "URL": f"{stub.address}/"}
    return Program(
        command, environment_of({f"PASARELA_{name}": text for name, text in settings.items()})
    )


def test_a_request_says_who_asks_and_has_a_key(program: Program, stub: Stub) -> None:
    stub.replies = [Reply()]
    assert program.run("calls", {"call": "order"}) == ["col_1"]
    (seen,) = stub.seen
    assert seen["line"] == "POST /api/v1/collect"
    assert (seen["x-api-key"], seen["x-api-secret"]) == ("pk_1", "sk_1")
    assert seen["user-agent"].startswith("pasarela-")
    assert len(seen["idempotency-key"]) == 36
    assert json.loads(seen["body"])["amount"] == 50000


def test_two_calls_have_two_keys(program: Program, stub: Stub) -> None:
    stub.replies = [Reply()]
    program.run("calls", {"call": "order", "times": [1, 2]})
    assert len(stub.keys()) == 2


def test_retry_after_is_respected_with_the_same_key(program: Program, stub: Stub) -> None:
    limited = refusal(429, "RATE_LIMIT_EXCEEDED", **{"Retry-After": "2"})
    stub.replies = [limited, Reply()]
    assert program.run("calls", {"call": "order"}) == ["col_1"]
    assert stub.times[1] - stub.times[0] >= 2
    assert len(stub.keys()) == 1


def test_too_long_a_pause_is_an_error_at_once(program: Program, stub: Stub) -> None:
    stub.replies = [refusal(429, "RATE_LIMIT_EXCEEDED", **{"Retry-After": "3600"})]
    (seen,) = program.run("calls", {"call": "order"})
    assert (seen["class"], seen["retryAfter"], seen["status"]) == ("RateLimitError", 3600, 429)
    assert len(stub.seen) == 1


@pytest.mark.parametrize(
    "reply",
    [
        Reply(is_cut=True),
        Reply(502, {"Content-Type": "text/html"}, b"<h1>Bad gateway</h1>"),
        refusal(500, "INTERNAL_ERROR"),
        refusal(503, "SERVICE_UNAVAILABLE", **{"Retry-After": "0"}),
        Reply(503, {"Content-Type": "text/html"}, b"<h1>Maintenance</h1>"),
        refusal(408, "REQUEST_TIMEOUT"),
    ],
    ids=["cut", "proxy", "internal", "unavailable", "maintenance", "late"],
)
def test_what_may_pass_is_tried_again_with_the_same_key(
    program: Program, stub: Stub, reply: Reply
) -> None:
    stub.replies = [reply, Reply()]
    assert program.run("calls", {"call": "order"}) == ["col_1"]
    assert len(stub.seen) == 2
    assert len(stub.keys()) == 1


def test_retries_end_with_the_error_and_its_key(program: Program, stub: Stub) -> None:
    stub.replies = [Reply(is_cut=True)]
    (seen,) = program.run("calls", {"call": "order"})
    assert seen == {"class": "ConnectionError", "idempotencyKey": True}
    assert len(stub.seen) == 3


@pytest.mark.parametrize(
    "reply", [Reply(is_cut=True), refusal(500, "INTERNAL_ERROR"), Reply(504, {}, b"")]
)
def test_a_payment_without_key_is_never_tried_again(
    program: Program, stub: Stub, reply: Reply
) -> None:
    """Each POST /collect/{id}/pay begins a new charge."""
    stub.replies = [reply]
    (seen,) = program.run("calls", {"call": "pay"})
    assert seen["idempotencyKey"] is False
    assert len(stub.seen) == 1


def test_a_product_that_is_not_enabled_is_not_tried_again(program: Program, stub: Stub) -> None:
    stub.replies = [refusal(503, "DIRECT_API_NOT_ENABLED")]
    (seen,) = program.run("calls", {"call": "read"})
    assert (seen["class"], seen["code"]) == ("ServiceUnavailableError", "DIRECT_API_NOT_ENABLED")
    assert len(stub.seen) == 1


def test_keys_do_not_follow_a_redirect(program: Program, stub: Stub) -> None:
    stub.replies = [Reply(302, {"Location": f"{stub.address}/elsewhere"}, b"")]
    (seen,) = program.run("calls", {"call": "read"})
    assert (seen["class"], seen["status"], seen["code"]) == ("ApiError", 302, "HTTP_302")
    assert len(stub.seen) == 1


def test_no_answer_in_time_is_an_error_of_its_own(program: Program, stub: Stub) -> None:
    stub.replies = [Reply(is_silent=True)]
    given = {"call": "read", "options": {"timeoutMs": 50, "maxRetries": 0}}
    (seen,) = program.run("calls", given)
    assert seen["class"] == "TimeoutError"


def test_an_answer_that_is_no_json_is_an_error(program: Program, stub: Stub) -> None:
    stub.replies = [Reply(200, dict(JSON), b'{"success": tru')]
    (seen,) = program.run("calls", {"call": "read"})
    assert (seen["class"], seen["status"], seen["code"]) == ("ApiError", 200, "HTTP_200")
