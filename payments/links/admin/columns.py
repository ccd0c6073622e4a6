"""Columns and fields of links, and the figures of a link."""

from decimal import Decimal
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.cells import copy_button
from payments.console.formatting import amount, badge
from payments.core import clock, money
from payments.links.models import PaymentLink
from payments.links.services.availability import (
    Availability,
    Figures,
    figures,
    find_availability,
    left,
)

LABELS = {
    Availability.PAYABLE: (_("Active"), "success"),
    Availability.PAUSED: (_("Paused"), "warning"),
    Availability.ENDED: (_("Ended"), "default"),
    Availability.EXPIRED: (_("Expired"), "default"),
    Availability.USED_UP: (_("Paid"), "info"),
    Availability.SOLD_OUT: (_("Sold out"), "info"),
    Availability.BUSY: (_("Being paid"), "info"),
    Availability.MERCHANT_NOT_ACTIVE: (_("Merchant inactive"), "danger"),
}


class LinkColumns:
    @display(description=_("amount"))
    def amount_shown(self, link: PaymentLink) -> str:
        if link.amount is not None:
            return amount(link.amount, link.currency)
        low = amount(link.min_amount, link.currency) if link.min_amount else ""
        high = amount(link.max_amount, link.currency) if link.max_amount else ""
        if low and high:
            return gettext("%(low)s to %(high)s") % {"low": low, "high": high}
        if low or high:
            words = gettext("from %(low)s") if low else gettext("up to %(high)s")
            return words % {"low": low, "high": high}
        return gettext("Any amount")

    @display(description=_("status"), ordering="status")
    def state(self, link: PaymentLink) -> SafeString:
        return badge(*LABELS[find_availability(link, figures_once(link), clock.now())])

    @display(description=_("paid orders"))
    def paid_shown(self, link: Any) -> str:
        return paid_of(link.paid_count or 0, link.order_count or 0)

    @display(description=_("address"))
    def copy_shown(self, link: PaymentLink) -> SafeString:
        return copy_button(link.url)

    @display(description=_("collected"))
    def collected_shown(self, link: Any) -> str:
        return amount(link.paid_amount or Decimal(0), link.currency)

    @display(description=_("conversion"))
    def conversion_shown(self, link: Any) -> str:
        found = Figures(visits=link.visit_count or 0, paid=link.paid_count or 0)
        return percent(found)

    @display(description=_("still payable"))
    def left_shown(self, link: PaymentLink) -> str:
        count = left(link, figures_once(link))
        if count is None:
            return gettext("any number of times")
        words = ngettext("%(count)s time", "%(count)s times", count)
        return words % {"count": count}

    @display(description=_("the payer is asked for"))
    def asked_shown(self, link: PaymentLink) -> str:
        standard = {
            gettext("name"): link.ask_name,
            gettext("e-mail"): link.ask_email,
            gettext("document"): link.ask_document,
            gettext("mobile phone"): link.ask_phone,
        }
        asked = [label for label, wanted in standard.items() if wanted != "NONE"]
        return ", ".join([*asked, *(field["label"] for field in link.own_fields)]) or "-"

    @display(description=_("page after the payment"))
    def callback_shown(self, link: PaymentLink) -> str:
        return link.callback_url or "-"

    @display(description=_("image"))
    def image_shown(self, link: PaymentLink) -> SafeString | str:
        if link.image is None:
            return "-"
        image = link.image
        return format_html(
            '<img src="{}" width="{}" height="{}" alt="" style="max-height:96px;width:auto">',
            *(image.url, image.width, image.height),
        )


def figures_once(link: PaymentLink) -> Figures:
    """Read once for each row of a page."""
    if not hasattr(link, "known_figures"):
        link.known_figures = figures(link)  # type: ignore[attr-defined]
    known: Figures = link.known_figures  # type: ignore[attr-defined]
    return known


def paid_of(paid: int, orders: int) -> str:
    if not orders:
        return gettext("none yet")
    return gettext("%(paid)s of %(orders)s") % {"paid": paid, "orders": orders}


def percent(found: Figures) -> str:
    if found.conversion is None:
        return "-"
    return f"{money.grouped(money.text(found.conversion.quantize(Decimal('0.1'))))} %"
