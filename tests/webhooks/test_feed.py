"""GET /events: a gap-free sequence per merchant, in which nothing is ever skipped."""

import random
import threading
from typing import Any

import pytest
from django.db import DatabaseError, connection, connections, transaction

from merchants.models import Merchant
from payments.core import jsontext
from tests.contract.answers import assert_refused
from tests.support.concurrency import run_concurrently
from tests.support.factories import MerchantFactory, order_body
from tests.support.fixtures import ApiClient
from tests.webhooks.conftest import publish
from webhooks import feed, services, tasks
from webhooks.models import Event, EventNumber

pytestmark = pytest.mark.django_db


def told(api: ApiClient, after: str = "", **query: Any) -> list[dict[str, Any]]:
    given = {**({"after": after} if after else {}), **query}
    answer = api.get("/events?" + "&".join(f"{name}={value}" for name, value in given.items()))
    assert answer.status_code == 200, answer.content
    return answer.body["data"]


class TestAnswer:
    def test_an_event_as_it_was_sent(self, api: ApiClient) -> None:
        metadata = '{"mesa": 1.50, "ñ": "☕", "a": [1e2, null]}'
        body = jsontext.dumps(order_body(metadata=jsontext.raw(metadata)))
        order = api.post("/collect", body).body["data"]["id"]
        api.post(f"/sandbox/collect/{order}", {"status": "COMPLETED"})
        (row,) = told(api)
        event = Event.objects.get()
        sent = jsontext.loads(bytes(event.body))
        assert row == {"sequence": 1, "id": event.pk, **sent}
        assert row["data"]["metadata"] == jsontext.loads(metadata.encode())
        assert '"metadata":{"mesa":1.50,' in api.get("/events").content.decode()

    def test_events_are_read_in_order_page_by_page(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        events = [publish(merchant, number).pk for number in range(1, 8)]
        seen, after = [], ""
        while page := told(api, after, limit=3):
            seen += page
            after = page[-1]["id"]
        assert [row["id"] for row in seen] == events
        assert [row["sequence"] for row in seen] == [1, 2, 3, 4, 5, 6, 7]
        assert told(api, after) == []
        publish(merchant, 9)
        assert [row["sequence"] for row in told(api, after)] == [8]

    def test_page_has_twenty_events_without_a_limit(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        for number in range(25):
            publish(merchant, number)
        assert len(told(api)) == 20
        assert len(told(api, limit=100)) == 25

    @pytest.mark.parametrize("query", ["limit=0", "limit=101", "limit=x", "limit=1&limit=2"])
    def test_limit_that_is_no_number_is_refused(self, api: ApiClient, query: str) -> None:
        assert_refused(api.get(f"/events?{query}"), 400, "VALIDATION_ERROR", "limit")

    def test_events_are_refused_without_credentials(self, anonymous: ApiClient) -> None:
        assert_refused(anonymous.get("/events"), 401, "MISSING_CREDENTIALS")


class TestTenantIsolation:
    def test_merchant_reads_only_its_own_events(
        self, api: ApiClient, merchant: Merchant, stranger: Merchant
    ) -> None:
        publish(stranger, 1)
        mine = publish(merchant, 2)
        assert [(row["id"], row["sequence"]) for row in told(api)] == [(mine.pk, 1)]

    def test_another_merchants_event_is_unknown_byte_for_byte(
        self, api: ApiClient, stranger: Merchant
    ) -> None:
        theirs = publish(stranger, 1).pk
        feed.number_due()
        answers = []
        for after in (theirs, "evt_00000000000000000000000000", "nonsense", "%00", ""):
            answer = api.get(f"/events?after={after}")
            assert_refused(answer, 400, "VALIDATION_ERROR", "after")
            answers.append(answer.content)
        assert answers[0] == answers[1] == answers[2]


class TestNumbers:
    def test_the_beat_numbers_events_that_no_client_reads(
        self, merchant: Merchant, stranger: Merchant
    ) -> None:
        for owner in (merchant, stranger, merchant):
            publish(owner, random.randrange(10**9))
        assert not EventNumber.objects.exclude(number=None).exists()
        tasks.number_events()
        rows = EventNumber.objects.order_by("id").values_list("merchant", "number")
        assert list(rows) == [(merchant.pk, 1), (stranger.pk, 1), (merchant.pk, 2)]
        assert feed.number_due() == 0

    def test_read_numbers_more_events_than_one_batch(
        self, api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(feed, "BATCH", 3)
        for number in range(10):
            publish(merchant, number)
        assert [row["sequence"] for row in told(api)] == list(range(1, 11))

    def test_number_of_an_event_cannot_change(self, merchant: Merchant) -> None:
        publish(merchant)
        feed.number_due()
        row = EventNumber.objects.all()
        for act in (lambda: row.update(number=7), row.delete):
            with pytest.raises(DatabaseError), transaction.atomic():
                act()

    def test_late_page_costs_as_many_queries_as_the_first(
        self, api: ApiClient, merchant: Merchant, django_assert_max_num_queries: Any
    ) -> None:
        events = [publish(merchant, number).pk for number in range(50)]
        told(api)
        with django_assert_max_num_queries(6):  # two are the savepoint of the test
            told(api, events[30], limit=10)


@pytest.mark.django_db(transaction=True)
class TestConcurrency:
    def test_what_commits_late_is_never_skipped(self) -> None:
        """An older event, whose transaction is slow, comes after what readers have passed."""
        merchant = MerchantFactory()
        api = ApiClient(merchant)
        published, may_commit = threading.Event(), threading.Event()

        def slow() -> None:
            try:
                with transaction.atomic():
                    publish(merchant, 1)
                    published.set()
                    may_commit.wait(30)
            finally:
                connections.close_all()

        thread = threading.Thread(target=slow)
        thread.start()
        assert published.wait(30)
        fast = publish(merchant, 2)
        (seen,) = told(api)
        assert (seen["id"], seen["sequence"]) == (fast.pk, 1)
        may_commit.set()
        thread.join()
        (late,) = told(api, fast.pk)
        assert (late["sequence"], late["data"]["reference"]) == (2, "PEDIDO-1")
        assert Event.objects.get(pk=late["id"]).created_at < fast.created_at

    def test_readers_and_publishers_at_once(self) -> None:
        """Every reader that goes on from where it was sees every event once, in one order."""
        merchants = [MerchantFactory(), MerchantFactory()]
        expected, done = 60, threading.Event()

        def publisher(number: int) -> None:
            own = random.Random(number)
            for index in range(20):
                with transaction.atomic():
                    publish(own.choice(merchants), number * 100 + index)
                    with connection.cursor() as cursor:
                        cursor.execute("SELECT pg_sleep(%s)", [own.random() / 100])

        def reader(merchant: Merchant) -> list[tuple[int, str]]:
            seen: list[tuple[int, str]] = []
            while True:
                is_last = done.is_set()
                after = seen[-1][1] if seen else None
                rows = feed.read(merchant_id=merchant.pk, after=after, limit=7)
                seen += [(row.sequence, row.id) for row in rows]
                if not rows and is_last:
                    return seen

        def publishers() -> None:
            try:
                answers = run_concurrently([lambda n=n: publisher(n) for n in range(3)])
                assert answers == [None] * 3
            finally:
                done.set()

        readers = [lambda m=m: reader(m) for m in (*merchants, *merchants)]
        _, *seen = run_concurrently([publishers, *readers])
        assert not [answer for answer in seen if isinstance(answer, Exception)], seen
        assert seen[:2] == seen[2:]
        assert len(seen[0]) + len(seen[1]) == expected
        for merchant, rows in zip(merchants, seen, strict=False):
            assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
            assert {pk for _, pk in rows} == set(
                Event.objects.filter(merchant=merchant).values_list("pk", flat=True)
            )


def test_a_test_event_has_its_place(api: ApiClient, merchant: Merchant) -> None:
    services.send_test_event(merchant=merchant, actor="ana", now=publish(merchant).created_at)
    assert {row["event"] for row in told(api)} == {"payment.completed", "webhook.test"}
