"""What is known of a bank account on a day, read with a fixed number of queries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from django.db.models import FilteredRelation, Q

from payments.reconciliation.models import BankAccount, StatementLine
from payments.reconciliation.services import bank_accounts
from payments.reconciliation.services.days.values import Record

LINE = "reconciliation.statementline"


class DayLine(NamedTuple):
    """A movement of the day with the match that counts. Without one its fields are empty."""

    pk: int
    amount: Decimal
    status: str
    description: str
    operation_id: str
    file_id: str
    file_line: int
    match_id: str | None
    kind: str | None
    subject_id: str | None

    @property
    def record(self) -> Record:
        return Record(LINE, str(self.pk))

    @property
    def source(self) -> str:
        """As payment files name the movement (matching/payouts.py)."""
        return f"{self.file_id}:{self.file_line}"


@dataclass(frozen=True, slots=True, kw_only=True)
class BankDay:
    """
    payins   slugs of the accounts of `bankfile` that are this bank account.
    payouts  the same of `pabfile`.
    """

    account: BankAccount
    day: date
    today: date
    payins: tuple[str, ...]
    payouts: tuple[str, ...]
    lines: Sequence[DayLine]

    def of_kind(self, *kinds: str) -> list[DayLine]:
        return [line for line in self.lines if line.kind in kinds]


def read_day(account: BankAccount, day: date, today: date) -> BankDay:
    rails = bank_accounts.accounts_of(account)
    return BankDay(
        account=account,
        day=day,
        today=today,
        payins=tuple(rails["bankfile"]),
        payouts=tuple(rails["pabfile"]),
        lines=_read_lines(account, day),
    )


def _read_lines(account: BankAccount, day: date) -> list[DayLine]:
    counts = FilteredRelation("matches", condition=Q(matches__undone_at=None))
    rows = StatementLine.objects.filter(account=account, booked_on=day).annotate(match=counts)
    found = rows.order_by("pk").values_list(
        *("pk", "amount", "status", "description", "operation_id"),
        *("file_id", "file_line"),
        *("match__pk", "match__kind", "match__subject_id"),
    )
    return [DayLine(*row) for row in found]
