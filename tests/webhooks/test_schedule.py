"""Five POSTs over 26 h 35 min, then FAILED (contract, Retries; F9), with a clock that is moved."""

import itertools
import json
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from merchants import services as merchant_services
from merchants.models import Merchant
from tests.support.measurements import record
from tests.webhooks.conftest import merchant_at, publish, run_dispatcher
from tests.webhooks.receivers import Receiver, Request, answering, answering_by
from tests.webhooks.verification import verify_contract, verify_standard
from webhooks import schedule
from webhooks.models import Attempt, Delivery

pytestmark = pytest.mark.django_db(transaction=True)

DELAYS = [0, 300, 1800, 7200, 86400]
START = datetime(2026, 3, 1, 15, 4, 5, 123000, tzinfo=UTC)


class MovedClock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at

    def move(self, seconds: float) -> None:
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def clock() -> MovedClock:
    return MovedClock()


def test_delays_between_attempts_are_those_of_the_contract() -> None:
    assert schedule.first_attempt_at(START) == START
    times = [START]
    while (following := schedule.next_attempt_at(len(times), times[-1])) is not None:
        times.append(following)
    assert [(b - a).total_seconds() for a, b in itertools.pairwise(times)] == DELAYS[1:]
    assert times[-1] - times[0] == timedelta(hours=26, minutes=35)


def test_delays_between_attempts_are_a_setting(settings: Any) -> None:
    settings.WEBHOOK_RETRY_DELAYS = [1, 2]
    assert schedule.first_attempt_at(START) == START + timedelta(seconds=1)
    assert schedule.next_attempt_at(1, START) == START + timedelta(seconds=2)
    assert schedule.next_attempt_at(2, START) is None


@pytest.mark.faults("F9")
def test_every_attempt_verifies_and_no_byte_of_the_body_changes(clock: MovedClock) -> None:
    verdicts: list[tuple[bool, bool]] = []
    merchant: Merchant

    def reply(request: Request) -> tuple[int, bytes]:
        now = clock.at.timestamp()
        verdicts.append(
            (
                verify_contract(
                    request.headers, request.body, merchant.webhook_secret, round(now * 1000)
                ),
                verify_standard(request.headers, request.body, merchant.webhook_secret, now),
            )
        )
        return 503, b"later"

    with Receiver(answering_by(reply)) as receiver:
        merchant = merchant_at(receiver.url)
        event = publish(merchant, now=START)
        for number, delay in enumerate(DELAYS, start=1):
            if delay:
                clock.move(delay - 0.001)
                assert run_dispatcher(now=clock).sent == 0, "too early"
                clock.move(0.001)
            assert run_dispatcher(now=clock).sent == 1
            assert len(receiver.requests) == number
        clock.move(10 * 86400)
        assert run_dispatcher(now=clock).sent == 0

    assert verdicts == [(True, True)] * 5
    requests = receiver.requests
    record(
        f"verified {len(verdicts)} of 5 attempts over"
        f" {Attempt.objects.order_by('number').last().started_at - START}, bodies that differ"
        f" {sum(request.body != bytes(event.body) for request in requests)}",
        attempts_verified=len(verdicts),
        bodies_that_differ=sum(request.body != bytes(event.body) for request in requests),
    )
    assert {request.body for request in requests} == {bytes(event.body)}
    assert json.loads(event.body)["timestamp"] == "2026-03-01T15:04:05.123Z"
    assert [request.headers["x-service-attempt"] for request in requests] == list("12345")
    for name in ("x-service-event-id", "webhook-id"):
        assert {request.headers[name] for request in requests} == {event.pk}
    for name in ("x-service-timestamp", "x-service-signature", "webhook-signature"):
        assert len({request.headers[name] for request in requests}) == 5

    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.attempts, delivery.next_attempt_at) == ("FAILED", 5, None)
    history = list(Attempt.objects.order_by("number"))
    assert [attempt.number for attempt in history] == [1, 2, 3, 4, 5]
    assert history[-1].started_at - history[0].started_at == timedelta(hours=26, minutes=35)
    assert {(a.response_status, a.response_excerpt, a.error, a.url) for a in history} == {
        (503, "later", "HTTP_STATUS", receiver.url)
    }


@pytest.mark.parametrize("successful", [2, 3, 4, 5])
def test_a_2xx_on_a_later_attempt_ends_the_retries(clock: MovedClock, successful: int) -> None:
    answers = [(500, b"")] * (successful - 1) + [(200, b"")]
    with Receiver(answering_by(lambda _: answers[len(receiver.requests) - 1])) as receiver:
        publish(merchant_at(receiver.url), now=START)
        for delay in DELAYS:
            clock.move(delay)
            run_dispatcher(now=clock)
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.attempts) == ("DELIVERED", successful)
    assert len(receiver.requests) == successful


@pytest.mark.parametrize("error", ["REDIRECT", "CONNECT", "HTTP_STATUS"])
def test_every_kind_of_failure_has_five_attempts(clock: MovedClock, error: str) -> None:
    with Receiver(answering(302 if error == "REDIRECT" else 404, b"", "Location: /x")) as receiver:
        url = {"CONNECT": "http://127.0.0.1:1/".replace(":1/", ":1025/")}
        publish(merchant_at(url.get(error, receiver.url)), now=START)
        for delay in DELAYS:
            clock.move(delay)
            run_dispatcher(now=clock)
    assert list(Attempt.objects.values_list("error", flat=True)) == [error] * 5
    assert Delivery.objects.get().status == "FAILED"


def test_mending_the_url_rescues_what_waits(clock: MovedClock, receiver: Receiver) -> None:
    wrong = "http://127.0.0.1:1025/"
    merchant = merchant_at(wrong)
    publish(merchant, now=START)
    run_dispatcher(now=clock)
    merchant.webhook_url = receiver.url
    merchant.save()
    clock.move(300)
    run_dispatcher(now=clock)
    assert Delivery.objects.get().status == "DELIVERED"
    attempts = Attempt.objects.order_by("id").values_list("error", "url")
    assert list(attempts) == [("CONNECT", wrong), ("", receiver.url)]


def test_a_new_secret_signs_what_waits(clock: MovedClock) -> None:
    with Receiver(answering(500)) as receiver:
        merchant = merchant_at(receiver.url)
        old = merchant.webhook_secret
        publish(merchant, now=START)
        run_dispatcher(now=clock)
        new = merchant_services.regenerate_webhook_secret(merchant=merchant, actor="ana")
        clock.move(300)
        run_dispatcher(now=clock)
    for request, secret, other in zip(receiver.requests, (old, new), (new, old), strict=True):
        at = int(request.headers["x-service-timestamp"])
        assert verify_contract(request.headers, request.body, secret, at)
        assert not verify_contract(request.headers, request.body, other, at)
