"""Movements of the bank that no one has explained, and movements that no statement has."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import timedelta

from payments.core import money
from payments.core.business_days import business_days_after
from payments.core.days import ONE_DAY
from payments.payment_files.models import FindingKind, LineFinding
from payments.reconciliation.models import (
    Disbursement,
    Flow,
    LineStatus,
    StatementFile,
    StatementGap,
    StatementLine,
)
from payments.reconciliation.services.days.bank_lines import BankDay, DayLine
from payments.reconciliation.services.days.values import (
    NOTHING,
    Columns,
    Item,
    Kind,
    Record,
    at_once,
)

# An acquirer that pays twice does it within days.
LATELY = timedelta(days=10)
WAITING = (LineStatus.NEW, LineStatus.AMBIGUOUS, LineStatus.UNMATCHED)
CAUSES = {
    LineStatus.NEW: "not_looked_at",
    LineStatus.AMBIGUOUS: "several_candidates",
    LineStatus.UNMATCHED: "no_candidate",
}
FINDINGS = {
    FindingKind.SECOND_DEBIT: Kind.DUPLICATED,
    FindingKind.SECOND_RETURN: Kind.DUPLICATED,
    FindingKind.OTHER_AMOUNT: Kind.AMOUNT_DIFFERS,
}


def items(day: BankDay) -> Iterator[Item]:
    waiting = [line for line in day.lines if line.status in WAITING]
    doubles = _repeated(day, waiting) | _second_disbursements(day, waiting)
    findings = {one.source: one for one in _findings(day)}
    for line in waiting:
        if (finding := findings.pop(line.source, None)) is not None:
            yield _of_finding(day, finding, line)
        else:
            yield _item(day, line, is_double=line.pk in doubles)
    for finding in findings.values():
        yield _of_finding(day, finding, None)
    yield from _gaps(day)


def _item(day: BankDay, line: DayLine, *, is_double: bool) -> Item:
    return Item(
        flow=Flow.UNDECIDED,
        key=f"line:{line.pk}",
        columns=Columns(bank=line.amount),
        kind=Kind.DUPLICATED if is_double else Kind.MISSING_HERE,
        cause="perhaps_twice" if is_double else CAUSES[LineStatus(line.status)],
        facts={"amount": money.text(line.amount), "text": line.description},
        records=(line.record,),
        # An operator has the next business day for it.
        due_on=business_days_after(day.day, 1),
    )


def _repeated(day: BankDay, waiting: list[DayLine]) -> set[int]:
    """The bank's number of the operation and the amount are those of another movement."""
    numbered = {line.operation_id for line in waiting if line.operation_id}
    if not numbered:
        return set()
    rows = StatementLine.objects.filter(account=day.account, operation_id__in=numbered)
    counts = Counter(rows.values_list("operation_id", "amount"))
    return {line.pk for line in waiting if counts[line.operation_id, line.amount] > 1}


def _second_disbursements(day: BankDay, waiting: list[DayLine]) -> set[int]:
    """The amount is the net of a disbursement that arrived lately."""
    amounts = {line.amount for line in waiting if line.amount > 0}
    if not amounts:
        return set()
    lately = (day.day - LATELY, day.day)
    arrived = Disbursement.objects.filter(net__in=amounts, arrived_on__range=lately)
    known = set(arrived.values_list("net", flat=True))
    return {line.pk for line in waiting if line.amount in known}


def _findings(day: BankDay) -> Iterable[LineFinding]:
    """What the lines of payment files do not allow."""
    if not day.payouts:
        return ()
    rows = LineFinding.objects.filter(
        line__account__in=day.payouts, booked_on=day.day, closed_at=None
    )
    return rows.select_related("line").order_by("pk")


def _of_finding(day: BankDay, finding: LineFinding, line: DayLine | None) -> Item:
    """A movement that was decided otherwise leaves only a note."""
    own = Record("payment_files.batchline", finding.line_id)
    return Item(
        flow=Flow.UNDECIDED,
        key=f"finding:{finding.pk}",
        columns=Columns(bank=line.amount) if line else Columns(),
        kind=FINDINGS.get(FindingKind(finding.kind), Kind.MISSING_HERE),
        cause=f"finding_{finding.kind.lower()}",
        facts={"code": finding.line.code, "amount": money.text(finding.amount)},
        records=(own, line.record) if line else (own,),
        due_on=at_once(day.day),
        is_note=line is None,
    )


def _is_closed(gap: StatementGap) -> bool:
    """Whether later files have all of its days: without balances that is all that can be known."""
    files = StatementFile.objects.filter(account=gap.account, is_complete=True)
    known = gap.first_day
    for first, last in files.order_by("first_day").values_list("first_day", "last_day"):
        if first <= known + ONE_DAY:
            known = max(known, last)
    return known >= gap.last_day


def _gaps(day: BankDay) -> Iterator[Item]:
    """Movements that an operator accepted as missing, at the last day that may have them."""
    for gap in StatementGap.objects.filter(account=day.account, last_day=day.day):
        missing = None if gap.amount is None else gap.amount - gap.explained
        if missing == NOTHING or (missing is None and _is_closed(gap)):
            continue
        yield Item(
            flow=Flow.UNDECIDED,
            key=f"gap:{gap.pk}",
            columns=Columns(bank=missing or NOTHING),
            kind=Kind.MISSING_HERE,
            cause="gap",
            facts={
                "first": gap.first_day.isoformat(),
                "last": gap.last_day.isoformat(),
                "amount": "?" if missing is None else money.text(missing),
            },
            records=(Record("reconciliation.statementfile", gap.file_id),),
            due_on=business_days_after(day.day, 1),
            is_note=missing is None,
        )
