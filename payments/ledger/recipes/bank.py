"""Our own bank accounts: what their statements say, and what each movement was for.

A statement puts all its movements into `suspense:bank` at once, so that the bank account has the
statement's balance. Each movement leaves `suspense:bank` when its purpose is known.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Cost, Entry
from payments.ledger.services import AccountRef, PostingLine, transfer

NOTHING = Decimal(0)
PESOS = money.BALANCE_OF_FIAT
Kind = Entry.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class BankOpening:
    """account  the slug of the bank account.
    amount   what it had before the first movement that we know. Below zero is an overdraft.
    """

    account: str
    file_id: str
    amount: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadStatement:
    """The sums of those movements of a file that no earlier file had. Both are above zero."""

    account: str
    file_id: str
    credits: Decimal
    debits: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class DecidedLine:
    """amount  of the bank's movement: above zero came in, below zero went out.
    to      what it was for: clearing, transit, a cost, equity, or a merchant's balance.
    parts   what of the amount was for other accounts, with the amount's sign. `to` has the rest.
    """

    match_id: str
    line_id: int
    amount: Decimal
    to: AccountRef
    parts: tuple[PostingLine, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Disbursement:
    """account  the slug of the acquirer's provider account.
    gross    what payers paid, less what the acquirer took back.
    taken    what the acquirer kept of it, by cost. The bank receives gross less all of these.
    """

    disbursement_id: str
    account: str
    gross: Decimal
    taken: Mapping[Cost, Decimal]

    @property
    def net(self) -> Decimal:
        return self.gross - sum(self.taken.values(), NOTHING)


def bank_opened(opening: BankOpening, *, now: datetime) -> Entry | None:
    """A bank account had money before we knew it. Once for each account; None for nothing.

    ============= ========
    bank:<account> - amount
    equity         + amount
    ============= ========
    """
    if not opening.amount:
        return None
    account = services.bank(opening.account, PESOS)
    return services.post(
        kind=Kind.STATEMENT_OPENED,
        subject_id=opening.file_id,
        idempotency_key=opening.account,
        lines=transfer(account, services.equity(PESOS), opening.amount),
        memo={"account": opening.account},
        now=now,
    )


def statement_imported(statement: ReadStatement, *, now: datetime) -> Entry | None:
    """A statement was imported. Once for each file; None if it has no new movement.

    ============= =========
    bank:<account> - credits
    suspense:bank  + credits
    suspense:bank  - debits
    bank:<account> + debits
    ============= =========
    """
    if not (statement.credits or statement.debits):
        return None
    account, undecided = services.bank(statement.account, PESOS), services.undecided(PESOS)
    return services.post(
        kind=Kind.STATEMENT_IMPORTED,
        subject_id=statement.file_id,
        idempotency_key=statement.file_id,
        lines=[
            *transfer(account, undecided, statement.credits),
            *transfer(undecided, account, statement.debits),
        ],
        memo={"account": statement.account},
        now=now,
    )


def bank_line_cleared(decided: DecidedLine, *, now: datetime) -> Entry:
    """A movement of the bank has an explanation. Once for each match.

    Raises InsufficientBalance if the target is a merchant's balance that has less than went out.

    ============= ===============
    suspense:bank  - amount
    to             + amount - parts
    each of parts  + its amount
    ============= ===============
    """
    kind = Kind.BANK_LINE_CREDITED if decided.to.is_merchants else Kind.BANK_LINE_CLEARED
    return _post(kind, decided, _explained(decided), now)


def bank_line_reopened(decided: DecidedLine, *, now: datetime) -> Entry:
    """The explanation was wrong: bank_line_cleared with the opposite signs. Once for each match.

    Raises InsufficientBalance if a merchant has spent the money.
    """
    kind = Kind.BANK_LINE_REVERSED if decided.to.is_merchants else Kind.BANK_LINE_REOPENED
    back = [PostingLine(account, -amount) for account, amount in _explained(decided)]
    return _post(kind, decided, back, now)


def disbursement_declared(disbursement: Disbursement, *, now: datetime) -> Entry:
    """An acquirer says what it pays us. Once for each disbursement.

    When the bank line is there, bank_line_cleared moves the net amount out of transit.

    ================== =======
    clearing:<account>  + gross
    costs:<cost>        - taken
    transit:<account>   - net
    ================== =======
    """
    taken = [
        PostingLine(services.costs(cost, PESOS), -amount)
        for cost, amount in disbursement.taken.items()
    ]
    return services.post(
        kind=Kind.DISBURSEMENT_DECLARED,
        subject_id=disbursement.disbursement_id,
        idempotency_key=disbursement.disbursement_id,
        lines=[
            PostingLine(services.clearing(disbursement.account, PESOS), disbursement.gross),
            *taken,
            PostingLine(services.transit(disbursement.account, PESOS), -disbursement.net),
        ],
        memo={"account": disbursement.account},
        now=now,
    )


def _explained(decided: DecidedLine) -> list[PostingLine]:
    rest = decided.amount - sum((part.amount for part in decided.parts), NOTHING)
    return [
        PostingLine(services.undecided(PESOS), -decided.amount),
        PostingLine(decided.to, rest),
        *decided.parts,
    ]


def _post(kind: Kind, decided: DecidedLine, lines: list[PostingLine], now: datetime) -> Entry:
    return services.post(
        kind=kind,
        subject_id=decided.match_id,
        idempotency_key=decided.match_id,
        lines=lines,
        memo={"line": str(decided.line_id)},
        now=now,
    )
