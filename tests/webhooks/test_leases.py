"""Claiming and recording: leases, the fence, the cap, fairness, and who waits for whom."""

import threading
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection, connections, transaction

from merchants.models import Merchant
from tests.webhooks.conftest import merchant_at, publish
from webhooks import leases
from webhooks.models import Attempt, Delivery
from webhooks.sender import DeliveryResponse

NOW = datetime(2026, 3, 1, 15, 0, tzinfo=UTC)
URL = "http://127.0.0.1:9000/hooks"
OK = DeliveryResponse(duration_ms=3, status=200, excerpt="ok")
REFUSED = DeliveryResponse(duration_ms=5, status=500, error="HTTP_STATUS")


def claim(size: int = 100, at: datetime = NOW) -> list[leases.Claimed]:
    return leases.claim(now=at, size=size)


def result(
    claimed: leases.Claimed, answer: DeliveryResponse = OK, at: datetime = NOW
) -> leases.Result:
    return leases.Result(claimed=claimed, started_at=at, finished_at=at, response=answer)


@pytest.fixture
def shop(db: None) -> Merchant:
    return merchant_at(URL)


def test_due_delivery_is_claimed_and_its_result_recorded(shop: Merchant) -> None:
    event = publish(shop, now=NOW)
    (claimed,) = claim()
    assert claimed.body == bytes(event.body)
    assert (claimed.number, claimed.event_id, claimed.url) == (1, event.pk, URL)
    assert claimed.secret == shop.webhook_secret
    assert claim() == []
    assert leases.record([result(claimed)]) == 1
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.delivered_at) == ("DELIVERED", NOW)
    assert delivery.lease_token is delivery.leased_until is None


def test_what_is_not_due_is_not_claimed(shop: Merchant) -> None:
    publish(shop, now=NOW + timedelta(milliseconds=1))
    assert claim() == []
    assert len(claim(at=NOW + timedelta(milliseconds=1))) == 1


def test_a_lease_that_ends_makes_the_delivery_due_again(shop: Merchant, settings: Any) -> None:
    publish(shop, now=NOW)
    (first,) = claim()
    lease = timedelta(seconds=settings.WEBHOOK_LEASE_SECONDS)
    assert claim(at=NOW + lease - timedelta(milliseconds=1)) == []
    (second,) = claim(at=NOW + lease)
    assert second.id == first.id
    assert second.number == first.number == 1
    assert second.token != first.token


@pytest.mark.parametrize("late", [OK, REFUSED])
def test_a_lost_lease_does_not_overwrite_a_newer_result(
    shop: Merchant, late: DeliveryResponse
) -> None:
    publish(shop, now=NOW)
    (first,) = claim()
    later = NOW + timedelta(minutes=1)
    (second,) = claim(at=later)
    assert leases.record([result(second, OK, later)]) == 1
    assert leases.record([result(first, late, later)]) == 0
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.attempts) == ("DELIVERED", 1)
    # Both POSTs happened, so both are history.
    assert list(Attempt.objects.values_list("number", flat=True)) == [1, 1]


def test_the_next_attempt_counts_from_the_failure_and_not_from_the_start(shop: Merchant) -> None:
    """The contract's delay is after the failure: a receiver may take ten seconds to answer."""
    publish(shop, now=NOW)
    (claimed,) = claim()
    failed_at = NOW + timedelta(seconds=10)
    leases.record(
        [leases.Result(claimed=claimed, started_at=NOW, finished_at=failed_at, response=REFUSED)]
    )
    assert Delivery.objects.get().next_attempt_at == failed_at + timedelta(minutes=5)


def test_lost_lease_does_not_end_the_lease_of_another_dispatcher(shop: Merchant) -> None:
    publish(shop, now=NOW)
    (first,) = claim()
    later = NOW + timedelta(minutes=1)
    (second,) = claim(at=later)
    assert leases.record([result(first, OK, later)]) == 0
    delivery = Delivery.objects.get()
    assert (delivery.status, delivery.lease_token) == ("PENDING", second.token)


def test_result_recorded_twice_leaves_one_attempt(shop: Merchant) -> None:
    """The answer to a commit may be lost; the group is then written again."""
    publish(shop, now=NOW)
    outcome = result(*claim(), REFUSED)
    assert leases.record([outcome]) == 1
    assert leases.record([outcome]) == 0
    assert Attempt.objects.count() == 1
    delivery = Delivery.objects.get()
    assert (delivery.attempts, delivery.next_attempt_at) == (1, NOW + timedelta(seconds=300))


