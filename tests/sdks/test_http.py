"""What the SDKs for TypeScript and PHP do when the way to the service is not smooth."""

import json

import pytest

from tests.sdks.programs import stubbed
from tests.sdks.stub import JSON, Reply, Stub, refusal
from tests.support.programs import Program


@pytest.fixture
def program(command: list[str], stub: Stub) -> Program:
    return stubbed(command, stub)


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


@pytest.mark.parametrize(
    "reply",
    [Reply(200, dict(JSON), b'{"success": tru'), Reply(200, {"Content-Type": "text/html"}, b"Hi")],
    ids=["cut", "page"],
)
def test_an_answer_that_is_not_of_the_service_is_an_error(
    program: Program, stub: Stub, reply: Reply
) -> None:
    stub.replies = [reply]
    (seen,) = program.run("calls", {"call": "read"})
    assert (seen["class"], seen["status"], seen["code"]) == ("ApiError", 200, "HTTP_200")
