"""What the bank books: every movement of the account with its text, in the order of the bank."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal

from tests.reconciliation.shop import settlements, texts
from tests.reconciliation.shop.bank_calendar import moment
from tests.reconciliation.shop.plan import (
    Channel,
    Disbursement,
    Fate,
    Kind,
    Month,
    Names,
    Naming,
    Other,
    Payout,
    Transfer,
)

GMF = Decimal("0.004")
CENT = Decimal("0.01")
LATE_GMF = "CXC IMPTO GOBIERNO 4X1000"


@dataclass(frozen=True)
class BankLine:
    """One movement.

    subject     key of the order, payout or disbursement that it belongs to, in truth.
    typed       what the payer put into the field for the reference.
    remark      what the payer wrote as free text.
    is_collected  the bank took it as a referenced collection: it is in its Asobancaria files.
    """

    day: date
    at: datetime
    amount: Decimal
    kind: Kind
    text: str
    subject: str = ""
    typed: str = ""
    remark: str = ""
    document: str = ""
    name: str = ""
    code: str = "9999"
    channel: Channel | None = None
    is_collected: bool = False
    # Of the bank: filled in when all lines are in order.
    operation: str = ""
    authorisation: str = ""
    balance: Decimal = Decimal(0)


class Bank:
    """Books day by day, because the service names an order only when it is told of it."""

    def __init__(self, month: Month, names: Names) -> None:
        self.month, self.names = month, names
        self.lines: list[BankLine] = []
        self._chance = random.Random(f"{month.seed} lines")
        self._late_gmf = Decimal(0)
        self._balance = month.opening

    def book(self, day: date) -> list[BankLine]:
        """The lines of a day, after those of the day before, with balances."""
        assert not self.lines or self.lines[-1].day < day
        found = [line for line in self._movements(day) if line.day == day]
        found = [*self._gmf_of_yesterday(day), *sorted(found, key=lambda line: line.at)]
        start = len(self.lines)
        for line in [*found, *self._gmf(day, found)]:
            self._add(line)
        return self.lines[start:]

    def _movements(self, day: date) -> Iterator[BankLine]:
        """Those of the day, and perhaps returns of later days."""
        month, names = self.month, self.names
        for transfer in month.transfers:
            if transfer.booked_on == day:
                yield _credit(transfer, names, self._chance)
        for payout in month.payouts:
            if day in (payout.booked_on, payout.returned_on):
                yield from _payout_lines(payout, names)
        for disbursement in month.disbursements:
            if disbursement.booked_on == day:
                yield _disbursement(disbursement, names)
        yield from (_other(one) for one in month.others if one.at.date() == day)

    def _gmf_of_yesterday(self, day: date) -> Iterator[BankLine]:
        if self._late_gmf:
            at = moment(day, 0.1)
            yield BankLine(day, at, -self._late_gmf, Kind.GMF, LATE_GMF)
        self._late_gmf = Decimal(0)

    def _gmf(self, day: date, lines: list[BankLine]) -> Iterator[BankLine]:
        """0.004 of the day's debits; on two days a day later, as a claim of the bank."""
        debits = -sum((line.amount for line in lines if line.amount < 0), Decimal(0))
        debits += sum((line.amount for line in lines if line.text == LATE_GMF), Decimal(0))
        due = (debits * GMF).quantize(CENT, ROUND_HALF_UP)
        if due and day in (self.month.days[9], self.month.days[20]):
            self._late_gmf = due
        elif due:
            yield BankLine(day, moment(day, 23.9), -due, Kind.GMF, texts.gmf(day))

    def _add(self, line: BankLine) -> None:
        amount = line.amount.quantize(CENT)
        self._balance += amount
        number = 100_003 + 37 * len(self.lines) + self.month.seed
        line = replace(
            line,
            amount=amount,
            operation=f"{number % 1_000_000:06}",
            authorisation=f"{self._chance.randint(0, 999_999):06}",
            balance=self._balance,
        )
        self.lines.append(line)


