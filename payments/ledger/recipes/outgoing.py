"""Payouts, top-ups, bill payments, refunds: a hold at their creation, then a debit or a release.

A debit in USDT becomes pesos over our conversion accounts, because beneficiaries and fees are paid
in pesos. Each movement is on the books once for each payment.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import PostingLine

PESOS = money.BALANCE_OF_FIAT


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """product   begins the names of its entries, such as payout_reserved.
    currency  of the balance that pays, COPM or USDT.
    amount    what the rail pays out, and `fee` what we keep: both in `paid_in`.
    debit     what leaves the balance, in `currency`: amount and fee, at the rate fixed at creation.
    rail      names the clearing account.
    """

    product: str
    payment_id: str
    merchant_id: str
    currency: str
    amount: Decimal
    fee: Decimal
    debit: Decimal
    rail: str
    paid_in: str = PESOS


def outgoing_reserved(
    out: Outgoing, *, rate: Decimal | None = None, spread: Decimal | None = None, now: datetime
) -> Entry:
    """It was created: its money can no longer be spent.

    ========================= =======
    available of the merchant  - debit
    held of the merchant       + debit
    ========================= =======

    Raises InsufficientBalance. `rate` (pesos for one USDT) and `spread` are None for COPM.
    """
    lines = [
        PostingLine(services.available(out.merchant_id, out.currency), -out.debit),
        PostingLine(services.held(out.merchant_id, out.currency), out.debit),
    ]
    return _post(
        "reserved", out, lines, {**_debit_of(out), **_given(rate=rate, spread=spread)}, now
    )


def outgoing_released(out: Outgoing, *, now: datetime) -> Entry:
    """It failed, and nothing left: the merchant has its money back.

    ========================= =======
    held of the merchant       - debit
    available of the merchant  + debit
    ========================= =======
    """
    return _post("released", out, _given_back(out), _debit_of(out), now)


def outgoing_completed(out: Outgoing, *, now: datetime) -> Entry:
    """The beneficiary has the money.

    ===================== ========
    held of the merchant   - debit
    clearing:<rail>        + amount
    fees                   + fee
    ===================== ========

    From USDT:

    ========================== ==============
    held of the merchant (USDT) - debit
    conversion (USDT)           + debit
    conversion (COPM)           - amount - fee
    clearing:<rail> (COPM)      + amount
    fees (COPM)                 + fee
    ========================== ==============
    """
    lines = [PostingLine(services.held(out.merchant_id, out.currency), -out.debit), *_gone(out)]
    return _post("completed", out, lines, {"rail": out.rail, **_debit_of(out)}, now)


def outgoing_returned(out: Outgoing, *, from_completed: bool, now: datetime) -> Entry:
    """It left and came back: the merchant has amount and fee again (docs/gaps.md, Payouts).

    Before it was completed its money is still held, and the lines are those of outgoing_released.
    After that (`from_completed`) they are those of outgoing_completed the other way round:

    ========================= ========
    clearing:<rail>            - amount
    fees                       - fee
    available of the merchant  + debit
    ========================= ========
    """
    lines = _given_back(out)
    if from_completed:
        back = [PostingLine(account, -amount) for account, amount in _gone(out)]
        lines = [*back, PostingLine(services.available(out.merchant_id, out.currency), out.debit)]
    return _post("returned", out, lines, {"rail": out.rail, **_debit_of(out)}, now)


def outgoing_lost(out: Outgoing, *, now: datetime) -> Entry:
    """It left although the merchant has its money again: an operator books it as our loss.

    ================ ========
    losses            - amount
    clearing:<rail>   + amount
    ================ ========
    """
    lines = [
        PostingLine(services.losses(out.paid_in), -out.amount),
        PostingLine(services.clearing(out.rail, out.paid_in), out.amount),
    ]
    return _post("lost", out, lines, {"rail": out.rail}, now)


def _given_back(out: Outgoing) -> list[PostingLine]:
    return [
        PostingLine(services.held(out.merchant_id, out.currency), -out.debit),
        PostingLine(services.available(out.merchant_id, out.currency), out.debit),
    ]


def _gone(out: Outgoing) -> list[PostingLine]:
    """Where the debit went."""
    exchanged = []
    if out.currency != out.paid_in:
        exchanged = [
            PostingLine(services.conversion(out.currency), out.debit),
            PostingLine(services.conversion(out.paid_in), -out.amount - out.fee),
        ]
    return [
        *exchanged,
        PostingLine(services.clearing(out.rail, out.paid_in), out.amount),
        PostingLine(services.fees(out.paid_in), out.fee),
    ]


def _debit_of(out: Outgoing) -> dict[str, str]:
    if out.currency == out.paid_in:
        return {}
    return {"currency": out.currency, **_given(debit=out.debit)}


def _given(**amounts: Decimal | None) -> dict[str, str]:
    return {name: money.text(amount) for name, amount in amounts.items() if amount is not None}


def _post(
    step: str, out: Outgoing, lines: list[PostingLine], memo: Mapping[str, str], now: datetime
) -> Entry:
    return services.post(
        kind=Entry.Kind(f"{out.product}_{step}"),
        subject_id=out.payment_id,
        idempotency_key=out.payment_id,
        lines=lines,
        memo=memo,
        now=now,
    )
