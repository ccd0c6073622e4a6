"""Figures of a period for the page of analytics."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext

from merchants.models import Merchant, Method
from payments.collect.models import Charge, Order
from payments.collect.services.charges.attempt_counts import (
    Attempts,
    count_attempts,
    first_countable_day,
)
from payments.collect.services.orders.order_days import DayCount, count_days
from payments.collect.services.orders.order_totals import Totals, sum_orders
from payments.console import tenancy
from payments.console.formatting import amount
from payments.console.overview import DAYS_SECONDS, cached
from payments.console.reason_words import reason_word
from payments.core import clock, days
from payments.providers import ports
from payments.providers.colombian_banks import NAMES

ROWS_MAX = 15
Status = Order.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """
    merchants   None: all.
    merchant    the one that was chosen; None for all that the reader may see.
    """

    first: date
    last: date
    merchants: frozenset[str] | None
    merchant: Merchant | None

    @property
    def period(self) -> list[date]:
        return [self.first + timedelta(days=n) for n in range((self.last - self.first).days + 1)]

    @property
    def before(self) -> tuple[date, date]:
        """The days before, as many as the period has."""
        length = len(self.period)
        return self.first - timedelta(days=length), self.first - days.ONE_DAY

    def cached(self, name: str, compute: Callable[[], Any]) -> Any:
        key = f"analytics:{name}:{self.first}:{self.last}"
        return cached(key, self.merchants, DAYS_SECONDS, compute)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sums:
    """Orders by how they ended. `paid_amount` is in pesos."""

    orders: int = 0
    paid: int = 0
    refused: int = 0
    expired: int = 0
    paid_amount: Decimal = Decimal(0)

    @property
    def ended(self) -> int:
        return self.paid + self.refused + self.expired

    @property
    def share(self) -> Decimal | None:
        """Of the orders that ended, how many percent were paid."""
        return Decimal(100 * self.paid) / self.ended if self.ended else None

    @property
    def average(self) -> Decimal | None:
        return (self.paid_amount / self.paid).quantize(Decimal(1)) if self.paid else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """
    made_at          of the figures of the days. They are kept for DAYS_SECONDS.
    attempts_since   the first day of the attempts, if not all days could be read.
    """

    made_at: datetime
    counts: list[DayCount]
    before: list[Totals]
    by_merchant: list[Totals]
    attempts: list[Attempts]
    attempts_since: date


def figures(query: Query) -> Figures:
    first, last = query.before
    whose = query.merchants
    made_at, counts = query.cached(
        "days-and-time", lambda: (clock.now(), count_days(merchants=whose, period=query.period))
    )
    since = first_countable_day(counts, query.period)
    return Figures(
        made_at=made_at,
        counts=counts,
        before=query.cached("before", lambda: sum_orders(merchants=whose, first=first, last=last)),
        by_merchant=query.cached("merchants", lambda: _by_merchant(query)),
        attempts=query.cached(
            "attempts", lambda: count_attempts(merchants=whose, first=since, last=query.last)
        ),
        attempts_since=since,
    )


def _by_merchant(query: Query) -> list[Totals]:
    """Empty if the page is about one merchant."""
    if query.merchants is not None and len(query.merchants) < 2:
        return []
    whose = query.merchants
    return sum_orders(merchants=whose, first=query.first, last=query.last, by_merchant=True)


def sums_of(rows: Iterable[DayCount | Totals]) -> Sums:
    counts: dict[str, int] = dict.fromkeys(Status.values, 0)
    paid_amount = Decimal(0)
    for row in rows:
        counts[row.status] += row.orders
        if row.status == Status.COMPLETED and row.currency == "COP":
            paid_amount += row.amount
    return Sums(
        orders=sum(counts.values()),
        paid=counts[Status.COMPLETED],
        refused=counts[Status.FAILED],
        expired=counts[Status.EXPIRED],
        paid_amount=paid_amount,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A line of a breakdown. `share` is the conversion, in percent."""

    name: str
    count: int
    good: int
    bad: int
    amount: Decimal
    href: str = ""

    @property
    def share(self) -> str:
        ended = self.good + self.bad
        return amount(round(Decimal(100 * self.good) / ended, 1), "%") if ended else "-"

    @property
    def paid(self) -> str:
        return amount(self.amount, "").strip()

    @property
    def width(self) -> int:
        ended = self.good + self.bad
        return round(100 * self.good / ended) if ended else 0


def by_method(attempts: Iterable[Attempts]) -> list[Part]:
    labels = dict(Method.choices)
    return _parts(attempts, lambda each: str(labels.get(each.method, each.method)))


def by_bank(attempts: Iterable[Attempts]) -> list[Part]:
    """Of the attempts in which the payer chose a bank."""
    chosen = (each for each in attempts if each.bank)
    return _parts(chosen, lambda each: NAMES.get(each.bank, each.bank))


def _parts(attempts: Iterable[Attempts], name: Callable[[Attempts], str]) -> list[Part]:
    groups: dict[str, list[Attempts]] = {}
    for each in attempts:
        groups.setdefault(name(each), []).append(each)
    found = [_part(label, rows) for label, rows in groups.items()]
    return sorted(found, key=lambda part: (-part.count, part.name))


def _part(label: str, rows: list[Attempts]) -> Part:
    good = sum(row.count for row in rows if row.status == Charge.Status.SUCCEEDED)
    ends = {Charge.Status.FAILED, Charge.Status.ABANDONED}
    return Part(
        name=label,
        count=sum(row.count for row in rows),
        good=good,
        bad=sum(row.count for row in rows if row.status in ends),
        amount=sum((row.amount for row in rows), Decimal(0)),
    )


def by_merchant(totals: Iterable[Totals], query: Query) -> list[Part]:
    groups: dict[str, list[Totals]] = {}
    for each in totals:
        groups.setdefault(each.merchant_id, []).append(each)
    sums = {pk: sums_of(rows) for pk, rows in groups.items()}
    largest = sorted(sums, key=lambda pk: (-sums[pk].paid_amount, -sums[pk].orders, pk))
    named = Merchant.objects.in_bulk(largest[:ROWS_MAX])
    address = reverse("admin:collect_order_analytics")
    period = {"first": query.first, "last": query.last}
    return [
        Part(
            name=named[pk].name,
            count=sums[pk].orders,
            good=sums[pk].paid,
            bad=sums[pk].ended - sums[pk].paid,
            amount=sums[pk].paid_amount,
            href=f"{address}?{urlencode({**period, 'merchant': pk})}",
        )
        for pk in largest[:ROWS_MAX]
    ]


def reasons(attempts: Iterable[Attempts]) -> list[tuple[str, int, str]]:
    """Reason, how often, and its share of all refusals.

    People of merchants do not read the texts of rails.
    """
    is_merchant = tenancy.current_user_is_merchant()
    counts: dict[str, int] = {}
    for each in attempts:
        if each.status == Charge.Status.FAILED:
            reason = _reason(each.reason, is_merchant)
            counts[reason] = counts.get(reason, 0) + each.count
    total = sum(counts.values())
    ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return [(reason, count, f"{100 * count / total:.0f} %") for reason, count in ordered]


def _reason(text: str, is_merchant: bool) -> str:
    if not text:
        return gettext("no reason given")
    if text in set(ports.Reason):
        return reason_word(text)
    return gettext("other") if is_merchant else text