def booked(month: Month, names: Names) -> list[BankLine]:
    """All lines of the month; two lines never have the same operation."""
    bank = Bank(month, names)
    for day in month.days:
        bank.book(day)
    return bank.lines


def _credit(transfer: Transfer, names: Names, chance: random.Random) -> BankLine:
    amount = transfer.pesos
    if transfer.order and transfer.is_whole:
        amount += names.payables[transfer.order]
    typed, remark = _named(transfer, names, chance)
    return BankLine(
        day=transfer.booked_on,
        at=transfer.at,
        amount=amount,
        kind=Kind.CHARGE if transfer.order else Kind.STRANGER,
        subject=transfer.order or "",
        text=texts.credit(transfer, typed or remark),
        typed=typed,
        remark=remark,
        document=transfer.payer.document,
        name=texts.plain(transfer.payer.name),
        code=texts.CODES[transfer.channel],
        channel=transfer.channel,
        is_collected=typed.strip().isdigit() and transfer.naming is not Naming.DOCUMENT,
    )


def _named(transfer: Transfer, names: Names, chance: random.Random) -> tuple[str, str]:
    """What the payer typed as the reference, and as free text."""
    reference = names.references.get(transfer.order or "", "")
    match transfer.naming:
        case Naming.TYPED:
            return reference, ""
        case Naming.ZEROS:
            return "0" * chance.randint(1, 4) + reference, ""
        case Naming.SPACES:
            return " ".join(reference[at : at + 4] for at in range(0, len(reference), 4)), ""
        case Naming.IN_TEXT:
            return "", chance.choice(texts.REMARKS).format(reference)
        case Naming.WRONG_DIGIT:
            return _mistyped(reference, set(names.references.values()), chance), ""
        case Naming.DOCUMENT:
            return transfer.payer.document, ""
        case _:
            return "", ""


def _mistyped(reference: str, known: set[str], chance: random.Random) -> str:
    """One digit is wrong, or two neighbours are exchanged; the result is no other reference."""
    while True:
        at = chance.randrange(1, len(reference) - 1)
        wrong = reference[:at] + str(chance.randrange(10)) + reference[at + 1 :]
        if chance.random() < 0.4:
            wrong = reference[:at] + reference[at + 1] + reference[at] + reference[at + 2 :]
        if wrong not in known:
            return wrong


def _payout_lines(payout: Payout, names: Names) -> Iterator[BankLine]:
    if payout.fate is Fate.REFUSED:
        return
    code = names.codes[payout.key]
    line = BankLine(
        day=payout.booked_on,
        at=moment(payout.booked_on, 15) + timedelta(seconds=int(payout.key[2:])),
        amount=-Decimal(payout.amount),
        kind=Kind.PAYOUT,
        subject=payout.key,
        text=texts.payout(payout, code),
        typed=code,
        document=payout.to.person.document,
        name=texts.plain(payout.to.person.name),
        code="1100",
    )
    yield line
    if payout.returned_on:
        typed = code if payout.return_names_code else ""
        yield replace(
            line,
            day=payout.returned_on,
            at=moment(payout.returned_on, 11),
            amount=-line.amount,
            kind=Kind.PAYOUT_RETURN,
            text=texts.payout_return(payout, typed),
            typed=typed,
            code="1150",
        )


def _disbursement(one: Disbursement, names: Names) -> BankLine:
    return BankLine(
        day=one.booked_on,
        at=moment(one.booked_on, 6),
        amount=settlements.net(one, names),
        kind=Kind.DISBURSEMENT,
        subject=one.key,
        text=texts.disbursement(one),
        document="901235569",
        name="WOMPI SAS",
        code="2100",
    )


def _other(one: Other) -> BankLine:
    return BankLine(one.at.date(), one.at, one.amount, one.kind, one.text)
