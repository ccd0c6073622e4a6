"""The judge: after an experiment the books, the orders and the events must agree."""

from collections import Counter
from decimal import Decimal

from django.db.models import Sum

from payments.collect.models import Charge, Order, OrderTally, UnmatchedFunds
from payments.ledger import services as ledger
from payments.ledger.models import Account, Entry
from webhooks.models import Event

EVENT_OF = {"COMPLETED": "payment.completed", "FAILED": "payment.failed"}


def judge(merchant_ids: list[str]) -> None:
    """Fails with what does not agree. `merchant_ids`: whose balances are compared with orders."""
    report = ledger.verify()
    assert not report.problems, report.problems  # zero sums, balances equal postings
    assert not Account.objects.filter(balance__lt=0).exists()
    _one_event_per_final_order()
    _one_settlement_per_completed_order()
    _counts_match()
    for merchant_id in merchant_ids:
        _balance_is_what_was_collected(merchant_id)
    _nothing_received_is_lost()


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


def _balance_is_what_was_collected(merchant_id: str) -> None:
    orders = Order.objects.filter(merchant=merchant_id, status="COMPLETED", currency="COP")
    collected = orders.aggregate(total=Sum("base_amount"))["total"] or Decimal(0)
    balances = ledger.balances(merchant_id)
    assert balances.get("COPM", {}).get("available", Decimal(0)) == collected


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
