"""Outgoing payments: a hold at their creation, then a debit or a release.

Beneficiaries and fees are paid in pesos, so a debit in USDT passes our conversion accounts. Each
movement is on the books once for each payment.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.core.products import named
from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import PostingLine, merchant_accounts, transfer


@dataclass(frozen=True, slots=True, kw_only=True)
class Outgoing:
    """product   begins the names of its entries, such as payout_reserved.
    currency  of the balance that pays, COPM or USDT.
    amount    what the rail pays out, and `fee` what we keep: both in `paid_in`.
    debit     what leaves the balance, in `currency`: amount and fee, at the rate fixed at creation.
    rail      the network, for readers of the entry.
    account   the provider account that pays; the code of a rail that has no accounts.
    """

    product: str
    payment_id: str
    merchant_id: str
    currency: str
    amount: Decimal
    fee: Decimal
    debit: Decimal
    rail: str
    account: str
    paid_in: str = money.BALANCE_OF_FIAT


def outgoing_reserved(
    out: Outgoing, *, rate: Decimal | None = None, spread: Decimal | None = None, now: datetime
) -> Entry:
    """The payment was created: the debit moves from available to held. Raises InsufficientBalance.

    `rate` (pesos for one USDT) and `spread` are None for COPM.
    """
    available, held = merchant_accounts(out.merchant_id, out.currency)
    memo = {**_debit_of(out), **_given(rate=rate, spread=spread)}
    return _post("reserved", out, transfer(available, held, out.debit), memo, now)


def outgoing_released(out: Outgoing, *, now: datetime) -> Entry:
    """The payment failed and no money left: the debit moves from held to available."""
    available, held = merchant_accounts(out.merchant_id, out.currency)
    return _post("released", out, transfer(held, available, out.debit), _debit_of(out), now)


def outgoing_completed(out: Outgoing, *, now: datetime) -> Entry:
    """The beneficiary has the money.

    ===================== ========
    held of the merchant   - debit
    clearing:<account>     + amount
    fees                   + fee
    ===================== ========

    From USDT:

    ========================== ==============
    held of the merchant (USDT) - debit
    conversion (USDT)           + debit
    conversion (COPM)           - amount - fee
    clearing:<account> (COPM)   + amount
    fees (COPM)                 + fee
    ========================== ==============
    """
    held = services.held(out.merchant_id, out.currency)
    lines = [PostingLine(held, -out.debit), *_spent(out)]
    return _post("completed", out, lines, {**_way_of(out), **_debit_of(out)}, now)


def outgoing_returned(out: Outgoing, *, from_completed: bool, now: datetime) -> Entry:
    """The money left and came back: the merchant has amount and fee again (docs/gaps.md, Payouts).

    If the payment was not completed, its money is still held, and the lines are those of
    outgoing_released. If it was (`from_completed`), the lines are those of outgoing_completed
    with the opposite signs, but the debit goes to available instead of held.
    """
    available, held = merchant_accounts(out.merchant_id, out.currency)
    lines = transfer(held, available, out.debit)
    if from_completed:
        back = [PostingLine(account, -amount) for account, amount in _spent(out)]
        lines = [*back, PostingLine(available, out.debit)]
    return _post("returned", out, lines, {**_way_of(out), **_debit_of(out)}, now)


def outgoing_lost(out: Outgoing, *, now: datetime) -> Entry:
    """The money left, but the merchant has it again. An operator books it as our loss."""
    losses, clearing = services.losses(out.paid_in), services.clearing(out.account, out.paid_in)
    return _post("lost", out, transfer(losses, clearing, out.amount), _way_of(out), now)


def _spent(out: Outgoing) -> list[PostingLine]:
    """The lines that the debit pays for."""
    lines = [
        PostingLine(services.clearing(out.account, out.paid_in), out.amount),
        PostingLine(services.fees(out.paid_in), out.fee),
    ]
    if out.currency == out.paid_in:
        return lines
    return [
        PostingLine(services.conversion(out.currency), out.debit),
        PostingLine(services.conversion(out.paid_in), -out.amount - out.fee),
        *lines,
    ]


def _way_of(out: Outgoing) -> dict[str, str]:
    return {"rail": out.rail, "account": out.account}


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
        kind=named(out.product).entry_kind(step),
        subject_id=out.payment_id,
        idempotency_key=out.payment_id,
        lines=lines,
        memo=memo,
        now=now,
    )
