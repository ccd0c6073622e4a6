"""Disputed payments: the amount is held, then released, or taken by the payer's bank.

A balance never falls below zero: the service bears what the merchant's does not cover. Each
movement is on the books once for each dispute, or for each `step` of it.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import AccountRef, PostingLine, merchant_accounts, transfer

NOTHING = Decimal(0)
Kind = Entry.Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Disputed:
    """currency  of the balance that the payment was credited to.
    rail      of the payment.
    account   the provider account that the money leaves.
    """

    dispute_id: str
    order_id: str
    merchant_id: str
    currency: str
    rail: str
    account: str


def dispute_opened(
    disputed: Disputed, *, amount: Decimal, step: str = "", now: datetime
) -> Decimal:
    """Holds the disputed `amount`, or the available balance if that is less.

    Returns the held amount, which may be zero. `step` distinguishes a later hold for the same
    dispute from the first.
    """
    if amount == NOTHING:
        return NOTHING
    held = services.held(disputed.merchant_id, disputed.currency)
    return _take_available(Kind.DISPUTE_OPENED, disputed, held, amount, now, step)


def dispute_won(disputed: Disputed, *, held: Decimal, now: datetime) -> None:
    """The payment stands, so the held amount becomes available."""
    if held == NOTHING:
        return
    available, on_hold = merchant_accounts(disputed.merchant_id, disputed.currency)
    _post(Kind.DISPUTE_WON, disputed, transfer(on_hold, available, held), now)


def dispute_lost(
    disputed: Disputed, *, claimed: Decimal, amount: Decimal, held: Decimal, now: datetime
) -> Decimal:
    """The payer's bank takes the `claimed` amount. Returns what the service bears of it.

    `amount` is the merchant's part, of which `held` is held. `more` is what is available of the
    rest. Below zero it returns to the merchant, because more is held than was taken.

    ========================= =======================
    held of the merchant       - held
    available of the merchant  - more
    losses                     - claimed + held + more
    clearing:<account>         + claimed
    ========================= =======================
    """
    available, on_hold = merchant_accounts(disputed.merchant_id, disputed.currency)

    def lines(more: Decimal) -> list[PostingLine]:
        return [
            PostingLine(on_hold, -held),
            PostingLine(available, -more),
            PostingLine(services.losses(disputed.currency), held + more - claimed),
            PostingLine(services.clearing(disputed.account, disputed.currency), claimed),
        ]

    if claimed == held == NOTHING:
        return NOTHING
    more = amount - held
    try:
        _post(Kind.DISPUTE_LOST, disputed, lines(more), now)
    except services.InsufficientBalance:
        more = _available_amount(disputed)
        _post(Kind.DISPUTE_LOST, disputed, lines(more), now)
    return claimed - held - more


def dispute_recovered(disputed: Disputed, *, amount: Decimal, step: str, now: datetime) -> Decimal:
    """A refund failed or came back after a lost dispute had made it our loss.

    The merchant owes the `amount`. Returns the part of it that was available, which may be
    zero.
    """
    losses = services.losses(disputed.currency)
    return _take_available(Kind.DISPUTE_LOST, disputed, losses, amount, now, step)


def dispute_written_off(disputed: Disputed, *, amount: Decimal, now: datetime) -> None:
    """The bank took the money of a won dispute, and an operator books it as our loss."""
    clearing = services.clearing(disputed.account, disputed.currency)
    lines = transfer(services.losses(disputed.currency), clearing, amount)
    _post(Kind.DISPUTE_LOST, disputed, lines, now)


def _take_available(
    kind: Kind, disputed: Disputed, target: AccountRef, amount: Decimal, now: datetime, step: str
) -> Decimal:
    """Moves the amount, or the available part of it, to `target`. Returns the moved amount."""
    available = services.available(disputed.merchant_id, disputed.currency)
    try:
        _post(kind, disputed, transfer(available, target, amount), now, step)
    except services.InsufficientBalance:
        amount = _available_amount(disputed)
        if amount > NOTHING:
            _post(kind, disputed, transfer(available, target, amount), now, step)
    return amount


def _available_amount(disputed: Disputed) -> Decimal:
    """The available balance.

    The refused entry has locked it, so it cannot change until the commit.
    """
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
        memo={"order": disputed.order_id, "rail": disputed.rail, "account": disputed.account},
        now=now,
    )
