"""A payment whose rail is gone before it was handed over is not held for ever."""

from datetime import datetime, timedelta
from typing import Any

import pytest
import time_machine

from merchants.models import Merchant
from payments.collect.services.refunds import refund_approvals
from payments.collect.services.refunds.refund_engine import engine as refund_engine
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.ledger import services as ledger
from payments.outgoing import resolutions
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.outgoing_payments import resolve
from tests.support.refunds import asked, paid


@pytest.fixture
def waiting(api: ApiClient) -> Payout:
    """A payout of a provider that is no longer configured."""
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 1_000_000})
    made = api.post("/payout", payout_body(), headers={"Idempotency-Key": "gone"})
    payout = Payout.objects.get(pk=made.body["data"]["payoutId"])
    Payout.objects.filter(pk=payout.pk).update(provider="gone")
    return payout


def scan(which: Any, now: datetime) -> None:
    with time_machine.travel(now):
        which.process_due(now=now)


def test_an_operator_is_called_after_a_day_and_ends_it(api: ApiClient, waiting: Payout) -> None:
    scan(engine, clock.now() + timedelta(hours=23))
    waiting.refresh_from_db()
    assert (waiting.status, waiting.needs_operator) == ("PENDING", False)
    scan(engine, clock.now() + timedelta(hours=25))
    waiting.refresh_from_db()
    assert (waiting.status, waiting.needs_operator) == ("PENDING", True)

    for outcome in ("COMPLETED", "REFUNDED"):
        with pytest.raises(NotAllowed):
            resolve(engine, waiting, outcome)
    resolve(engine, waiting, "FAILED")
    waiting.refresh_from_db()
    assert (waiting.status, waiting.needs_operator) == ("FAILED", False)
    assert api.get("/balance").body["data"][0] == {
        "currency": "COPM",
        "available": 1_000_000,
        "held": 0,
    }
    assert not ledger.verify().problems


def test_an_approval_begins_the_day(api: ApiClient, merchant: Merchant) -> None:
    refund = asked(api, paid(api), amount=20_000)
    later = clock.now() + timedelta(days=3)
    with time_machine.travel(later):
        refund_approvals.approve(refund=refund, actor="ana", reason="seen", now=later)
    type(refund).objects.filter(pk=refund.pk).update(provider="gone")
    scan(refund_engine, later + timedelta(minutes=1))
    refund.refresh_from_db()
    assert (refund.status, refund.needs_operator) == ("PENDING", False)
    scan(refund_engine, later + timedelta(hours=25))
    refund.refresh_from_db()
    assert (refund.status, refund.needs_operator) == ("PENDING", True)


def test_what_waits_for_approval_is_decided_there(api: ApiClient) -> None:
    refund = asked(api, paid(api), amount=20_000)
    assert resolutions.outcomes(refund) == frozenset()
    with pytest.raises(NotAllowed, match="not handed"):
        resolve(refund_engine, refund, "FAILED")


def test_the_merchant_reads_no_words_of_ours(api: ApiClient) -> None:
    order = paid(api)
    refund = asked(api, order, amount=20_000)
    words = "SUSPECT: call the police"
    refund_approvals.reject(refund=refund, actor="ana", reason=words, now=clock.now())
    told = api.get(f"/collect/{order.pk}/refunds/{refund.pk}").body["data"]
    assert (told["status"], told["failureReason"]) == ("FAILED", "DECIDED_BY_OPERATOR")
