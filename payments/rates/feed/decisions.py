"""What people decide: type a price, end it, accept or refuse a jump. Each leaves an audit row."""

from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.core import audit, money
from payments.core.errors import ServiceError
from payments.rates.feed.choice import MAX_AGE, TOLERANCE, is_jump
from payments.rates.feed.runs import forget_jump, set_feed_price
from payments.rates.models import CoinFeed, ExchangeRate
from payments.rates.services import set_rate


class NothingWaits(ServiceError):
    code = "NOT_ALLOWED"
    message = _("No price waits for a decision now.")


class PriceMoved(ServiceError):
    code = "NOT_ALLOWED"
    message = _("The price that waits is another one now. Look at it again.")


class PriceTooOld(ServiceError):
    code = "NOT_ALLOWED"
    message = _(
        "The sources have not confirmed this price for a while. Wait for their next answer."
    )


class NotByHand(ServiceError):
    code = "NOT_ALLOWED"
    message = _("The feed sets this price already.")


@transaction.atomic
def set_rate_by_hand(rate: ExchangeRate, *, actor: str, reason: str) -> ExchangeRate:
    """The feed leaves the coin alone until `resume_feed`. Raises ValidationError."""
    set_rate(rate, actor=actor, reason=reason)
    CoinFeed.objects.get_or_create(pk=rate.currency)
    feed = CoinFeed.objects.select_for_update().get(pk=rate.currency)
    feed.is_by_hand, feed.refused_bid = True, None
    _decide(feed, actor, rate.effective_at, CoinFeed.Outcome.BY_HAND)
    return rate


@transaction.atomic
def resume_feed(*, currency: str, actor: str, reason: str, now: datetime) -> CoinFeed:
    """From its next run on the feed sets the price. A jump from the typed one waits."""
    feed = _lock(currency)
    if not feed.is_by_hand:
        raise NotByHand
    feed.is_by_hand = False
    _decide(feed, actor, now, feed.outcome)
    audit.record(actor=actor, action="rate_feed.resumed", subject=feed, reason=reason)
    return feed


@transaction.atomic
def accept_jump(
    *, currency: str, seen: Decimal, actor: str, reason: str, now: datetime
) -> CoinFeed:
    """Sets the price that waits. `seen` is what the person saw, and it may have moved a little."""
    feed = _lock(currency)
    bid, ask = _waiting(feed, seen)
    if feed.checked_at is None or now - feed.checked_at > MAX_AGE or not _is_current(feed):
        raise PriceTooOld
    sources = feed.waiting_sources
    set_feed_price(currency, bid, ask, sources, feed.checked_at, actor=actor, reason=reason)
    feed.refused_bid = None
    # The accepted price is the first one with which the next are compared.
    _decide(feed, actor, feed.checked_at, CoinFeed.Outcome.PRICED)
    _audit("rate_jump.accepted", feed, bid, actor, reason)
    return feed


@transaction.atomic
def refuse_jump(
    *, currency: str, seen: Decimal, actor: str, reason: str, now: datetime
) -> CoinFeed:
    """The old price stays, and becomes too old. Prices near the refused one do not come again."""
    feed = _lock(currency)
    bid, _ask = _waiting(feed, seen)
    feed.refused_bid = bid
    forget_jump(feed)
    feed.outcome, feed.decided_by = CoinFeed.Outcome.REFUSED, actor
    feed.save()
    _audit("rate_jump.refused", feed, bid, actor, reason)
    return feed


def _lock(currency: str) -> CoinFeed:
    return CoinFeed.objects.select_for_update().get(pk=currency)


def _waiting(feed: CoinFeed, seen: Decimal) -> tuple[Decimal, Decimal]:
    if feed.waiting_bid is None or feed.waiting_ask is None:
        raise NothingWaits
    if is_jump(feed.waiting_bid, [seen], TOLERANCE):
        raise PriceMoved
    return feed.waiting_bid, feed.waiting_ask


def _is_current(feed: CoinFeed) -> bool:
    """Whether the last run found it: the sources may have stopped to agree since then."""
    return feed.outcome == CoinFeed.Outcome.WAITS


def _decide(feed: CoinFeed, actor: str, at: datetime, outcome: str) -> None:
    forget_jump(feed)
    feed.decided_by, feed.decided_at, feed.outcome = actor, at, outcome
    feed.save()


def _audit(action: str, feed: CoinFeed, bid: Decimal, actor: str, reason: str) -> None:
    details = {"price_cop": money.text(bid)}
    audit.record(actor=actor, action=action, subject=feed, reason=reason, **details)
