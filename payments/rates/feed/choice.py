"""Which price the answers of a coin's sources agree on.

The service sells the coins that it receives, so `bid` costs it, and it buys those that it owes, so
`ask` costs it. Of an even number of answers the worse one for payers counts.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import median_high, median_low

from payments.rates.reasons import Reason
from payments.rates.services import EXACT

MAX_AGE = timedelta(minutes=2)
# Shares of the price.
TOLERANCE = Decimal("0.03")
TRM_TOLERANCE = Decimal("0.05")
JUMP = Decimal("0.10")


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """`rests_on_trm`: a price in dollars, multiplied by the TRM."""

    source: str
    bid: Decimal
    ask: Decimal
    at: datetime
    rests_on_trm: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """`bid` and `ask` are None without agreement; `sources` are those that agree.

    disagreement   how much the highest bid is above the lowest one, of answers with a good time, as
                   a share. None if there are fewer than two.
    """

    bid: Decimal | None = None
    ask: Decimal | None = None
    sources: tuple[str, ...] = ()
    dropped: Mapping[str, Reason] = field(default_factory=dict)
    disagreement: Decimal | None = None


def choose(answers: Sequence[Answer], *, now: datetime, trm: Decimal | None = None) -> Choice:
    """`trm` is given for coins that are worth a dollar.

    Answers agree if they are within TOLERANCE of the median, and more than half of all that have a
    good time. There must be two of them, and not all rest on the TRM. For a coin worth a dollar a
    lone answer is enough if it does not rest on the TRM and is within TRM_TOLERANCE of it.
    """
    dropped = {one.source: wrong for one in answers if (wrong := _wrong_time(one, now))}
    timely = [one for one in answers if one.source not in dropped]
    if not timely:
        return Choice(dropped=dropped)
    kept = _near_median(timely)
    dropped |= {one.source: Reason.DEVIATES for one in timely if one not in kept}
    bids = [one.bid for one in timely]
    disagreement = EXACT.divide(max(bids), min(bids)) - 1 if len(bids) > 1 else None
    if not (_agree(kept, timely) or _is_confirmed(timely, trm)):
        return Choice(dropped=dropped, disagreement=disagreement)
    return Choice(
        bid=median_low([one.bid for one in kept]),
        ask=median_high([one.ask for one in kept]),
        sources=tuple(sorted(one.source for one in kept)),
        dropped=dropped,
        disagreement=disagreement,
    )


def is_jump(price: Decimal, others: Sequence[Decimal], tolerance: Decimal = JUMP) -> bool:
    """Whether the price is further than `tolerance` from any of the others."""
    return any(not _is_near(price, other, tolerance) for other in others)


def _wrong_time(one: Answer, now: datetime) -> Reason | None:
    if one.at < now - MAX_AGE:
        return Reason.OLD
    return Reason.AHEAD if one.at > now + MAX_AGE else None


def _near_median(answers: list[Answer]) -> list[Answer]:
    bid = median_low([one.bid for one in answers])
    ask = median_high([one.ask for one in answers])
    return [
        one
        for one in answers
        if _is_near(one.bid, bid, TOLERANCE) and _is_near(one.ask, ask, TOLERANCE)
    ]


def _agree(kept: list[Answer], timely: list[Answer]) -> bool:
    """Those that rest on the TRM count as one, because a wrong TRM moves all of them."""
    independent = sum(not one.rests_on_trm for one in kept)
    independent += any(one.rests_on_trm for one in kept)
    return independent >= 2 and 2 * len(kept) > len(timely)


def _is_confirmed(timely: list[Answer], trm: Decimal | None) -> bool:
    if trm is None or len(timely) != 1 or timely[0].rests_on_trm:
        return False
    return all(_is_near(price, trm, TRM_TOLERANCE) for price in (timely[0].bid, timely[0].ask))


def _is_near(price: Decimal, other: Decimal, tolerance: Decimal) -> bool:
    return abs(price - other) <= EXACT.multiply(other, tolerance)
