"""The chart of accounts, and the balances of merchants."""

from decimal import Decimal
from typing import NamedTuple

from payments.ledger.models import Account, Cost

Kind = Account.Kind


class AccountRef(NamedTuple):
    """Names an account. The first posting creates its row."""

    kind: Account.Kind
    currency: str
    # A merchant's id; the slug of a provider account or a bank account; a cost.
    owner: str = ""

    @property
    def code(self) -> str:
        """E.g. `available:mer_06d3...:COPM`, `clearing:wompi:COPM`, `fees:COPM`."""
        return ":".join(part for part in (self.kind.value, self.owner, self.currency) if part)

    @property
    def is_merchants(self) -> bool:
        """True for merchants' accounts. Only these store a balance."""
        return self.kind in Account.OF_MERCHANTS


class PostingLine(NamedTuple):
    """An amount above zero increases what we owe the owner of the account."""

    account: AccountRef
    amount: Decimal


def transfer(source: AccountRef, target: AccountRef, amount: Decimal) -> list[PostingLine]:
    """Moves `amount` from `source` to `target`."""
    return [PostingLine(source, -amount), PostingLine(target, amount)]


def available(merchant_id: str, currency: str) -> AccountRef:
    """The amount that the merchant may spend."""
    return AccountRef(Kind.AVAILABLE, currency, merchant_id)


def held(merchant_id: str, currency: str) -> AccountRef:
    """The amount that is reserved for outgoing payments and disputes."""
    return AccountRef(Kind.HELD, currency, merchant_id)


def merchant_accounts(merchant_id: str, currency: str) -> tuple[AccountRef, AccountRef]:
    """(available, held)"""
    return available(merchant_id, currency), held(merchant_id, currency)


def clearing(account: str, currency: str) -> AccountRef:
    """Below zero: the amount that a provider account has for us.

    `account` is its slug, or the code of a rail that has no accounts.
    """
    return AccountRef(Kind.CLEARING, currency, account)


def fees(currency: str) -> AccountRef:
    return AccountRef(Kind.FEES, currency)


def taxes(currency: str) -> AccountRef:
    return AccountRef(Kind.TAXES, currency)


def suspense(currency: str) -> AccountRef:
    """Payers' money that belongs to no merchant yet."""
    return AccountRef(Kind.SUSPENSE, currency)


def undecided(currency: str) -> AccountRef:
    """Movements of our banks whose purpose is not known yet."""
    return AccountRef(Kind.SUSPENSE, currency, "bank")


def bank(slug: str, currency: str) -> AccountRef:
    """Below zero: the amount that is on our bank account."""
    return AccountRef(Kind.BANK, currency, slug)


def transit(provider_account: str, currency: str) -> AccountRef:
    """Below zero: the amount that an acquirer has disbursed and that no bank line shows yet."""
    return AccountRef(Kind.TRANSIT, currency, provider_account)


def costs(cost: Cost, currency: str) -> AccountRef:
    """Below zero: the amount that banks and providers have taken from us."""
    return AccountRef(Kind.COSTS, currency, cost.value)


def equity(currency: str) -> AccountRef:
    """What our banks had at the beginning, and what we put in or took out ourselves."""
    return AccountRef(Kind.EQUITY, currency)


def conversion(currency: str) -> AccountRef:
    """Our own position in a currency. + is an amount that we received, - an amount that we gave."""
    return AccountRef(Kind.CONVERSION, currency)


def losses(currency: str) -> AccountRef:
    """Below zero: the amount that the service has lost."""
    return AccountRef(Kind.LOSSES, currency)


def sandbox(currency: str) -> AccountRef:
    """The source of play money."""
    return AccountRef(Kind.SANDBOX, currency)


def balances(merchant_id: str) -> dict[str, dict[str, Decimal]]:
    """{currency: {"available": ..., "held": ...}} of every currency the merchant has had."""
    rows = Account.objects.filter(merchant=merchant_id).values_list("currency", "kind", "balance")
    found: dict[str, dict[str, Decimal]] = {}
    for currency, kind, balance in rows.order_by("currency"):
        empty = {Kind.AVAILABLE.value: Decimal(0), Kind.HELD.value: Decimal(0)}
        found.setdefault(currency, empty)[kind] = balance or Decimal(0)  # never null: a CHECK
    return found
