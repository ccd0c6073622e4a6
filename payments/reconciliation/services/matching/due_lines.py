"""Decides the lines that are due, each in a transaction of its own, and tells their charges."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial

import structlog
from django.db import transaction

from payments.core import due, states
from payments.core.request_clock import RequestClock
from payments.reconciliation.models import AwaitedTransfer, LineStatus, StatementLine
from payments.reconciliation.services import bank_accounts
from payments.reconciliation.services.matching import booking, reports
from payments.reconciliation.services.matching.strategies import STRATEGIES
from payments.reconciliation.services.matching.values import Candidate, Search

log = structlog.get_logger(__name__)
CLAIM_SIZE = 100
# A line that a process left undecided is looked at again after this time.
RETRY = timedelta(seconds=60)
# So many lines of one transfer may be decided at once.
ATTEMPTS = 5


class TransferTaken(Exception):
    """Another line was matched to the transfer while this one was looked at."""


def match_due(*, now: datetime, limit: int | None = None) -> int:
    """Looks at due lines, those with a reference first. Returns how many."""
    clock = RequestClock(now)
    accounts: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {}

    def process(line: StatementLine) -> None:
        if line.account_id not in accounts:
            accounts[line.account_id] = _rails_of(line)
        decide_line(line_id=line.pk, rails=accounts[line.account_id], now=clock.now())

    return due.process_due(partial(_claim, now), process, batch_size=CLAIM_SIZE, limit=limit)


def decide_line(
    *,
    line_id: int,
    now: datetime,
    rails: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
) -> StatementLine:
    """Looks at one line. What was decided in between stays."""
    for left in reversed(range(ATTEMPTS)):
        try:
            line, transfer = _decide(line_id, rails, now)
            break
        except TransferTaken:
            if not left:
                raise
    if transfer is not None:
        reports.report_transfer(transfer=transfer, now=now)
    return line


def search_for(
    line: StatementLine,
    now: datetime,
    rails: tuple[tuple[str, ...], tuple[str, ...]] | None = None,
) -> Search:
    payins, payouts = rails or _rails_of(line)
    return Search(line=line, payins=payins, payouts=payouts, now=now)


def find_candidates(search: Search) -> list[Candidate]:
    """Those of the first strategy are first. Later ones decide nothing."""
    found: dict[str, Candidate] = {}
    for strategy in STRATEGIES:
        for one in strategy(search):
            found.setdefault(one.key, one)
    return list(found.values())


def choose(search: Search) -> tuple[Candidate | None, bool]:
    """The only certain candidate of the first strategy that finds any, and whether there is any."""
    for strategy in STRATEGIES:
        if found := strategy(search):
            certain = [one for one in found if one.is_certain]
            return (certain[0] if len(certain) == 1 else None), True
    return None, False


@transaction.atomic
def _decide(
    line_id: int, rails: tuple[tuple[str, ...], tuple[str, ...]] | None, now: datetime
) -> tuple[StatementLine, AwaitedTransfer | None]:
    line = StatementLine.objects.select_for_update(of=("self",)).get(pk=line_id)
    if line.status in (LineStatus.MATCHED, LineStatus.BOOKED):
        return line, None
    candidate, has_any = choose(search_for(line, now, rails))
    # A person took the last match back, or the payer is one of several.
    needs_person = line.matches.exists() or line.is_of_unknown_payer
    if candidate is None or needs_person:
        _leave(line, LineStatus.AMBIGUOUS if has_any else LineStatus.UNMATCHED, now)
        return line, None
    if candidate.transfer is not None:
        lock_transfer(candidate.transfer)
    try:
        booking.book(line, candidate, actor="", now=now)
    except booking.NotAllowedByPayment:
        _leave(line, LineStatus.AMBIGUOUS, now)
    return line, candidate.transfer


def lock_transfer(transfer: AwaitedTransfer) -> None:
    """Raises TransferTaken if it has changed since it was read."""
    seen = transfer.received
    transfer.received = (
        AwaitedTransfer.objects.select_for_update()
        .values_list("received", flat=True)
        .get(pk=transfer.pk)
    )
    if transfer.received != seen:
        raise TransferTaken


def _leave(line: StatementLine, status: LineStatus, now: datetime) -> None:
    line.match_at = None
    if line.status == status:
        line.save(update_fields=["match_at"])
    else:
        states.move(line, status, now=now, actor=booking.MATCHER, match_at=None)


def _rails_of(line: StatementLine) -> tuple[tuple[str, ...], tuple[str, ...]]:
    found = bank_accounts.accounts_of(line.account)
    return tuple(found["bankfile"]), tuple(found["pabfile"])


@transaction.atomic
def _claim(now: datetime) -> Sequence[StatementLine]:
    """Lines with a reference first: what they decide leaves fewer charges for the others."""
    rows = StatementLine.objects.filter(match_at__lte=now).order_by("match_at", "-reference", "id")
    claimed = list(rows.select_for_update(skip_locked=True)[:CLAIM_SIZE])
    StatementLine.objects.filter(pk__in=[one.pk for one in claimed]).update(match_at=now + RETRY)
    return claimed
