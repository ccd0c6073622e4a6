"""After an experiment the books, orders, payments, events and providers must agree."""

from collections import Counter
from collections.abc import Iterable
from datetime import date
from decimal import Decimal
from typing import Any

from django.db.models import Q, Sum

from payments.collect.models import (
    Charge,
    Dispute,
    Order,
    OrderTally,
    PaidTally,
    Refund,
    UnmatchedFunds,
)
from payments.core import days, jsontext, money
from payments.core.models import Transition
from payments.ledger import services as ledger
from payments.ledger.models import Account, Entry, Posting
from payments.ledger.services import day_totals, system_balances
from payments.reconciliation.models import BankAccount, StatementLine
from payments.simulator import store
from payments.simulator.magic import OutgoingProduct
from tests.support.outgoing_products import KINDS, id_of, kind_of
from webhooks.models import Event

EVENT_OF = {"COMPLETED": "payment.completed", "FAILED": "payment.failed"}
ENDING = {"FAILED": {"released"}, "COMPLETED": {"completed"}, "REFUNDED": {"returned"}}
SIMULATOR = "simulator"
# All that leaves a balance over a rail.
OUTGOING = [*((kind.product, kind.model) for kind in KINDS), (OutgoingProduct.REFUND, Refund)]
# How often money may have left for a payment of this status.
EXECUTIONS = {
    "PENDING": {0},
    "PROCESSING": {0, 1},
    "COMPLETED": {1},
    "FAILED": {0},
    "REFUNDED": {1},
}
STEPS = ("reserved", "released", "completed", "returned", "lost")
# What an answer may not know yet.
LATER = {"status", "providerPayoutId", "completedAt", "ticket", "failureReason"}
Answers = Iterable[dict[str, Any]]


