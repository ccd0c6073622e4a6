"""What happens in the month: orders, transfers to the account, payouts, sales by card."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from enum import StrEnum

from tests.reconciliation.shop.people import Destination, Person


class Kind(StrEnum):
    """What a movement of the account is, in truth."""

    CHARGE = "charge"
    STRANGER = "stranger"
    PAYOUT = "payout"
    PAYOUT_RETURN = "payout return"
    DISBURSEMENT = "disbursement"
    GMF = "gmf"
    COMMISSION = "commission"
    VAT = "vat"
    WITHHOLDING = "withholding"
    INTEREST = "interest"
    OWN = "own movement"


class Naming(StrEnum):
    """How a payer names the order."""

    TYPED = "typed"
    ZEROS = "with zeros in front"
    SPACES = "with spaces"
    IN_TEXT = "inside a text"
    DOCUMENT = "the document instead"
    WRONG_DIGIT = "with a wrong digit"
    NAME = "only the name of the payer"
    NOTHING = "nothing"


class Channel(StrEnum):
    KEY = "key"
    QR = "qr"
    NEQUI = "nequi"
    BRANCH = "virtual branch"
    ACH = "ach"


class Fate(StrEnum):
    """What the bank does with a payout."""

    PAID = "paid"
    REFUSED = "refused"
    RETURNED = "returned"


@dataclass(frozen=True)
class Order:
    key: str
    at: datetime
    amount: int
    payer: Person
    minutes: int


@dataclass(frozen=True)
class Transfer:
    """Money that a person sends to the account.

    The amount is what the payer of the order has to pay, where `is_whole`, plus `pesos`: the
    service decides the fee, so that the amount is known when the order exists.
    """

    at: datetime
    booked_on: date
    payer: Person
    channel: Channel
    naming: Naming
    order: str | None = None
    is_whole: bool = True
    pesos: Decimal = Decimal(0)
    is_late: bool = False


@dataclass(frozen=True)
class Payout:
    key: str
    at: datetime
    amount: int
    to: Destination
    is_payroll: bool
    fate: Fate
    # The bank books it then; the return comes later.
    booked_on: date
    returned_on: date | None = None
    return_names_code: bool = True


@dataclass(frozen=True)
class Batch:
    """Payouts of one payment file; closed, approved and sent at `at`."""

    key: str
    at: datetime
    payouts: tuple[Payout, ...]


@dataclass(frozen=True)
class Disbursement:
    """Sales by card, which are orders of their own: the acquirer pays them out together."""

    key: str
    day: date
    booked_on: date
    sales: tuple[Order, ...]


@dataclass(frozen=True)
class Other:
    """A movement that is no payment of ours: a cost, interest, an own movement."""

    kind: Kind
    at: datetime
    amount: Decimal
    text: str


@dataclass(frozen=True)
class Month:
    seed: int
    first_day: date
    days: tuple[date, ...]
    missing_day: date
    opening: Decimal
    orders: tuple[Order, ...]
    transfers: tuple[Transfer, ...]
    batches: tuple[Batch, ...]
    disbursements: tuple[Disbursement, ...]
    others: tuple[Other, ...]

    @property
    def payouts(self) -> list[Payout]:
        return [payout for batch in self.batches for payout in batch.payouts]

    @property
    def sales(self) -> list[Order]:
        return [sale for disbursement in self.disbursements for sale in disbursement.sales]


@dataclass
class Names:
    """What only the service knows: it chooses references and codes, and adds its fee."""

    references: Mapping[str, str] = field(default_factory=dict)
    payables: Mapping[str, Decimal] = field(default_factory=dict)
    codes: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def invented(cls, month: Month) -> "Names":
        """For a look at the files without the service: a running number stands for each."""
        return cls(
            {order.key: f"{700_000_000_000 + 7919 * at}" for at, order in enumerate(month.orders)},
            {order.key: payable(order.amount) for order in [*month.orders, *month.sales]},
            {payout.key: f"{41_000_000 + 37 * at}" for at, payout in enumerate(month.payouts)},
        )


def payable(amount: int) -> Decimal:
    """The amount with the fee of 0.05% on top, in whole pesos."""
    return Decimal(amount) + round(Decimal(amount) * 5 / 10_000)
