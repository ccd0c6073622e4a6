"""When a payout arrives, by what happened to the last ones: no promise of ours."""

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.core.cache import cache

from payments.core import days, ids
from payments.core.business_days import business_days_after
from payments.payout.models import Network, Payout

LOOK_BACK = timedelta(days=30)
# The newest payouts of all merchants that are read, and how many of a route are needed.
MOST_READ, FEWEST = 2000, 5
CACHE_SECONDS = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class Arrival:
    """`half` and `most` (nine of ten): from the sending to the rail's confirmation. None: too few
    payouts to tell. `latest_day`: of ordinary bank cycles, None for a key.
    """

    count: int
    half: timedelta | None
    most: timedelta | None
    latest_day: date | None


def expected(payout: Payout, *, now: datetime) -> Arrival:
    key = f"arrival:{payout.network}:{payout.bank_id or ''}:{payout.provider}"
    seconds = _cached(key)
    if seconds is None:
        seconds = sorted(_seconds(payout, now))
        _keep(key, seconds)
    is_known = len(seconds) >= FEWEST
    is_key = payout.network == Network.BREB
    return Arrival(
        count=len(seconds),
        half=_share(seconds, 0.5) if is_known else None,
        most=_share(seconds, 0.9) if is_known else None,
        latest_day=None if is_key else latest_day(now),
    )


def latest_day(sent_at: datetime) -> date:
    """The last day of ordinary bank cycles."""
    return business_days_after(days.day_of(sent_at), 1)


def _share(seconds: list[float], share: float) -> timedelta:
    return timedelta(seconds=seconds[min(int(len(seconds) * share), len(seconds) - 1)])


def _seconds(payout: Payout, now: datetime) -> list[float]:
    newest = Payout.objects.filter(pk__gte=ids.first_of(Payout.ID_PREFIX, now - LOOK_BACK))
    rows = Payout.objects.filter(
        pk__in=newest.order_by("-pk").values("pk")[:MOST_READ],
        status=Payout.Status.COMPLETED,
        network=payout.network,
        bank=payout.bank_id,
        provider=payout.provider,
        sent_at__isnull=False,
    )
    times = rows.values_list("sent_at", "completed_at")
    return [(end - start).total_seconds() for start, end in times if start and end]


def _cached(key: str) -> list[float] | None:
    try:
        found: list[float] | None = cache.get(key)
    except Exception:  # any error of the client library
        return None
    return found


def _keep(key: str, seconds: list[float]) -> None:
    try:
        cache.set(key, seconds, CACHE_SECONDS)
    except Exception:
        return
