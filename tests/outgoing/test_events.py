"""Webhooks about payouts, top-ups and bill payments, where the account has enabled them."""

import json
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from payments.outgoing.models import OutgoingPayment
from payments.providers.ports import OutgoingReason
from tests.support import outgoing_requests
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.outgoing_payments import resolve, say
from tests.support.outgoing_products import KINDS, MOST, Kind, id_of
from webhooks.models import Delivery, Event

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.product),
]
STATUSES = ("processing", "completed", "failed", "refunded")


@pytest.fixture
def kinds(merchant: Merchant, kind: Kind, settings: Any) -> list[str]:
    outgoing_requests.quiet(settings)
    fund(merchant, MOST * 2)
    merchant.event_kinds = [f"{kind.product}.{status}" for status in STATUSES]
    merchant.save()
    return merchant.event_kinds


def begin(api: ApiClient, kind: Kind) -> OutgoingPayment:
    """At the rail, which does not tell what becomes of it."""
    data = outgoing_requests.ask(api, "pending", kind=kind)
    kind.engine.process_due(now=clock.now())
    payment = kind.model.objects.get(pk=id_of(data))
    assert payment.status == "PROCESSING"
    return payment


def told() -> list[tuple[str, dict[str, Any]]]:
    bodies = [json.loads(bytes(event.body)) for event in Event.objects.order_by("id")]
    assert Delivery.objects.count() == len(bodies)
    return [(body["event"], body["data"]) for body in bodies]


def test_each_status_is_told_once(api: ApiClient, kind: Kind, kinds: list[str]) -> None:
    payment = begin(api, kind)
    for state in ("COMPLETED", "COMPLETED", "RETURNED", "RETURNED"):
        say(kind.engine, payment, state, reason=OutgoingReason.ACCOUNT_CLOSED)
    processing, completed, failed, refunded = kinds
    assert [event for event, _data in told()] == [processing, completed, refunded]
    say(kind.engine, begin(api, kind), "FAILED", reason=OutgoingReason.REFUSED_BY_BANK)
    assert [event for event, _data in told()[3:]] == [processing, failed]


def test_event_shows_the_payment_as_it_is_then(
    api: ApiClient, kind: Kind, kinds: list[str]
) -> None:
    payment = begin(api, kind)
    say(kind.engine, payment, "COMPLETED")
    say(kind.engine, payment, "RETURNED", reason=OutgoingReason.ACCOUNT_CLOSED)
    (_, at_first), (_, done), (_, back) = told()
    assert {row["id"] for row in (at_first, done, back)} == {payment.pk}
    reasons = [row["failureReason"] for row in (at_first, done, back)]
    assert reasons == [None, None, "ACCOUNT_CLOSED"]
    times = [row["completedAt"] for row in (at_first, done, back)]
    assert times == [None, *[clock.iso(payment.completed_at)] * 2]
    statuses = [row["status"].lower() for row in (at_first, done, back)]
    assert statuses == ["processing", "completed", "refunded"]


def test_event_says_nothing_of_an_operators_reason(
    api: ApiClient, kind: Kind, kinds: list[str], settings: Any
) -> None:
    payment = begin(api, kind)
    kind.model.objects.update(last_sent_at=None)
    resolve(kind.engine, payment, "FAILED", reason="Juan called us")
    _, data = told()[-1]
    assert data["failureReason"] == "DECIDED_BY_OPERATOR"
    assert "Juan called us" not in json.dumps(data)


def test_event_masks_the_beneficiary(api: ApiClient, kind: Kind, kinds: list[str]) -> None:
    payment = begin(api, kind)
    _, data = told()[0]
    secrets = {
        "payout": ("recipient_name", "recipient_doc_number", "account_number"),
        "topup": ("phone",),
        "bill": ("bill_reference",),
    }
    for name in secrets[kind.product]:
        assert getattr(payment, name) not in json.dumps(data, ensure_ascii=False)


def test_other_accounts_are_told_nothing(
    api: ApiClient, merchant: Merchant, kind: Kind, kinds: list[str]
) -> None:
    merchant.event_kinds = ["settlement.closed"]
    merchant.save()
    say(kind.engine, begin(api, kind), "COMPLETED")
    assert told() == []


def test_rolled_back_change_tells_nothing(
    api: ApiClient, kind: Kind, kinds: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    payment = begin(api, kind)

    def breaks(*_: Any, **__: Any) -> None:
        raise RuntimeError("the books are away")

    with monkeypatch.context() as patched:
        patched.setattr("payments.ledger.recipes.outgoing_completed", breaks)
        with pytest.raises(RuntimeError):
            say(kind.engine, payment, "COMPLETED")
    payment.refresh_from_db()
    assert payment.status == "PROCESSING"
    assert [event for event, _data in told()] == kinds[:1]
