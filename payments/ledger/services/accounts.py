"""The chart of accounts: how each account is named, and what merchants' accounts hold."""

from decimal import Decimal
from typing import NamedTuple

from payments.ledger.models import Account

Kind = Account.Kind


class AccountRef(NamedTuple):
    """Names an account. Its row is made when it is first posted to."""

    kind: Account.Kind
    currency: str
    owner: str = ""  # a merchant's id, or a rail

    @property
    def code(self) -> str:
        """E.g. `available:mer_06d3...:COPM`, `clearing:PSE:COPM`, `fees:COPM`."""
        return ":".join(part for part in (self.kind.value, self.owner, self.currency) if part)

    @property
    def is_merchants(self) -> bool:
        """Whether it belongs to a merchant, and so keeps a balance."""
        return self.kind in Account.OF_MERCHANTS


class PostingLine(NamedTuple):
    """An amount above zero increases what we owe the owner of the account."""

    account: AccountRef
    amount: Decimal


def available(merchant_id: str, currency: str) -> AccountRef:
    """What the merchant may spend."""
    return AccountRef(Kind.AVAILABLE, currency, merchant_id)


def held(merchant_id: str, currency: str) -> AccountRef:
    """The merchant's money that is on its way out."""
    return AccountRef(Kind.HELD, currency, merchant_id)


def clearing(rail: str, currency: str) -> AccountRef:
    """Between a rail and us: below zero is what it has received for us."""
    return AccountRef(Kind.CLEARING, currency, rail)


def fees(currency: str) -> AccountRef:
    """What we earned."""
    return AccountRef(Kind.FEES, currency)


def taxes(currency: str) -> AccountRef:
    """The part of our fees that is owed to the State."""
    return AccountRef(Kind.TAXES, currency)


def suspense(currency: str) -> AccountRef:
    """Payers' money that belongs to no merchant yet."""
    return AccountRef(Kind.SUSPENSE, currency)


def conversion(currency: str) -> AccountRef:
    """Our own position between two currencies: + is what we took in, - what we gave for it."""
    return AccountRef(Kind.CONVERSION, currency)


def losses(currency: str) -> AccountRef:
    """What the service bears itself: below zero is what it has cost us."""
    return AccountRef(Kind.LOSSES, currency)


def sandbox(currency: str) -> AccountRef:
    """Where play money comes from."""
    return AccountRef(Kind.SANDBOX, currency)


def balances(merchant_id: str) -> dict[str, dict[str, Decimal]]:
    """{currency: {"available": ..., "held": ...}} of every currency the merchant has had."""
    rows = Account.objects.filter(merchant=merchant_id).values_list("currency", "kind", "balance")
    found: dict[str, dict[str, Decimal]] = {}
    for currency, kind, balance in rows.order_by("currency"):
        empty = {Kind.AVAILABLE.value: Decimal(0), Kind.HELD.value: Decimal(0)}
        found.setdefault(currency, empty)[kind] = balance or Decimal(0)  # never null: a CHECK
    return found
