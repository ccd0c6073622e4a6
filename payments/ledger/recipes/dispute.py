"""Disputed payments: the amount is held, then released, or taken by the payer's bank.

A balance never falls below zero: the service bears what the merchant's does not cover. Each
movement is on the books once for each dispute, or for each `step` of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import PostingLine

NOTHING = Decimal(0)
Kind = Entry.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """currency  of the balance that the payment was credited to.
    rail      of the payment: the money leaves by its clearing account.
    """

    dispute_id: str
    order_id: str
    merchant_id: str
    currency: str
    rail: str


def dispute_opened(
    disputed: Disputed, *, amount: Decimal, step: str = "", now: datetime
) -> Decimal:
    """Holds of the disputed `amount` what is available, and returns it. May be zero.

    `step` distinguishes a later hold for the same dispute from the first.

    ========================= ======
    available of the merchant  - held
    held of the merchant       + held
    ========================= ======
    """

    def hold(held: Decimal) -> Entry:
        lines = [
            PostingLine(services.available(disputed.merchant_id, disputed.currency), -held),
            PostingLine(services.held(disputed.merchant_id, disputed.currency), held),
        ]
        return _post(Kind.DISPUTE_OPENED, disputed, lines, now, step)

    return amount if amount == NOTHING else _post_available(disputed, amount, hold)


def dispute_won(disputed: Disputed, *, held: Decimal, now: datetime) -> None:
    """The payment stands: the hold is released.

    ========================= ======
    held of the merchant       - held
    available of the merchant  + held
    ========================= ======
    """
    if held == NOTHING:
        return
    lines = [
        PostingLine(services.held(disputed.merchant_id, disputed.currency), -held),
        PostingLine(services.available(disputed.merchant_id, disputed.currency), held),
    ]
    _post(Kind.DISPUTE_WON, disputed, lines, now)


def dispute_lost(
    disputed: Disputed, *, claimed: Decimal, amount: Decimal, held: Decimal, now: datetime
) -> Decimal:
    """The payer's bank takes the `claimed` amount. Returns what the service bears of it.

    `amount` is the merchant's part, of which `held` is held. `more` is the available rest of it;
    below zero it goes back, because more is held than was taken.

    ========================= =======================
    held of the merchant       - held
    available of the merchant  - more
    losses                     - claimed + held + more
    clearing:<rail>            + claimed
    ========================= =======================
    """

    def lines(more: Decimal) -> list[PostingLine]:
        return [
            PostingLine(services.held(disputed.merchant_id, disputed.currency), -held),
            PostingLine(services.available(disputed.merchant_id, disputed.currency), -more),
            PostingLine(services.losses(disputed.currency), held + more - claimed),
            PostingLine(services.clearing(disputed.rail, disputed.currency), claimed),
        ]

    if claimed == held == NOTHING:
        return NOTHING
    more = amount - held
    try:
        _post(Kind.DISPUTE_LOST, disputed, lines(more), now)
    except services.InsufficientBalance:
        more = _available(disputed)
        _post(Kind.DISPUTE_LOST, disputed, lines(more), now)
    return claimed - held - more


def dispute_recovered(disputed: Disputed, *, amount: Decimal, step: str, now: datetime) -> Decimal:
    """A refund failed or came back after a lost dispute had made it our loss: the merchant owes the
    `amount`. Returns what was available of it. May be zero.

    ========================= ======
    available of the merchant  - taken
    losses                     + taken
    ========================= ======
    """

    def take(taken: Decimal) -> Entry:
        lines = [
            PostingLine(services.available(disputed.merchant_id, disputed.currency), -taken),
            PostingLine(services.losses(disputed.currency), taken),
        ]
        return _post(Kind.DISPUTE_LOST, disputed, lines, now, step)

    return _post_available(disputed, amount, take)


def dispute_written_off(disputed: Disputed, *, amount: Decimal, now: datetime) -> None:
    """The bank took the money of a won dispute: an operator books it as our loss.

    ================ ========
    losses            - amount
    clearing:<rail>   + amount
    ================ ========

    Raises AlreadyPosted.
    """
    lines = [
        PostingLine(services.losses(disputed.currency), -amount),
        PostingLine(services.clearing(disputed.rail, disputed.currency), amount),
    ]
    _post(Kind.DISPUTE_LOST, disputed, lines, now)


def _post_available(
    disputed: Disputed, amount: Decimal, post: Callable[[Decimal], Entry]
) -> Decimal:
    """Posts the amount, or what is available of it. Returns what was posted."""
    try:
        post(amount)
    except services.InsufficientBalance:
        amount = _available(disputed)
        if amount > NOTHING:
            post(amount)
    return amount


def _available(disputed: Disputed) -> Decimal:
    """Exact: the refused entry has left the balance locked."""
    balances = services.balances(disputed.merchant_id).get(disputed.currency, {})
    return balances.get("available", NOTHING)


def _post(
    kind: Entry.Kind, disputed: Disputed, lines: list[PostingLine], now: datetime, step: str = ""
) -> Entry:
    return services.post(
        kind=kind,
        subject_id=disputed.dispute_id,
        idempotency_key=f"{disputed.dispute_id}:{step}" if step else disputed.dispute_id,
        lines=lines,
        memo={"order": disputed.order_id, "rail": disputed.rail},
        now=now,
    )