def check_invariants(merchant_ids: list[str], answered: Answers = ()) -> None:
    """Fails with what does not agree.

    `merchant_ids`: whose balances are compared with orders and outgoing payments.
    `answered`: the `data` of each 2xx about such a payment that a client saw.
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
    _own_accounts_are_their_postings()
    _banks_are_their_movements()
    for product, model in OUTGOING:
        _one_end_per_payment(product, model)
        _providers_agree(product, model)
    _nothing_is_returned_twice()
    for data in answered:
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
    assert paid_days_kept() == paid_days_counted()


def paid_days_kept() -> dict[tuple[str, date, str], tuple[int, Decimal]]:
    """By merchant, day of payment and currency: orders and their sum, as the tally has them."""
    rows = PaidTally.objects.exclude(orders=0)
    return {(row.merchant_id, row.day, row.currency): (row.orders, row.amount) for row in rows}


def paid_days_counted() -> dict[tuple[str, date, str], tuple[int, Decimal]]:
    """The same, from each order."""
    counted: dict[tuple[str, date, str], tuple[int, Decimal]] = {}
    for order in Order.objects.exclude(paid_at=None):
        key = (order.merchant_id, days.day_of(order.paid_at), order.currency)
        count, total = counted.get(key, (0, Decimal(0)))
        counted[key] = (count + 1, total + order.amount)
    return counted


def _balances_are_what_happened(merchant_id: str) -> None:
    """Available: what was collected and given, less what left and did not come back, and what
    disputes took. Held: what is open.
    """
    balances = ledger.balances(merchant_id)
    orders = Order.objects.filter(merchant=merchant_id, status="COMPLETED", currency="COP")
    collected = orders.aggregate(total=Sum("base_amount"))["total"] or Decimal(0)
    for currency in {"COPM", "USDT", *balances}:
        found = balances.get(currency, {})
        held = _debits(merchant_id, currency, "PENDING", "PROCESSING")
        spent = _debits(merchant_id, currency, "COMPLETED")
        disputes = Dispute.objects.filter(order__merchant=merchant_id, currency=currency)
        for dispute in disputes:
            held += dispute.held if dispute.status == "OPEN" else 0
            if dispute.status == "LOST":
                spent += dispute.claimed - dispute.suspended - dispute.shortfall
        given = Posting.objects.filter(
            account__merchant=merchant_id, currency=currency, kind=Entry.Kind.SANDBOX_CREDITED
        ).aggregate(total=Sum("amount"))["total"] or Decimal(0)
        queued = UnmatchedFunds.objects.filter(order__merchant=merchant_id, status="CREDITED")
        credited = sum(
            (row.amount for row in queued if money.balance_currency(row.currency) == currency),
            Decimal(0),
        )
        came = given + credited + (collected if currency == "COPM" else 0)
        assert found.get("held", Decimal(0)) == held, (merchant_id, currency)
        assert found.get("available", Decimal(0)) == came - held - spent, (merchant_id, currency)


def _debits(merchant_id: str, currency: str, *statuses: str) -> Decimal:
    """Of the payments of all products in one of the statuses."""
    total = Decimal(0)
    for _product, model in OUTGOING:
        rows = model.objects.filter(merchant=merchant_id, currency=currency)
        found = rows.filter(status__in=statuses).aggregate(total=Sum("debit"))
        total += found["total"] or 0
    return total


def _nothing_received_is_lost() -> None:
    """What the rails handed over is with merchants, with us as fees, or waits for an operator."""
    # What an operator applied came by another charge, which is counted.
    charges = Charge.objects.filter(currency="COP", origin=None)
    received = charges.aggregate(total=Sum("received"))["total"]
    # Coins are here as what they were taken for.
    coins = Charge.objects.filter(order__currency="COP", origin=None).exclude(currency="COP")
    taken = coins.aggregate(total=Sum("credited"))["total"]
    used = Order.objects.filter(status="COMPLETED", currency="COP").aggregate(total=Sum("amount"))
    funds = UnmatchedFunds.objects.filter(currency="COP").exclude(status="APPLIED")
    waiting = funds.aggregate(total=Sum("amount"))
    unpaid = ("WAITING_TRANSFER", "PROCESSING")
    parts = Charge.objects.filter(order__currency="COP", order__status__in=unpaid)
    pending = parts.aggregate(total=Sum("credited"))
    kept = sum((row["total"] or Decimal(0) for row in (used, waiting, pending)), Decimal(0))
    assert (received or Decimal(0)) + (taken or Decimal(0)) == kept


def _own_accounts_are_their_postings() -> None:
    """Whatever is in the totals of days already."""
    for _ in range(2):
        ours = Account.objects.filter(merchant=None)
        sums = ours.annotate(posted=Sum("postings__amount")).values_list("pk", "posted")
        posted = {pk: amount or Decimal(0) for pk, amount in sums}
        assert system_balances.balances_of(posted) == posted
        day_totals.add_postings()
    report = ledger.verify()
    assert not report.problems, report.problems


def _banks_are_their_movements() -> None:
    """A bank account has what its statements say, and suspense what is not decided."""
    lines = StatementLine.objects.all()
    for bank in BankAccount.objects.all():
        moved = lines.filter(account=bank).aggregate(total=Sum("amount", default=Decimal(0)))
        openings = Posting.objects.filter(
            account__code=f"bank:{bank.pk}:COPM", kind=Entry.Kind.STATEMENT_OPENED
        ).aggregate(total=Sum("amount", default=Decimal(0)))
        found = system_balances.balance(ledger.bank(bank.pk, "COPM"))
        assert found == openings["total"] - moved["total"], bank.pk
    waiting = lines.exclude(status__in=("MATCHED", "BOOKED"))
    undecided = waiting.aggregate(total=Sum("amount", default=Decimal(0)))["total"]
    assert system_balances.balance(ledger.undecided("COPM")) == undecided


def _one_end_per_payment(product: OutgoingProduct, model: Any) -> None:
    """Each was held once, and moved on by the entries of its status and no others."""
    kinds = [f"{product}_{step}" for step in STEPS]
    entries = Counter(Entry.objects.filter(kind__in=kinds).values_list("subject_id", "kind"))
    expected: Counter[tuple[str, str]] = Counter()
    for payment in model.objects.all():
        steps = {"reserved", *ENDING.get(payment.status, ())}
        if payment.completed_at is not None:
            steps.add("completed")
        expected.update((payment.pk, f"{product}_{step}") for step in steps)
    assert entries == expected
    moves = Transition.objects.filter(subject_type=model._meta.model_name)
    into = moves.values_list("subject_id", "to_state")
    assert all(times == 1 for times in Counter(into).values()), "a state was entered twice"


def _nothing_is_returned_twice() -> None:
    """Of no order more is refunded and contested than was paid, and the merchant knows all."""
    told = Counter(Event.objects.values_list("subject_id", "kind"))
    touched = Order.objects.filter(Q(refunds__isnull=False) | Q(disputes__isnull=False))
    for order in touched.distinct():
        rows = list(order.refunds.all())
        back = sum((row.amount for row in rows if row.status == "COMPLETED"), Decimal(0))
        assert order.refunded_amount == back, order.pk
        each_part_is_taken_once(order)
        for kind, rows_told in (
            ("refund.requested", rows),
            ("refund.approved", [row for row in rows if row.approved_at]),
            ("refund.rejected", [row for row in rows if row.rejected_at]),
            ("refund.completed", [row for row in rows if row.completed_at]),
        ):
            if kind in order.merchant.event_kinds:
                assert told[order.pk, kind] == len(rows_told), (order.pk, kind)


def each_part_is_taken_once(order: Order) -> None:
    """Of what came by each try: no more goes back than came, the merchant answers for all that it
    has of a claim, and a payer who has it from the bank gets no refund of it.
    """
    paid, refunds, claims = paid_by_try(order), _live_refunds(order), _claims(order)
    whole = sum(paid.values(), Decimal(0))
    assert whole == (order.amount if order.status == "COMPLETED" else 0), order.pk
    answered = sum((claim.amount for claim in claims), Decimal(0))
    assert sum((row.amount for row in refunds), answered) <= whole, order.pk
    for root, came in paid.items():
        back = sum((row.amount for row in refunds if root_of(row) == root), Decimal(0))
        theirs = sum((claim.amount for claim in claims if root_of(claim) == root), Decimal(0))
        assert back + theirs <= came, (order.pk, root)
    for claim in claims:
        _answers_for_what_it_has(claim, claims, refunds, paid)
        same = [row for row in refunds if root_of(claim) in (None, root_of(row))]
        later = [row for row in same if row.approved_at and row.approved_at > claim.opened_at]
        if later:
            came = paid.get(root_of(claim), whole)
            gone = sum((row.amount for row in later), claim.claimed - claim.suspended)
            assert gone <= came, (order.pk, claim.pk, "refunded and charged back")


def _answers_for_what_it_has(
    claim: Dispute, claims: list[Dispute], refunds: list[Refund], paid: dict[Any, Decimal]
) -> None:
    """A claim that is not answered for in full meets a payment of which nothing is left."""
    if claim.amount + claim.suspended == claim.claimed:
        return
    paid_at = claim.order.paid_at
    if paid_at is None or claim.opened_at < paid_at:
        return  # it was against money that had not come
    root = root_of(claim)
    near = {root, None} if root else {*paid, None}
    given = sum((row.amount for row in refunds if root_of(row) in near), Decimal(0))
    answered = sum((other.amount for other in claims if root_of(other) in near), Decimal(0))
    lost = Dispute.objects.filter(order=claim.order_id, status="WON")
    borne = sum((won.shortfall for won in lost if root_of(won) in near), Decimal(0))
    came = paid.get(root, Decimal(0)) if root else sum(paid.values(), Decimal(0))
    assert given + answered + borne >= came, (claim.order_id, claim.pk, "the merchant keeps it")


def root_of(row: Refund | Dispute) -> str | None:
    """The try that the rail knows; a dispute that was opened by hand may name none."""
    return (row.charge.origin_id or row.charge.pk) if row.charge else None


def paid_by_try(order: Order) -> dict[Any, Decimal]:
    paid: dict[Any, Decimal] = {}
    if order.status != "COMPLETED":
        return paid
    for charge in order.charges.filter(credited__gt=0):
        excess = charge.unmatched_funds.filter(reason="EXCESS").aggregate(total=Sum("amount"))
        root = charge.origin_id or charge.pk
        paid[root] = paid.get(root, Decimal(0)) + charge.credited - (excess["total"] or 0)
    return paid


def _live_refunds(order: Order) -> list[Refund]:
    rows = order.refunds.exclude(status__in=("FAILED", "REFUNDED"))
    return list(rows.select_related("charge"))


def _claims(order: Order) -> list[Dispute]:
    rows = order.disputes.filter(status__in=("OPEN", "LOST"))
    return list(rows.select_related("charge", "order"))


def _providers_agree(product: OutgoingProduct, model: Any) -> None:
    """Money left at most once, only under the reference on record, and as the status says.

    Of the simulator's payments: experiments with another rail ask its fake.
    """
    executed = store.executions_by_payment()
    references = {}
    for payment in model.objects.filter(provider=SIMULATOR):
        times = executed.get(payment.pk, 0)
        assert times in EXECUTIONS[payment.status], (payment.pk, payment.status, times)
        references[payment.pk] = payment.provider_reference
    for record in store.outgoing.all():
        if record.payment_id in references:  # the others are of other tests
            assert record.product is product
            assert record.reference == references[record.payment_id], record.payment_id


def _is_in_the_database(data: dict[str, Any]) -> None:
    """What a client was told stands, but for what time may change: then it was so at some time."""
    kind = kind_of(data)
    payment = kind.model.objects.get(pk=id_of(data))
    stored = jsontext.loads(jsontext.dumps(kind.detail(payment).data).encode())
    for field in LATER & stored.keys():
        if field == "status" or data[field] is None:
            stored.pop(field)
    assert {name: data[name] for name in stored} == stored
    passed = Transition.objects.filter(subject_id=payment.pk).values_list("to_state", flat=True)
    assert data["status"].upper() in {kind.begins, *passed}
