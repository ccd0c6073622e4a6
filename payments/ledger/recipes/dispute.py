"""Contested payments: what is at stake is held, then given back, or taken by the payer's bank.

The balance may hold less than what is at stake, and never falls below zero: what cannot be had of
the merchant is the service's loss. Each movement is on the books once for each dispute, or
for each `step` of it.
"""

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
    """What the books need to know of a dispute.

    currency  of the balance that the payment was credited to.
    rail      the payment's, whose clearing account the money leaves by.
    """

    dispute_id: str
    order_id: str
    merchant_id: str
    currency: str
    rail: str


def dispute_opened(
    disputed: Disputed, *, amount: Decimal, step: str = "", now: datetime
) -> Decimal:
    """Holds of the `amount` at stake what is available, and returns it: perhaps nothing.

    `step` tells a later hold for the same dispute from the first.

    ========================= ======
    available of the merchant  - held
    held of the merchant       + held
    ========================= ======
    """

    def lines(held: Decimal) -> list[PostingLine]:
        return [
            PostingLine(services.available(disputed.merchant_id, disputed.currency), -held),
            PostingLine(services.held(disputed.merchant_id, disputed.currency), held),
        ]

    if amount == NOTHING:
        return amount
    try:
        _post(Kind.DISPUTE_OPENED, disputed, lines(amount), now, step)
    except services.InsufficientBalance:
        amount = _available(disputed)
        if amount > NOTHING:
            _post(Kind.DISPUTE_OPENED, disputed, lines(amount), now, step)
    return amount


def dispute_won(disputed: Disputed, *, held: Decimal, now: datetime) -> None:
    """The payment stands: the merchant has what was held again.

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
    """The payer's bank takes what was `claimed`. Returns what the service bears of it.

    `amount` is the merchant's part, of which `held` is held. `more` is what else of it is
    available now; below zero it goes back, because more is held than was taken.

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
    """A refund of what a lost dispute has made our loss failed, or came back: the merchant has the
    `amount`, and answers for it. Returns what could be had of it: perhaps nothing.

    ========================= ======
    available of the merchant  - had
    losses                     + had
    ========================= ======
    """

    def lines(had: Decimal) -> list[PostingLine]:
        return [
            PostingLine(services.available(disputed.merchant_id, disputed.currency), -had),
            PostingLine(services.losses(disputed.currency), had),
        ]

    try:
        _post(Kind.DISPUTE_LOST, disputed, lines(amount), now, step)
    except services.InsufficientBalance:
        amount = _available(disputed)
        if amount > NOTHING:
            _post(Kind.DISPUTE_LOST, disputed, lines(amount), now, step)
    return amount


def dispute_written_off(disputed: Disputed, *, amount: Decimal, now: datetime) -> None:
    """The bank took it although the dispute is won: an operator books it as our loss.

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
