"""What the text of a QR code says. Texts are empty where the code has no such field."""

from dataclasses import dataclass, field
from decimal import Decimal
from enum import StrEnum

SHORT_CODE = 8


class KeyType(StrEnum):
    """As payouts name them."""

    ID = "ID"
    PHONE = "PHONE"
    EMAIL = "EMAIL"
    ALPHANUMERIC = "ALPHANUMERIC"
    BCODE = "BCODE"


@dataclass(frozen=True, slots=True)
class BrebKey:
    """value  as the code has it: not checked against the forms of keys."""

    type: KeyType
    value: str

    @property
    def whole(self) -> str:
        """Some write merchants' codes without the two zeros before."""
        is_short = self.type == KeyType.BCODE and len(self.value) == SHORT_CODE
        return f"00{self.value}" if is_short else self.value


@dataclass(frozen=True, slots=True, kw_only=True)
class Tip:
    """indicator  01 the payer is asked, 02 a fixed amount is added, 03 a percentage is."""

    indicator: str = ""
    fixed: str = ""
    percentage: str = ""

    @property
    def is_added(self) -> bool:
        """Whether each payer pays more than the amount, without being asked."""
        told = {"02": self.fixed, "03": self.percentage}.get(self.indicator, "")
        return bool(told.replace(".", "").strip("0"))


@dataclass(frozen=True, slots=True, kw_only=True)
class AdditionalData:
    """Field 62.

    purpose  00 purchase, 03 transfer, 05 collection.
    channel  three digits: the medium, the place, who is present.
    """

    invoice: str = ""
    mobile: str = ""
    store: str = ""
    loyalty: str = ""
    reference: str = ""
    customer: str = ""
    terminal: str = ""
    purpose: str = ""
    asked_of_payer: str = ""
    tax_id: str = ""
    channel: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Taxes:
    """Conditions: 01 the wallet reckons, 02 the shop says the value, 03 a percentage."""

    vat_condition: str = ""
    vat: str = ""
    vat_base: str = ""
    consumption_condition: str = ""
    consumption: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class BrebQR:
    """
    is_static       one picture for many payments.
    operator        who rules the fields' names: RBM (Redeban), CRB (Credibanco).
    network         of the acquirer: RBM, CRB, ACH, SVB ...
    amount          None if the payer types it.
    security_hash   the network makes it, with a secret of its own.
    """

    is_static: bool
    name: str
    key: BrebKey | None = None
    operator: str = "RBM"
    network: str = ""
    merchant_code: str = ""
    aggregator_code: str = ""
    category_code: str = ""
    amount: Decimal | None = None
    city: str = ""
    postal_code: str = ""
    tip: Tip = field(default_factory=Tip)
    additional: AdditionalData = field(default_factory=AdditionalData)
    channel: str = ""
    taxes: Taxes = field(default_factory=Taxes)
    transaction_id: str = ""
    security_hash: str = ""
    version: str = "01"
    currency: str = "170"
    country: str = "CO"
