"""Orders on the page of a merchant: 30 days, and the last payments."""

from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal

from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.collect.admin.labels import ORDER_LABELS
from payments.collect.models import Order
from payments.collect.services.orders.order_totals import ENDED, Totals, sum_orders
from payments.console.cockpit import DAYS, ROWS_MAX, Fact, Panel, Row, Subject
from payments.console.formatting import amount, badge, page_url
from payments.console.registry import Text
from payments.core import days

Status = Order.Status


def panels(subject: Subject) -> Iterator[Panel]:
    if not subject.may("collect.view_order"):
        return
    yield _month(subject)
    yield _last(subject)


def _month(subject: Subject) -> Panel:
    last = days.day_of(subject.now)
    first = last - timedelta(days=DAYS - 1)
    found = sum_orders(merchants=subject.scope, first=first, last=last)
    counts: dict[str, int] = dict.fromkeys(Status.values, 0)
    for each in found:
        counts[each.status] += each.orders
    open_orders = sum(count for status, count in counts.items() if status not in ENDED)
    paid = [t for t in found if t.status == Status.COMPLETED]
    return Panel(
        order=20,
        title=gettext("Paid orders, %d days") % DAYS,
        figures=_sums(paid),
        note=_conversion(counts),
        facts=(
            Fact(_("orders"), sum(counts.values())),
            Fact(_("paid"), counts[Status.COMPLETED]),
            Fact(_("refused"), counts[Status.FAILED], is_bad=bool(counts[Status.FAILED])),
            Fact(_("expired"), counts[Status.EXPIRED]),
            Fact(_("still open"), open_orders),
        ),
        links=((_("Orders"), _list(subject)),),
        is_nothing=not found,
    )


def _sums(paid: list[Totals]) -> tuple[str, ...]:
    """Pesos first, also if there are none."""
    sums = {"COP": Decimal(0)} | {each.currency: each.amount for each in paid}
    return tuple(amount(value, name) for name, value in sums.items() if value or len(sums) == 1)


def _conversion(counts: dict[str, int]) -> str:
    ended = sum(counts[status] for status in ENDED)
    if not ended:
        return gettext("No order has ended yet.")
    share = f"{100 * counts[Status.COMPLETED] / ended:.0f} %"
    return gettext("%s of the orders that ended were paid") % share


def _last(subject: Subject) -> Panel:
    newest = Order.objects.filter(merchant=subject.merchant_id).order_by("-created_at", "-id")
    names = ("reference", "customer_name", "amount", "currency", "status", "created_at")
    rows = tuple(_row(order) for order in newest.only(*names)[:ROWS_MAX])
    return Panel(
        order=50,
        title=_("Last payments"),
        rows=rows,
        step=None if rows else _first_sale(),
        empty=_("No order yet. The first one appears here."),
        links=((_("All orders"), _list(subject)),),
    )


def _first_sale() -> tuple[object, Text, str]:
    why = gettext("The account has no order yet. A payment link makes its first sale without code.")
    return why, _("Payment links"), reverse("admin:links_paymentlink_changelist")


def _row(order: Order) -> Row:
    return Row(
        at=order.created_at,
        what=order.reference,
        detail=order.customer_name,
        figure=amount(order.amount, order.currency),
        state=badge(order.get_status_display(), ORDER_LABELS[order.status]),
        href=page_url(order),
    )


def _list(subject: Subject) -> str:
    return f"{reverse('admin:collect_order_changelist')}?merchant__id__exact={subject.merchant_id}"
