"""What a settlement file of an acquirer says. Amounts are pesos."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

# What an acquirer takes, each a column of DisbursementRow.
DEDUCTIONS = (
    "commission",
    "vat",
    "ica_withheld",
    "vat_withheld",
    "income_tax_withheld",
    "consumption_tax",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedPayment:
    """One payment of a file: net = gross - the deductions, to the cent.

    line            of the file, counted from 1.
    transaction_id  the acquirer's. Empty only if there is a reference.
    reference       ours, as the acquirer got it.
    paid_on         the day of the payment in Bogotá, where the file names it.
    gross           below zero: the acquirer took the payment back.
    deductions      by the names of DEDUCTIONS, without those that the file does not name.
    """

    line: int
    transaction_id: str
    reference: str
    paid_on: date | None
    gross: Decimal
    deductions: Mapping[str, Decimal]
    net: Decimal

    @property
    def key(self) -> tuple[str, bool]:
        """A payment and its reversal are two rows of one transaction."""
        return self.transaction_id or self.reference, self.gross < 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedDisbursement:
    """The payments that arrive at the bank as one sum.

    day     on which the acquirer sends the money, in Bogotá.
    number  the acquirer's id of the disbursement; empty where the file has none.
    """

    day: date
    number: str
    payments: Sequence[ParsedPayment] = field(default_factory=tuple)

    @property
    def gross(self) -> Decimal:
        return sum((payment.gross for payment in self.payments), Decimal(0))

    @property
    def net(self) -> Decimal:
        return sum((payment.net for payment in self.payments), Decimal(0))

    def total(self, deduction: str) -> Decimal:
        found = (payment.deductions.get(deduction, Decimal(0)) for payment in self.payments)
        return sum(found, Decimal(0))
