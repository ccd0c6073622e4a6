"""A merchant's receiver that fails, redirects, is slow or gone: five attempts, each signed again.

The payment itself is never delayed, and a receiver that recovers gets its events.
"""

import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from werkzeug import Response

from merchants import services as merchants
from merchants.models import Merchant
from payments.core import clock
from tests.support.fixtures import ApiClient
from tests.support.journey import (  # noqa: F401  its fixtures, too
    RETRY_DELAYS,
    Receiver,
    _books_add_up,
    api,
    create,
    merchant,
    read,
    receiver,
)
from webhooks import dispatcher

# Fixtures are arguments named as the functions above.
# ruff: noqa: F811
pytestmark = pytest.mark.django_db(transaction=True)


class TestABadReceiver:
    """Five POSTs in all: at once, then after 5 min, 30 min, 2 h and 24 h (docs/gaps.md)."""

    @pytest.fixture
    def paid(self, api: ApiClient) -> dict[str, Any]:
        order = create(api)
        api.post(f"/sandbox/collect/{order['id']}", {"status": "COMPLETED"})
        return order

    def run_through(self, receiver: Receiver) -> list[bool]:
        """Runs the pump at every due time; whether each attempt was believed at its time."""
        believed = []
        with time_machine.travel(clock.now(), tick=True) as traveller:
            for delay in [*RETRY_DELAYS, 7 * 86400]:
                before = len(receiver.posts)
                if delay:
                    traveller.shift(delay - 60)
                    dispatcher.run()
                    assert len(receiver.posts) == before  # not a moment too early
                    traveller.shift(61)
                dispatcher.run()
                believed += [
                    receiver.accepts(post, clock.now()) for post in receiver.posts[before:]
                ]
        return believed

    @pytest.mark.parametrize("status", [500, 404, 301, 302, 307])
    def test_every_attempt_is_signed_again_and_the_body_never_changes(
        self, receiver: Receiver, paid: dict[str, Any], status: int
    ) -> None:
        elsewhere = {"Location": receiver.server.url_for("/elsewhere")}
        receiver.answer = lambda: Response("no", status, headers=elsewhere)

        assert self.run_through(receiver) == [True] * 5
        assert len({post.get_data() for post in receiver.posts}) == 1
        assert len({post.headers["X-Service-Signature"] for post in receiver.posts}) == 5
        assert len({post.headers["X-Service-Event-Id"] for post in receiver.posts}) == 1
        attempts = [post.headers["X-Service-Attempt"] for post in receiver.posts]
        assert attempts == ["1", "2", "3", "4", "5"]
        # A redirect is an answer that is not 2xx: it is never followed.
        assert {request.path for request, _ in receiver.server.log} == {"/hooks"}

    def test_once_it_answers_2xx_nothing_more_is_sent(
        self, receiver: Receiver, paid: dict[str, Any]
    ) -> None:
        statuses = iter([503, 204])
        receiver.answer = lambda: Response("", next(statuses))
        with time_machine.travel(clock.now(), tick=True) as traveller:
            for seconds in (0, 301, 1801, 7201, 86401):
                traveller.shift(seconds)
                dispatcher.run()
        assert len(receiver.posts) == 2

    def test_a_dead_receiver_delays_no_answer_and_hears_of_it_later(
        self,
        api: ApiClient,
        merchant: Merchant,
        receiver: Receiver,
        paid: dict[str, Any],
        settings: Any,
    ) -> None:
        merchant.webhook_url = "http://127.0.0.1:9/hooks"  # no server listens there
        merchant.save()
        dispatcher.run()
        started = time.monotonic()
        assert read(api, paid)["status"] == "COMPLETED"
        assert time.monotonic() - started < settings.WEBHOOK_TIMEOUT_SECONDS / 2

        merchant.webhook_url = receiver.url  # mended: the pending retry goes there
        merchant.save()
        with time_machine.travel(clock.now() + timedelta(seconds=301), tick=True):
            dispatcher.run()
            assert [event["data"]["id"] for event in receiver.believed()] == [paid["id"]]

    def test_a_slow_receiver_is_given_up_and_asked_again(
        self, receiver: Receiver, paid: dict[str, Any], settings: Any
    ) -> None:
        settings.WEBHOOK_TIMEOUT_SECONDS = 0.3
        slowness = iter([5.0, 0.0])

        def answer() -> Response:
            time.sleep(next(slowness))
            return Response("ok", 200)

        receiver.answer = answer
        started = time.monotonic()
        dispatcher.run()
        assert time.monotonic() - started < 4
        with time_machine.travel(clock.now() + timedelta(seconds=301), tick=True):
            dispatcher.run()
            assert receiver.accepts(receiver.posts[-1], clock.now())
        assert len(receiver.posts) == 2

    def test_a_regenerated_secret_signs_what_is_still_pending(
        self, merchant: Merchant, receiver: Receiver, paid: dict[str, Any]
    ) -> None:
        receiver.answer = lambda: Response("", 500)
        dispatcher.run()
        old = receiver.secret
        receiver.secret = merchants.regenerate_webhook_secret(merchant=merchant, actor="tests")
        with time_machine.travel(clock.now() + timedelta(seconds=301), tick=True):
            dispatcher.run()
            _, second = receiver.posts
            assert receiver.accepts(second, clock.now())
            receiver.secret = old
            assert not receiver.accepts(second, clock.now())
