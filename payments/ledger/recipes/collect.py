"""Payers' money: what a rail received for an order, for part of one, or for none."""

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

    `rate` is what one of it is worth there; it is kept on the entry. The rail's account gives the
    coins, and our conversion account stands where the rail's would be in the order's currency.
    """

    currency: str
    amount: Decimal
    rate: Decimal


def collect_settled(
    *,
    merchant_id: str,
    order_id: str,
    charge_id: str,
    rail: str,
    currency: str,
    base: Decimal,
    fee: Decimal,
    received_now: Decimal,
    received_before: Decimal = NOTHING,
    excess: Decimal = NOTHING,
    conversion: Conversion | None = None,
    now: datetime,
) -> Entry:
    """An order is paid. Once for each order.

    ========================= ==================
    clearing:<rail>            - received_now
    suspense                   - received_before
    available of the merchant  + base
    fees                       + fee
    suspense                   + excess
    ========================= ==================

    received_now + received_before == base + fee + excess, in the order's currency (COP is kept as
    COPM). With a `conversion`, three lines stand where the first is, and received_now is what the
    coins are worth:

    ========================= ==================
    clearing:<rail> (coin)     - conversion.amount
    conversion (coin)          + conversion.amount
    conversion                 - received_now
    ========================= ==================
    """
    kept_in = money.balance_currency(currency)
    return services.post(
        kind=Kind.COLLECT_SETTLED,
        subject_id=order_id,
        idempotency_key=order_id,
        lines=[
            *_from_rail(rail, kept_in, received_now, conversion),
            PostingLine(services.suspense(kept_in), -received_before),
            PostingLine(services.available(merchant_id, kept_in), base),
            PostingLine(services.fees(kept_in), fee),
            PostingLine(services.suspense(kept_in), excess),
        ],
        memo={"charge": charge_id, "rail": rail, **_rate_of(conversion)},
        now=now,
    )


def deposit_received(
    *,
    merchant_id: str,
    order_id: str,
    charge_id: str,
    rail: str,
    currency: str,
    amount: Decimal,
    idempotency_key: str,
    conversion: Conversion | None = None,
    now: datetime,
) -> Entry:
    """Part of an order's amount arrived: it waits until the order settles or the money goes back.

    =============== ========
    clearing:<rail>  - amount
    suspense         + amount
    =============== ========

    Once for each `idempotency_key`, which names this deposit. With a `conversion`, three lines
    stand where the first is, as in collect_settled.
    """
    kept_in = money.balance_currency(currency)
    return services.post(
        kind=Kind.DEPOSIT_RECEIVED,
        subject_id=order_id,
        idempotency_key=idempotency_key,
        lines=[
            *_from_rail(rail, kept_in, amount, conversion),
            PostingLine(services.suspense(kept_in), amount),
        ],
        memo={
            "merchant": merchant_id,
            "charge": charge_id,
            "rail": rail,
            **_rate_of(conversion),
        },
        now=now,
    )


def unmatched_received(
    *,
    merchant_id: str,
    order_id: str,
    charge_id: str,
    rail: str,
    currency: str,
    amount: Decimal,
    idempotency_key: str,
    now: datetime,
) -> Entry:
    """Money arrived that the order cannot take: after its final state, or a second success.

    =============== ========
    clearing:<rail>  - amount
    suspense         + amount
    =============== ========

    Once for each `idempotency_key`. It stays there until an operator credits, applies or returns
    it.
    """
    kept_in = money.balance_currency(currency)
    return services.post(
        kind=Kind.UNMATCHED_RECEIVED,
        subject_id=order_id,
        idempotency_key=idempotency_key,
        lines=[
            *_from_rail(rail, kept_in, amount, None),
            PostingLine(services.suspense(kept_in), amount),
        ],
        memo={"merchant": merchant_id, "charge": charge_id, "rail": rail},
        now=now,
    )


def _from_rail(
    rail: str, kept_in: str, amount: Decimal, conversion: Conversion | None
) -> list[PostingLine]:
    """Where `amount` in the currency `kept_in` came from."""
    if conversion is None:
        return [PostingLine(services.clearing(rail, kept_in), -amount)]
    coin = money.balance_currency(conversion.currency)
    return [
        PostingLine(services.clearing(rail, coin), -conversion.amount),
        PostingLine(services.conversion(coin), conversion.amount),
        PostingLine(services.conversion(kept_in), -amount),
    ]


def _rate_of(conversion: Conversion | None) -> dict[str, str]:
    if conversion is None:
        return {}
    return {"coin": conversion.currency, "rate": money.text(conversion.rate)}
