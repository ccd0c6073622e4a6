"""What strategies find, and why."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.ledger.services import AccountRef
from payments.payment_files.models import BatchLine
from payments.reconciliation.models import AwaitedTransfer, LineStatus, MatchKind, StatementLine
from payments.reconciliation.services.disbursements.arrivals import Arrival

# {"fact": its name, ...values}: explanations.py makes a sentence of it.
Fact = Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """
    subject_id  as in LineMatch.
    to          where the money belongs in the ledger.
    facts       that agree, and `differs` those that do not.
    is_certain  no person is needed, if it is the only one.
    transfer    of the kind CHARGE.
    arrival     of the kind DISBURSEMENT.
    batch_line  of the kind PAYOUT_LINE.
    """

    kind: MatchKind
    subject_id: str
    to: AccountRef
    facts: tuple[Fact, ...]
    differs: tuple[Fact, ...] = ()
    is_certain: bool = False
    transfer: AwaitedTransfer | None = None
    arrival: Arrival | None = None
    batch_line: BatchLine | None = None

    @property
    def status(self) -> LineStatus:
        is_booked = self.kind in (MatchKind.COST, MatchKind.OTHER)
        return LineStatus.BOOKED if is_booked else LineStatus.MATCHED

    @property
    def key(self) -> str:
        """Names it on a page."""
        return f"{self.kind}:{self.subject_id}"

    @property
    def weight(self) -> int:
        return 2 * len(self.facts) - len(self.differs)


@dataclass(frozen=True, slots=True, kw_only=True)
class Search:
    """A line, and what is the same for all lines of its account.

    payins   slugs of the accounts of `bankfile` that are this bank account.
    payouts  the same of `pabfile`.
    """

    line: StatementLine
    payins: tuple[str, ...]
    payouts: tuple[str, ...]
    now: datetime

    @property
    def amount(self) -> Decimal:
        return self.line.amount


# Returns nothing for a line that is none of its business. It reads only.
Strategy = Callable[[Search], Sequence[Candidate]]


def fact(name: str, **values: object) -> Fact:
    return {"fact": name, **{key: str(value) for key, value in values.items()}}