def test_a_merchant_has_no_more_in_flight_than_its_cap(shop: Merchant, settings: Any) -> None:
    settings.WEBHOOK_MERCHANT_CAP = 4
    for number in range(10):
        publish(shop, number, now=NOW)
    first = claim()
    assert len(first) == 4
    assert claim() == []
    leases.record([result(claimed) for claimed in first[:3]])
    assert len(claim()) == 3
    # A crashed dispatcher's leases count only until they end.
    assert len(claim(at=NOW + timedelta(hours=1))) == 4


def test_oldest_delivery_is_claimed_first(shop: Merchant) -> None:
    for number in range(5):
        publish(shop, number, now=NOW - timedelta(seconds=number))
    oldest = set(Delivery.objects.order_by("next_attempt_at").values_list("pk", flat=True)[:2])
    assert {claimed.id for claimed in claim(2)} == oldest


def test_a_backlog_takes_only_what_the_others_leave(shop: Merchant, stranger: Merchant) -> None:
    for number in range(50):
        publish(shop, number, now=NOW - timedelta(hours=1))
    publish(stranger, now=NOW)
    third = merchant_at(URL)
    for number in range(3):
        publish(third, number, now=NOW)
    owner_of = dict(Delivery.objects.values_list("pk", "merchant_id"))
    # Everybody's first, then everybody's second (the stranger has none), then the oldest third.
    owners = [owner_of[claimed.id] for claimed in claim(6)]
    assert [owners.count(merchant.pk) for merchant in (shop, stranger, third)] == [3, 1, 2]
    # What is in flight counts, so the stranger's second comes before the shop's fourth.
    publish(stranger, 2, now=NOW)
    (claimed,) = claim(1)
    assert Delivery.objects.get(pk=claimed.id).merchant == stranger


def test_one_unreadable_secret_is_one_merchants_trouble(shop: Merchant, stranger: Merchant) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE merchants_merchant SET webhook_secret = 'rotated away' WHERE id = %s", [shop.pk]
        )
    publish(shop, now=NOW)
    publish(stranger, now=NOW)
    assert sorted(claimed.secret is None for claimed in claim()) == [False, True]


# --- Several at once -----------------------------------------------------------------------------


@pytest.mark.faults
@pytest.mark.django_db(transaction=True)
def test_the_cap_holds_when_many_claim_at_once(settings: Any) -> None:
    settings.WEBHOOK_MERCHANT_CAP = 4
    shops = [merchant_at(URL) for _ in range(3)]
    for shop in shops:
        for number in range(40):
            publish(shop, number, now=NOW)
    barrier, claims = threading.Barrier(8), []

    def keep_claiming() -> None:
        barrier.wait()
        for _ in range(5):
            claims.extend(claim(10))
        connections.close_all()

    threads = [threading.Thread(target=keep_claiming) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    leased = Delivery.objects.filter(lease_token__isnull=False)
    per_shop = [leased.filter(merchant=shop).count() for shop in shops]
    print(f"in flight per merchant after 40 concurrent claims, cap 4: {per_shop}")
    assert max(per_shop) <= 4
    assert len(claims) == len({claimed.id for claimed in claims}) == sum(per_shop)


@pytest.mark.django_db(transaction=True)
def test_claiming_does_not_block_publishing_nor_wait_for_an_operator(shop: Merchant) -> None:
    publish(shop, now=NOW)
    stranger = merchant_at(URL)
    publish(stranger, now=NOW)
    outcome: list[Any] = []

    def publish_during_the_claim() -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET lock_timeout = '500ms'")
        outcome.append(publish(shop, 2, now=NOW))  # takes KEY SHARE on the merchant
        outcome.append(claim())  # passes over the locked merchants
        connections.close_all()

    with transaction.atomic():
        # An operator is editing the stranger; we hold the shop as a claim does.
        Merchant.objects.select_for_update().get(pk=stranger.pk)
        assert len(claim()) == 2  # our own locks do not hinder us
        thread = threading.Thread(target=publish_during_the_claim)
        thread.start()
        thread.join(60)
    assert len(outcome) == 2
    assert outcome[1] == []
