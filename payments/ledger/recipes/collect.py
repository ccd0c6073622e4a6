"""Payers' money that a rail received: for an order, for a part of an order, or for none."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import PostingLine

NOTHING = Decimal(0)
Kind = Entry.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversion:
    """The rail received `amount` of `currency`, which we exchange for the order's currency.

    The entry stores `rate`, the price of one coin in the order's currency.
    """

    currency: str
    amount: Decimal
    rate: Decimal


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledOrder:
    """A paid order, in its currency (COP is kept as COPM).

    rail     how the payer paid, for readers of the entry.
    account  the provider account that has the money; the code of a rail that has no accounts.

    received_now + received_before == base + fee + excess. With a `conversion`, received_now is
    what the coins are worth.
    """

    merchant_id: str
    order_id: str
    charge_id: str
    rail: str
    account: str
    currency: str
    base: Decimal
    fee: Decimal
    received_now: Decimal
    received_before: Decimal = NOTHING
    excess: Decimal = NOTHING
    conversion: Conversion | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ReceivedFunds:
    """Money that a rail received and that goes to suspense, in the order's currency.

    `rail` and `account` as in SettledOrder. Once for each `idempotency_key`. With a `conversion`,
    `amount` is what the coins are worth.
    """

    merchant_id: str
    order_id: str
    charge_id: str
    rail: str
    account: str
    currency: str
    amount: Decimal
    idempotency_key: str
    conversion: Conversion | None = None


def collect_settled(settled: SettledOrder, *, now: datetime) -> Entry:
    """An order is paid. Once for each order.

    ========================= ==================
    clearing:<account>         - received_now
    suspense                   - received_before
    available of the merchant  + base
    fees                       + fee
    suspense                   + excess
    ========================= ==================

    With a `conversion`, three lines stand where the first is:

    ========================= ==================
    clearing:<account> (coin)  - conversion.amount
    conversion (coin)          + conversion.amount
    conversion                 - received_now
    ========================= ==================
    """
    kept_in = money.balance_currency(settled.currency)
    return services.post(
        kind=Kind.COLLECT_SETTLED,
        subject_id=settled.order_id,
        idempotency_key=settled.order_id,
        lines=[
            *_from_account(settled.account, kept_in, settled.received_now, settled.conversion),
            PostingLine(services.suspense(kept_in), -settled.received_before),
            PostingLine(services.available(settled.merchant_id, kept_in), settled.base),
            PostingLine(services.fees(kept_in), settled.fee),
            PostingLine(services.suspense(kept_in), settled.excess),
        ],
        memo={
            "charge": settled.charge_id,
            "rail": settled.rail,
            "account": settled.account,
            **_rate_of(settled.conversion),
        },
        now=now,
    )


def deposit_received(funds: ReceivedFunds, *, now: datetime) -> Entry:
    """A part of an order's amount arrived.

    It waits in suspense until the order is settled or the money is returned.
    """
    return _to_suspense(Kind.DEPOSIT_RECEIVED, funds, now)


def unmatched_received(funds: ReceivedFunds, *, now: datetime) -> Entry:
    """Money arrived that the order cannot take: after its final state, or from a second success.

    It stays in suspense until an operator credits, applies or returns it.
    """
    return _to_suspense(Kind.UNMATCHED_RECEIVED, funds, now)


def _to_suspense(kind: Kind, funds: ReceivedFunds, now: datetime) -> Entry:
    kept_in = money.balance_currency(funds.currency)
    return services.post(
        kind=kind,
        subject_id=funds.order_id,
        idempotency_key=funds.idempotency_key,
        lines=[
            *_from_account(funds.account, kept_in, funds.amount, funds.conversion),
            PostingLine(services.suspense(kept_in), funds.amount),
        ],
        memo={
            "merchant": funds.merchant_id,
            "charge": funds.charge_id,
            "rail": funds.rail,
            "account": funds.account,
            **_rate_of(funds.conversion),
        },
        now=now,
    )


def _from_account(
    account: str, kept_in: str, amount: Decimal, conversion: Conversion | None
) -> list[PostingLine]:
    """The source of `amount` in the currency `kept_in`: see collect_settled."""
    if conversion is None:
        return [PostingLine(services.clearing(account, kept_in), -amount)]
    coin = money.balance_currency(conversion.currency)
    return [
        PostingLine(services.clearing(account, coin), -conversion.amount),
        PostingLine(services.conversion(coin), conversion.amount),
        PostingLine(services.conversion(kept_in), -amount),
    ]


def _rate_of(conversion: Conversion | None) -> dict[str, str]:
    if conversion is None:
        return {}
    return {"coin": conversion.currency, "rate": money.text(conversion.rate)}
