"""Collections under concurrency: exact balances (F2) and one final state (F13)."""

import threading
import time
from collections import Counter
from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest
from django.db import connections
from django.test import Client

from merchants.models import Merchant
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.endings import expiry
from payments.core import clock
from payments.ledger import services as ledger
from payments.providers.ports import ChargeStatus, ChargeUpdate
from payments.simulator import callbacks, messages
from tests.faults import scaled
from tests.support.charges import create, start
from tests.support.concurrency import run_concurrently
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.invariants import check_invariants
from tests.support.measurements import record, seeded

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults]


@pytest.fixture
def merchant() -> Merchant:
    return MerchantFactory()


@pytest.fixture
def api(merchant: Merchant, settings) -> ApiClient:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "collect_create": "1000000/m"}
    return ApiClient(merchant)


def callback(charge: Charge, status: ChargeStatus, received: int = 0) -> int:
    """The provider's signed POST, through the route; its HTTP status."""
    update = ChargeUpdate(
        reference=charge.pk,
        provider_id=charge.provider_id,
        status=status,
        received=Decimal(received),
        currency=charge.currency,
        occurred_at=clock.now(),
    )
    body = messages.body_of(update)
    response = Client(raise_request_exception=False).post(
        "/callbacks/payin/simulator",
        body,
        content_type="application/json",
        headers=callbacks.signed_headers(body, clock.now()),
    )
    return response.status_code


@pytest.mark.faults("F2")
def test_two_hundred_completions_of_one_merchant_credit_exactly(
    api: ApiClient, merchant: Merchant
) -> None:
    """F2 for collections: one balance, orders settled at the same instant, each told twice.

    A request that waits too long for the balance gets 503, and is sent again as a rail does.
    """
    size = scaled(200)
    tries = [start(create(api), "PSE") for _ in range(size)]
    acts = [
        partial(callback, charge, ChargeStatus.SUCCEEDED, 50025) for charge in tries for _ in "ab"
    ]
    seeded(13).shuffle(acts)

    answers = run_concurrently(acts)
    refused = [act for act, answer in zip(acts, answers, strict=True) if answer == 503]
    again = Counter(act() for act in refused)

    balance = ledger.balances(merchant.pk)["COPM"]["available"]
    record(
        f"{size} orders told {len(acts)} times: answers {dict(Counter(answers))}, told again"
        f" {dict(again)}, balance {balance:f}",
        completions_at_once=len(acts),
        pesos_credited_wrong=int(balance) - size * 50000,
    )
    assert set(answers) <= {200, 503}
    assert set(again) <= {200}
    assert balance == size * 50000
    check_invariants([merchant.pk])


@pytest.mark.faults("F13")
def test_expire_pay_and_fail_at_the_same_instant(api: ApiClient, merchant: Merchant) -> None:
    """F13: one final state and one event; money that came too late waits for an operator."""
    size = scaled(1000)
    tries = [start(create(api), "BANK_TRANSFER") for _ in range(size)]
    past = clock.now() - timedelta(seconds=1)
    Order.objects.update(expires_at=past, expire_check_at=past)
    barrier = threading.Barrier(3)
    errors: list[object] = []

    def each(act) -> None:
        jitter = seeded(act.__name__)  # else the clock, which has least to do, always wins
        for charge in tries:
            barrier.wait(timeout=60)
            time.sleep(jitter.random() * 0.05)
            try:
                act(charge)
            except Exception as error:
                errors.append(error)
        connections.close_all()

    def expire(charge: Charge) -> None:
        expiry.expire_if_due(order_id=charge.order_id, now=clock.now())

    def pay(charge: Charge) -> None:
        assert callback(charge, ChargeStatus.SUCCEEDED, 50025) == 200

    def fail(charge: Charge) -> None:
        assert callback(charge, ChargeStatus.FAILED) == 200

    threads = [threading.Thread(target=each, args=(act,)) for act in (expire, pay, fail)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    ends = Counter(Order.objects.values_list("status", flat=True))
    late = UnmatchedFunds.objects.count()
    record(
        f"{size} orders ended {dict(ends)}; late money {late}; errors {len(errors)}",
        **{f"orders_{end}": count for end, count in sorted(ends.items())},
        late_payments_in_unmatched_funds=late,
        errors=len(errors),
    )
    assert not errors
    assert set(ends) <= {"COMPLETED", "FAILED", "EXPIRED"}
    assert sum(ends.values()) == size
    assert late == size - ends["COMPLETED"]
    check_invariants([merchant.pk])


def test_fifty_submits_of_one_choice_start_one_charge(api: ApiClient, merchant: Merchant) -> None:
    """A payer who clicks fifty times pays once."""
    results = run_concurrently([partial(start, create(api), "PSE")] * 50)

    assert {charge.pk for charge in results} == {Charge.objects.get().pk}
    check_invariants([merchant.pk])
