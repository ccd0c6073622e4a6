"""Whether a link takes payments now, and how many more."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db.models import Sum, TextChoices

from payments.collect.models import LinkTally, Order
from payments.links.models import LinkStatus, LinkVisits, PaymentLink

# An order in one of these has given its use back.
GIVEN_BACK = frozenset({Order.Status.FAILED, Order.Status.EXPIRED})


class Availability(TextChoices):
    """PAYABLE, or the reason why not. BUSY: other payers are paying the last ones."""

    PAYABLE = "PAYABLE"
    PAUSED = "PAUSED"
    ENDED = "ENDED"
    EXPIRED = "EXPIRED"
    USED_UP = "USED_UP"
    SOLD_OUT = "SOLD_OUT"
    BUSY = "BUSY"
    MERCHANT_NOT_ACTIVE = "MERCHANT_NOT_ACTIVE"


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Counts of a link's orders, and what the merchant received.

    taken   orders that are paid or may still be paid.
    """

    visits: int = 0
    orders: int = 0
    taken: int = 0
    paid: int = 0
    collected: Decimal = Decimal(0)

    @property
    def open(self) -> int:
        return self.taken - self.paid

    @property
    def conversion(self) -> Decimal | None:
        """Paid orders of a hundred visits. None without visits."""
        if not self.visits:
            return None
        return min(Decimal(100), Decimal(100 * self.paid) / self.visits)


def figures_of(links: list[str]) -> dict[str, Figures]:
    """By link, in two queries."""
    visits = LinkVisits.objects.filter(link__in=links).values_list("link").annotate(Sum("visits"))
    visits_of = dict(visits)
    tallies: dict[str, dict[str, LinkTally]] = {link: {} for link in links}
    for row in LinkTally.objects.filter(link_id__in=links):
        tallies[row.link_id][row.status] = row
    return {link: _figures(tallies[link], visits_of.get(link, 0)) for link in links}


def figures(link: PaymentLink) -> Figures:
    return figures_of([link.pk])[link.pk]


def find_availability(link: PaymentLink, found: Figures, now: datetime) -> Availability:
    """`found` must be read while the link is locked if an order is made after it."""
    if link.status != LinkStatus.ACTIVE:
        return Availability(link.status)
    if not link.merchant.is_active:
        return Availability.MERCHANT_NOT_ACTIVE
    if link.expires_at is not None and link.expires_at <= now:
        return Availability.EXPIRED
    if link.limit is not None and found.taken >= link.limit:
        return _used(link, found)
    if found.open >= settings.LINK_MAX_OPEN_ORDERS:
        return Availability.BUSY
    return Availability.PAYABLE


def left(link: PaymentLink, found: Figures) -> int | None:
    """How many more payments. None without a limit."""
    return None if link.limit is None else max(0, link.limit - found.taken)


def _used(link: PaymentLink, found: Figures) -> Availability:
    if link.max_uses is not None and found.paid >= link.max_uses:
        return Availability.USED_UP
    if link.stock is not None and found.paid >= link.stock:
        return Availability.SOLD_OUT
    return Availability.BUSY


def _figures(by_status: dict[str, LinkTally], visits: int) -> Figures:
    paid = by_status.get(Order.Status.COMPLETED)
    return Figures(
        visits=visits,
        orders=sum(row.orders for row in by_status.values()),
        taken=sum(row.orders for row in by_status.values() if row.status not in GIVEN_BACK),
        paid=paid.orders if paid else 0,
        collected=paid.amount if paid else Decimal(0),
    )
