"""Compares the log of one merchant's clients with the tables, and checks the invariants.

The log: {"merchantId", "orders": {key: data}, "payouts": {key: data}, "ends": {id: status},
"moved": [ids whose deadline the experiment moved]}; where there was such traffic "topups", "bills"
and "refunds" as the orders; "heard": [ids of the events that reached the merchant], where it has a
receiver.
"""

from collections.abc import Iterator
from decimal import Decimal
from typing import Any

Json = dict[str, Any]
# What time may change, even after it was reported.
MOVING = {"status", "providerPayoutId", "completedAt", "ticket", "failureReason", "approvedAt"}
SHELVES = ("orders", "payouts", "topups", "bills", "refunds")
JUDGED = ("payouts", "topups", "bills")


def compare(log: Json) -> Json:
    """What does not agree, by kind. Raises AssertionError with the invariant that is broken."""
    from tests.support.invariants import check_invariants

    found = {
        "lost": list(_lost(log)),
        "doubled": _doubled(log),
        "wrongEnds": list(_wrong_ends(log)),
        "moneyUnheard": list(_money_unheard()),
        "eventsUnheard": list(_events_unheard(log)),
    }
    answers = [data for shelf in JUDGED for data in log.get(shelf, {}).values()]
    check_invariants([log["merchantId"]], [] if found["lost"] else answers)
    return {**found, "counts": _counts(log["merchantId"])}


def simple(text: bytes) -> Json:
    """As the API's clients read it: numbers with a point stay decimal."""
    from payments.core import jsontext

    parsed: Json = jsontext.loads(text)
    return parsed


def _models() -> dict[str, tuple[Any, Any]]:
    """By shelf of the log: the table, and the serializer of its answers."""
    from payments.bills.api import BillPaymentDetail
    from payments.bills.models import BillPayment
    from payments.collect.api.orders import OrderCreated
    from payments.collect.api.refunds import RefundDetail
    from payments.collect.models import Order, Refund
    from payments.payout.api import PayoutDetail
    from payments.payout.models import Payout
    from payments.topup.api import TopupDetail
    from payments.topup.models import TopUp

    return {
        "orders": (Order, OrderCreated),
        "payouts": (Payout, PayoutDetail),
        "topups": (TopUp, TopupDetail),
        "bills": (BillPayment, BillPaymentDetail),
        "refunds": (Refund, RefundDetail),
    }


def _lost(log: Json) -> Iterator[str]:
    """The keys of what was acknowledged and is not on the table with the same values."""
    for shelf, (model, serializer) in _models().items():
        rows = {row.idempotency_key: row for row in _of(model, log["merchantId"])}
        for key, told in log.get(shelf, {}).items():
            moved = (
                {"expiresAt"}
                if told["id" if "id" in told else "payoutId"] in log["moved"]
                else set()
            )
            if not _stands(told, rows.get(key), serializer, MOVING | moved):
                yield key


def _stands(told: Json, row: Any, serializer: Any, ignored: set[str]) -> bool:
    from payments.core import jsontext

    if row is None:
        return False
    stored = simple(jsontext.dumps(serializer(row).data).encode())
    return all(told.get(name) == stored[name] for name in stored if name not in ignored)


def _doubled(log: Json) -> int:
    """Rows beyond one for each key that a client used."""
    rows = sum(_of(model, log["merchantId"]).count() for model, _ in _models().values())
    return rows - sum(len(log.get(shelf, {})) for shelf in SHELVES)


def _wrong_ends(log: Json) -> Iterator[str]:
    from payments.payout.models import Payout

    ends = dict(Payout.objects.values_list("pk", "status"))
    for payout_id, expected in log["ends"].items():
        if ends.get(payout_id) != expected:
            yield f"{payout_id} {ends.get(payout_id)}"


def _money_unheard() -> Iterator[str]:
    """Charges for which the rail has more or less money than we know of."""
    from payments.collect.models import Charge
    from payments.simulator import store

    known = dict(Charge.objects.values_list("pk", "received"))
    with store.connect() as connection:
        rows = connection.execute("SELECT reference, received FROM charges").fetchall()
    for reference, received in rows:
        if known.get(reference) != Decimal(received):
            yield f"{reference} {received} {known.get(reference)}"


def _events_unheard(log: Json) -> Iterator[str]:
    """Events that never reached the merchant's receiver."""
    from webhooks.models import Event

    if "heard" in log:
        published = _of(Event, log["merchantId"]).values_list("pk", flat=True)
        yield from set(published) - set(log["heard"])


def _of(model: Any, merchant_id: str) -> Any:
    return model.objects.filter(merchant=merchant_id)


def _counts(merchant_id: str) -> Json:
    """How many rows the merchant has, by what they are and how they ended."""
    from django.db.models import Count

    from webhooks.models import Event

    found: Json = {}
    for shelf, (model, _) in _models().items():
        rows = _of(model, merchant_id)
        ends = rows.values_list("status").annotate(Count("pk")).order_by("status")
        found[shelf] = dict(ends)
    return {**found, "events": _of(Event, merchant_id).count()}
