"""One day of one account in three columns."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import NamedTuple

from payments.core.business_days import business_days_after
from payments.core.days import ONE_DAY
from payments.reconciliation.models import AccountKind, DayStatus, DifferenceKind, Flow

NOTHING = Decimal(0)
# Money may be on its way between two banks for so many business days.
WINDOW_DAYS = 3
Kind = DifferenceKind


class Columns(NamedTuple):
    """Amounts in pesos. Above zero: into the account."""

    books: Decimal = NOTHING
    provider: Decimal = NOTHING
    bank: Decimal = NOTHING

    def plus(self, other: "Columns") -> "Columns":
        return Columns(*(one + more for one, more in zip(self, other, strict=True)))

    @property
    def are_equal(self) -> bool:
        return self.books == self.provider == self.bank


@dataclass(frozen=True, slots=True)
class Record:
    """A row that a page can link to. `model` is `app.model`."""

    model: str
    pk: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One movement in the three columns. With unequal columns it is a difference.

    key      the same at each look, and no other item of the day has it.
    cause    a name of sentences.CAUSES.
    due_on   the last day on which it may still end by itself.
    is_note  a difference that is in no column, such as one of the tariff.
    """

    flow: Flow
    key: str
    columns: Columns
    has_provider: bool = False
    kind: Kind = Kind.AMOUNT_DIFFERS
    cause: str = ""
    facts: Mapping[str, str] = field(default_factory=dict)
    records: tuple[Record, ...] = ()
    due_on: date | None = None
    is_note: bool = False

    @property
    def is_difference(self) -> bool:
        return self.is_note or not self.columns.are_equal


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """An item that differs, as of a day that may be later than its own."""

    day: date
    flow: Flow
    kind: Kind
    key: str
    columns: Columns
    cause: str
    facts: Mapping[str, str]
    records: tuple[Record, ...]
    due_on: date
    is_overdue: bool
    age_days: int


@dataclass(slots=True)
class FlowSum:
    columns: Columns = field(default_factory=Columns)
    count: int = 0
    # Whether a document of a provider speaks of any of its movements.
    has_provider: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class DayReport:
    """
    opening     at the beginning of the day. None: no statement says it.
    stated      the balance at the end of the day as the bank wrote it; None where it did not.
    is_covered  a statement has all movements of the day.
    """

    account_kind: AccountKind
    account: str
    day: date
    today: date
    opening: Columns | None
    flows: Mapping[Flow, FlowSum]
    differences: Sequence[Difference]
    stated: Decimal | None
    is_covered: bool

    @property
    def closing(self) -> Columns | None:
        if self.opening is None:
            return None
        total = self.opening
        for each in self.flows.values():
            total = total.plus(each.columns)
        return total

    @property
    def count(self) -> int:
        return sum(each.count for each in self.flows.values())

    @property
    def status(self) -> DayStatus:
        if any(one.is_overdue for one in self.differences):
            return DayStatus.RED
        if self.differences:
            return DayStatus.OPEN
        if self.count or self.is_covered:
            return DayStatus.GREEN
        return DayStatus.GREY


def sum_flows(items: Iterable[Item]) -> dict[Flow, FlowSum]:
    found = {flow: FlowSum() for flow in Flow}
    for item in items:
        if item.is_note:
            continue
        each = found[item.flow]
        each.columns = each.columns.plus(item.columns)
        each.count += 1
        each.has_provider |= item.has_provider
    return found


def difference(item: Item, *, day: date, today: date) -> Difference:
    due_on = item.due_on or day
    is_overdue = today > due_on
    kind = item.kind
    if kind == Kind.MISSING_THERE and is_overdue:
        kind = Kind.LATE
    return Difference(
        day=day,
        flow=item.flow,
        kind=kind,
        key=item.key,
        columns=item.columns,
        cause=item.cause,
        facts=item.facts,
        records=item.records,
        due_on=due_on,
        is_overdue=is_overdue,
        age_days=(today - day).days,
    )


def at_once(day: date) -> date:
    """The due day of a difference that never ends by itself: it is overdue at the first look."""
    return day - ONE_DAY


def within_window(day: date) -> date:
    return business_days_after(day, WINDOW_DAYS)
