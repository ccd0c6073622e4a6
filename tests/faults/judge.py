"""The judge: after an experiment books, orders, payouts, events and providers must agree."""

from collections import Counter
from collections.abc import Iterable
from decimal import Decimal
from typing import Any

from django.db.models import Sum

from payments.collect.models import Charge, Order, OrderTally, UnmatchedFunds
from payments.core import jsontext
from payments.core.models import Transition
from payments.ledger import services as ledger
from payments.ledger.models import Account, Entry, Posting
from payments.payout.api import PayoutDetail
from payments.payout.models import Payout
from payments.providers.simulator import outgoing_books
from webhooks.models import Event

EVENT_OF = {"COMPLETED": "payment.completed", "FAILED": "payment.failed"}
ENDING = {
    "FAILED": {Entry.Kind.PAYOUT_RELEASED},
    "COMPLETED": {Entry.Kind.PAYOUT_COMPLETED},
    "REFUNDED": {Entry.Kind.PAYOUT_RETURNED},
}
# How often money may have left for a payout of this status.
EXECUTIONS = {
    "PENDING": {0},
    "PROCESSING": {0, 1},
    "COMPLETED": {1},
    "FAILED": {0},
    "REFUNDED": {1},
}
Answers = Iterable[dict[str, Any]]


def judge(merchant_ids: list[str], payouts_answered: Answers = ()) -> None:
    """Fails with what does not agree.

    `merchant_ids`: whose balances are compared with orders and payouts. `payouts_answered`: the
    `data` of each 2xx about a payout that a client saw.
    """
    report = ledger.verify()
    assert not report.problems, report.problems  # zero sums, balances equal postings
    assert not Account.objects.filter(balance__lt=0).exists()
    _one_event_per_final_order()
    _one_settlement_per_completed_order()
    _counts_match()
    for merchant_id in merchant_ids:
        _balances_are_what_happened(merchant_id)
    _nothing_received_is_lost()
    _one_end_per_payout()
    _providers_agree()
    for data in payouts_answered:
        _is_in_the_database(data)


def _one_event_per_final_order() -> None:
    events = Counter(Event.objects.values_list("subject_id", "kind"))
    expected = Counter(
        (pk, EVENT_OF[status])
        for pk, status in Order.objects.values_list("pk", "status")
        if status in EVENT_OF
    )
    told = {key: count for key, count in events.items() if key[1] in EVENT_OF.values()}
    assert told == expected


def _one_settlement_per_completed_order() -> None:
    settled = sorted(
        Entry.objects.filter(kind=Entry.Kind.COLLECT_SETTLED).values_list("subject_id", flat=True)
    )
    completed = Order.objects.filter(status="COMPLETED").order_by("pk")
    assert settled == list(completed.values_list("pk", flat=True))


def _counts_match() -> None:
    counted = Counter(Order.objects.values_list("merchant_id", "currency", "status"))
    tallies = OrderTally.objects.values_list("merchant_id", "currency", "status")
    kept = {tuple(row[:3]): row[3] for row in tallies.annotate(Sum("orders")) if row[3]}
    assert kept == counted


def _balances_are_what_happened(merchant_id: str) -> None:
    """Available: what was collected and given, less payouts that did not come back. Held: open."""
    balances = ledger.balances(merchant_id)
    orders = Order.objects.filter(merchant=merchant_id, status="COMPLETED", currency="COP")
    collected = orders.aggregate(total=Sum("base_amount"))["total"] or Decimal(0)
    for currency in {"COPM", "USDT", *balances}:
        found = balances.get(currency, {})
        payouts = Payout.objects.filter(merchant=merchant_id, currency=currency)
        held = _debits(payouts.filter(status__in=("PENDING", "PROCESSING")))
        spent = _debits(payouts.filter(status="COMPLETED"))
        given = Posting.objects.filter(
            account__merchant=merchant_id, currency=currency, kind=Entry.Kind.SANDBOX_CREDITED
        ).aggregate(total=Sum("amount"))["total"] or Decimal(0)
        came = given + (collected if currency == "COPM" else 0)
        assert found.get("held", Decimal(0)) == held, (merchant_id, currency)
        assert found.get("available", Decimal(0)) == came - held - spent, (merchant_id, currency)


def _debits(payouts: Any) -> Decimal:
    return payouts.aggregate(total=Sum("debit"))["total"] or Decimal(0)


def _nothing_received_is_lost() -> None:
    """What the rails handed over is with merchants, with us as fees, or waits for an operator."""
    received = Charge.objects.filter(currency="COP").aggregate(total=Sum("received"))["total"]
    used = Order.objects.filter(status="COMPLETED", currency="COP").aggregate(total=Sum("amount"))
    waiting = UnmatchedFunds.objects.filter(currency="COP").aggregate(total=Sum("amount"))
    pending = Charge.objects.filter(currency="COP", order__status="WAITING_TRANSFER").aggregate(
        total=Sum("credited")
    )
    kept = sum((row["total"] or Decimal(0) for row in (used, waiting, pending)), Decimal(0))
    assert (received or Decimal(0)) == kept


def _one_end_per_payout() -> None:
    """Each payout was held once, and moved on by the entries of its status and no others."""
    kinds = [kind for kind in Entry.Kind if kind.startswith("payout_")]
    entries = Counter(Entry.objects.filter(kind__in=kinds).values_list("subject_id", "kind"))
    expected: Counter[tuple[str, str]] = Counter()
    for payout in Payout.objects.all():
        steps = {Entry.Kind.PAYOUT_RESERVED, *ENDING.get(payout.status, ())}
        if payout.completed_at is not None:
            steps.add(Entry.Kind.PAYOUT_COMPLETED)
        expected.update((payout.pk, step.value) for step in steps)
    assert entries == expected
    into = Transition.objects.filter(subject_type="payout").values_list("subject_id", "to_state")
    assert all(times == 1 for times in Counter(into).values()), "a state was entered twice"


def _providers_agree() -> None:
    """Money left at most once, only under the reference on record, and as the status says."""
    executed = outgoing_books.executions_by_payment()
    for payout in Payout.objects.all():
        times = executed.get(payout.pk, 0)
        assert times in EXECUTIONS[payout.status], (payout.pk, payout.status, times)
    records = [row for row in outgoing_books.everything() if row.payment_id in executed]
    references = dict(Payout.objects.values_list("pk", "provider_reference"))
    for record in records:
        expected = references.get(record.payment_id, record.reference)  # another test's: not ours
        assert record.reference == expected, record.payment_id


def _is_in_the_database(data: dict[str, Any]) -> None:
    """What a client was told stands, but for what time may change: then it was so at some time."""
    payout = Payout.objects.get(pk=data["payoutId"])
    stored = jsontext.loads(jsontext.dumps(PayoutDetail(payout).data).encode())
    for field in ("status", "providerPayoutId", "completedAt"):
        if field == "status" or data[field] is None:
            stored.pop(field)
    assert {name: data[name] for name in stored} == stored
    passed = Transition.objects.filter(subject_id=payout.pk).values_list("to_state", flat=True)
    assert data["status"] in {"PENDING", *passed}
