"""One run of the feed: claim coins, ask the sources, and set prices or let them wait."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal

import structlog
from django.conf import settings
from django.db import transaction
from django.db.models import Q

from payments.rates.feed.choice import JUMP, TOLERANCE, Answer, Choice, choose, is_jump
from payments.rates.feed.collection import coins_with_sources, collect
from payments.rates.models import CoinFeed, ExchangeRate, SourceAnswer
from payments.rates.reasons import Reason, Refused
from payments.rates.services import set_rate

log = structlog.get_logger(__name__)
ACTOR = "rate_feed"
DOLLARS = ("USDT", "USDC")
# Prices of this time are compared, so that no series of small steps goes far without a person.
JUMP_WINDOW = timedelta(hours=1)
# After its deadline, a run needs no longer than this to write.
WRITE_SECONDS = 20
Outcome = CoinFeed.Outcome


def read_prices(*, now: datetime) -> int:
    """Returns how many prices were set. Calls the sources; does nothing without RATE_SOURCES."""
    coins = [coin for coin in coins_with_sources() if _claim(coin, now)]
    if not coins:
        return 0
    try:
        found = collect(coins, now=now)
        trm = {coin: found.trm if coin in DOLLARS else None for coin in coins}
        return sum(_record(coin, found.of_coins[coin], trm[coin], now) for coin in coins)
    finally:
        CoinFeed.objects.filter(currency__in=coins).update(claimed_until=None)


def _claim(coin: str, now: datetime) -> bool:
    CoinFeed.objects.get_or_create(pk=coin)
    free = Q(claimed_until__isnull=True) | Q(claimed_until__lte=now)
    limit = timedelta(seconds=settings.RATE_SOURCE_TIMEOUT_SECONDS + WRITE_SECONDS)
    claimed = CoinFeed.objects.filter(free, pk=coin).update(claimed_until=now + limit)
    return bool(claimed)


@transaction.atomic
def _record(
    coin: str, said: Mapping[str, Answer | Refused], trm: Decimal | None, now: datetime
) -> bool:
    feed = CoinFeed.objects.select_for_update().get(pk=coin)
    if feed.checked_at and feed.checked_at >= now:
        return False  # a later run was faster
    answers = [one for one in said.values() if isinstance(one, Answer)]
    choice = choose(answers, now=now, trm=trm)
    for source, one in said.items():
        _keep(feed, source, one, choice.dropped.get(source), now)
    feed.answers.exclude(source__in=said).delete()  # sources that are not asked any more
    feed.checked_at, feed.disagreement = now, choice.disagreement
    feed.outcome = _settle(feed, choice, now)
    feed.save()
    if feed.outcome != Outcome.PRICED:
        log.warning("rates.not_priced", currency=coin, outcome=str(feed.outcome))
    return feed.outcome == Outcome.PRICED


def _settle(feed: CoinFeed, choice: Choice, now: datetime) -> Outcome:
    if feed.is_by_hand:
        return Outcome.BY_HAND
    if choice.bid is None or choice.ask is None:
        return Outcome.NO_AGREEMENT
    if not is_jump(choice.bid, _last_prices(feed, now)):
        forget_jump(feed)
        feed.refused_bid = None
        set_feed_price(feed.pk, choice.bid, choice.ask, "+".join(choice.sources), now)
        return Outcome.PRICED
    if feed.refused_bid and not is_jump(choice.bid, [feed.refused_bid], TOLERANCE):
        forget_jump(feed)
        return Outcome.REFUSED
    if feed.waiting_bid is None:
        log.error("rates.jump", currency=feed.pk, price=str(choice.bid), limit=str(JUMP))
    feed.waiting_bid, feed.waiting_ask = choice.bid, choice.ask
    feed.waiting_sources = "+".join(choice.sources)
    return Outcome.WAITS


def set_feed_price(
    coin: str,
    bid: Decimal,
    ask: Decimal,
    source: str,
    at: datetime,
    *,
    actor: str = ACTOR,
    reason: str = "",
) -> None:
    rate = ExchangeRate(currency=coin, price_cop=bid, ask_cop=ask, source=source, effective_at=at)
    set_rate(rate, actor=actor, reason=reason)


def forget_jump(feed: CoinFeed) -> None:
    feed.waiting_bid = feed.waiting_ask = None
    feed.waiting_sources = ""


def _last_prices(feed: CoinFeed, now: datetime) -> list[Decimal]:
    """The newest price, and those of the window since a person last decided."""
    rates = ExchangeRate.objects.filter(currency=feed.pk, effective_at__lte=now)
    newest = rates.order_by("-effective_at", "-id").values_list("price_cop", flat=True)
    since = now - JUMP_WINDOW
    if feed.decided_at is not None:
        since = max(since, feed.decided_at)
    recent = rates.filter(effective_at__gte=since).values_list("price_cop", flat=True)
    return [*newest[:1], *recent]


def _keep(
    feed: CoinFeed, source: str, one: Answer | Refused, dropped: Reason | None, now: datetime
) -> None:
    reason = str((one.reason if isinstance(one, Refused) else dropped) or "")
    kept, _created = SourceAnswer.objects.get_or_create(
        feed=feed, source=source, defaults={"checked_at": now}
    )
    kept.checked_at, kept.reason = now, reason
    kept.detail = one.detail[:200] if isinstance(one, Refused) else ""
    if isinstance(one, Answer):
        kept.bid, kept.ask, kept.answered_at = one.bid, one.ask, one.at
    if reason:
        kept.refusals[reason] = kept.refusals.get(reason, 0) + 1
        log.info("rates.answer_refused", source=source, currency=feed.pk, reason=reason)
    kept.save()
