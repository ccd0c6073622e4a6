"""Unmatched funds under concurrency: each is decided once, and an order is settled once."""

import random
from collections import Counter
from typing import Any

import pytest
from django.db import transaction

from merchants.models import Merchant
from payments.collect.models import Order, UnmatchedFunds
from payments.collect.services.endings.expiry import expire_order
from payments.collect.services.errors import FundsDecided, OrderNotPayable
from payments.collect.services.orders.lookup import lock_order
from payments.collect.services.resolution import unmatched_resolution as decisions
from payments.core import clock
from payments.ledger.models import Entry
from tests.faults import scaled
from tests.support.charges import create, events_of, say, start, status_of
from tests.support.concurrency import run_concurrently
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.invariants import check_invariants

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults]


@pytest.fixture
def merchant() -> Merchant:
    return MerchantFactory()


@pytest.fixture
def api(merchant: Merchant, settings: Any) -> ApiClient:
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/m")
    settings.PROVIDER_BREAKER_FAILURES = 1_000_000
    settings.DOORBELL = False
    return ApiClient(merchant)


def late(api: ApiClient, amount: int = 50_025) -> UnmatchedFunds:
    order = create(api)
    charge = start(order, "BANK_TRANSFER")
    with transaction.atomic():
        expire_order(order=lock_order(order.pk), now=clock.now())
    say(charge, "RECEIVED", amount)
    return UnmatchedFunds.objects.get(order=order)


def act_of(name: str, funds: UnmatchedFunds, order: Order) -> Any:
    """One operator's decision, to be called in any thread."""
    own: dict[str, Any] = {"actor": "ana", "reason": "seen", "now": clock.now()}
    if name == "apply_to":
        own["order"] = order
    if name == "return_to_payer":
        own["proof"] = "slip"
    row = UnmatchedFunds.objects.get(pk=funds.pk)
    return lambda: getattr(decisions, name)(funds=row, **own)


def test_operators_who_decide_at_the_same_instant(api: ApiClient, merchant: Merchant) -> None:
    size, chance = scaled(100), random.Random(7)
    for _ in range(size):
        funds = late(api)
        names = ["credit", "return_to_payer", "apply_to", "apply_to", "credit"]
        chance.shuffle(names)
        answers = run_concurrently([act_of(name, funds, create(api)) for name in names])
        assert [type(a) for a in answers if isinstance(a, Exception)] == [FundsDecided] * 4
    decided = UnmatchedFunds.objects.exclude(status="OPEN").count()
    kinds = ["unmatched_credited", "unmatched_applied", "unmatched_returned"]
    assert decided == Entry.objects.filter(kind__in=kinds).count() == size
    print(f"{size} pieces of money, 5 operators each: {size} decisions")
    check_invariants([merchant.pk])


def test_two_pieces_for_one_order(api: ApiClient, merchant: Merchant) -> None:
    """One settles it; the other stays in the queue."""
    for _ in range(scaled(50)):
        order, pieces = create(api), [late(api), late(api)]
        answers = run_concurrently([act_of("apply_to", piece, order) for piece in pieces])
        refused = [type(answer) for answer in answers if isinstance(answer, Exception)]
        assert refused == [OrderNotPayable]
        states = Counter(UnmatchedFunds.objects.get(pk=piece.pk).status for piece in pieces)
        assert states == {"APPLIED": 1, "OPEN": 1}
        assert events_of(order) == ["payment.completed"]
    check_invariants([merchant.pk])


def test_the_payer_pays_while_an_operator_applies(api: ApiClient, merchant: Merchant) -> None:
    """The second one finds the order paid; no money is lost, and none is there twice."""
    for _ in range(scaled(50)):
        order, funds = create(api), late(api)
        charge = start(order, "BANK_TRANSFER")
        pays = lambda charge=charge: say(charge, "SUCCEEDED", charge.amount)  # noqa: E731
        answers = run_concurrently([pays, act_of("apply_to", funds, order)])
        assert all(a is None or isinstance(a, Order | OrderNotPayable) for a in answers), answers
        assert status_of(order) == "COMPLETED"
        assert events_of(order) == ["payment.completed"]
    check_invariants([merchant.pk])
