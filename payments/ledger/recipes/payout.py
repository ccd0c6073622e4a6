"""A payout's money: held when it is asked for, then gone, or given back.

`currency` is that of the balance that pays, COPM or USDT, and `debit` what leaves that balance:
the amount and the fee, in USDT at the rate that was fixed at creation. Beneficiaries and fees are
paid in pesos, so a debit in USDT becomes pesos over our conversion accounts. Each movement is on
the books once for each payout.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import Line

Kind = Entry.Kind
PESOS = money.BALANCE_OF_FIAT


def payout_reserved(
    *,
    merchant_id: str,
    payout_id: str,
    currency: str,
    debit: Decimal,
    rate: Decimal | None,
    spread: Decimal | None,
    now: datetime,
) -> Entry:
    """A payout was asked for: its money can no longer be spent.

    ========================= =======
    available of the merchant  - debit
    held of the merchant       + debit
    ========================= =======

    Raises InsufficientBalance. `rate` (pesos for one USDT) and `spread` are None for COPM.
    """
    return _post(
        Kind.PAYOUT_RESERVED,
        payout_id,
        [
            Line(services.available(merchant_id, currency), -debit),
            Line(services.held(merchant_id, currency), debit),
        ],
        {**_debit_of(currency, debit), **_given(rate=rate, spread=spread)},
        now,
    )


def payout_released(
    *, merchant_id: str, payout_id: str, currency: str, debit: Decimal, now: datetime
) -> Entry:
    """The payout failed, and nothing left: the merchant has its money back.

    ========================= =======
    held of the merchant       - debit
    available of the merchant  + debit
    ========================= =======
    """
    lines = _given_back(merchant_id, currency, debit)
    return _post(Kind.PAYOUT_RELEASED, payout_id, lines, _debit_of(currency, debit), now)


def payout_completed(
    *,
    merchant_id: str,
    payout_id: str,
    currency: str,
    amount: Decimal,
    fee: Decimal,
    debit: Decimal,
    rail: str,
    amount_cop: Decimal,
    fee_cop: Decimal,
    now: datetime,
) -> Entry:
    """The beneficiary has the money.

    ===================== ========
    held of the merchant   - debit
    clearing:<rail>        + amount
    fees                   + fee
    ===================== ========

    From USDT, where `amount_cop` and `fee_cop` are what the rail pays out and we keep:

    ========================== =======================
    held of the merchant (USDT) - debit
    conversion (USDT)           + debit
    conversion (COPM)           - amount_cop - fee_cop
    clearing:<rail> (COPM)      + amount_cop
    fees (COPM)                 + fee_cop
    ========================== =======================
    """
    gone = _gone(rail, currency, debit, (amount, fee), (amount_cop, fee_cop))
    return _post(
        Kind.PAYOUT_COMPLETED,
        payout_id,
        [Line(services.held(merchant_id, currency), -debit), *gone],
        {"rail": rail, **_debit_of(currency, debit)},
        now,
    )


def payout_returned(
    *,
    merchant_id: str,
    payout_id: str,
    currency: str,
    amount: Decimal,
    fee: Decimal,
    debit: Decimal,
    rail: str,
    amount_cop: Decimal,
    fee_cop: Decimal,
    from_completed: bool,
    now: datetime,
) -> Entry:
    """It left and came back: the merchant has amount and fee again (docs/gaps.md, Payouts).

    Before it was completed its money is still held, and the lines are those of payout_released.
    After that (`from_completed`) they are those of payout_completed the other way round:

    ========================= ========
    clearing:<rail>            - amount
    fees                       - fee
    available of the merchant  + debit
    ========================= ========
    """
    lines = _given_back(merchant_id, currency, debit)
    if from_completed:
        gone = _gone(rail, currency, debit, (amount, fee), (amount_cop, fee_cop))
        back = [Line(book, -amount) for book, amount in gone]
        lines = [*back, Line(services.available(merchant_id, currency), debit)]
    memo = {"rail": rail, **_debit_of(currency, debit)}
    return _post(Kind.PAYOUT_RETURNED, payout_id, lines, memo, now)


def _given_back(merchant_id: str, currency: str, debit: Decimal) -> list[Line]:
    """From held to available."""
    return [
        Line(services.held(merchant_id, currency), -debit),
        Line(services.available(merchant_id, currency), debit),
    ]


def _gone(
    rail: str,
    currency: str,
    debit: Decimal,
    of_balance: tuple[Decimal, Decimal],
    in_pesos: tuple[Decimal, Decimal],
) -> list[Line]:
    """Where `debit` went; the pairs are amount and fee."""
    if currency == PESOS:
        amount, fee = of_balance
        exchanged = []
    else:
        amount, fee = in_pesos
        exchanged = [
            Line(services.conversion(currency), debit),
            Line(services.conversion(PESOS), -amount - fee),
        ]
    return [
        *exchanged,
        Line(services.clearing(rail, PESOS), amount),
        Line(services.fees(PESOS), fee),
    ]


def _debit_of(currency: str, debit: Decimal) -> dict[str, str]:
    """In pesos the lines say it all."""
    return {} if currency == PESOS else {"currency": currency, **_given(debit=debit)}


def _given(**amounts: Decimal | None) -> dict[str, str]:
    return {name: money.text(amount) for name, amount in amounts.items() if amount is not None}


def _post(
    kind: Entry.Kind, payout_id: str, lines: list[Line], memo: Mapping[str, str], now: datetime
) -> Entry:
    return services.post(
        kind=kind, subject_id=payout_id, dedupe=payout_id, lines=lines, memo=memo, now=now
    )
