"""Formats amounts, timestamps and codes on the payer's pages."""

import re
from datetime import datetime
from decimal import Decimal
from math import ceil

import segno
from django import template
from django.conf import settings
from django.forms import BoundField
from django.template import Context
from django.utils.html import format_html, format_html_join
from django.utils.safestring import mark_safe
from django.utils.translation import ngettext

from merchants.legal import tax_ids
from payments.collect.checkout import link_answers, timestamps
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.orders import charge_method, receipts
from payments.core import clock
from payments.core import money as amounts

register = template.Library()
COMPARED = 6  # characters at each end of an address


@register.simple_tag(takes_context=True)
def is_sandbox(context: Context) -> bool:
    """Whether the payment uses play money. If so, every page and receipt says it.

    `is_test` is true of a payment over a simulated rail, also in a service that has become live.
    """
    return bool(context.get("is_test")) or receipts.uses_play_money()


@register.simple_tag
def data_contact() -> dict[str, str]:
    """Where payers ask about their data (Law 1581). Empty texts if the operator named nothing."""
    return {"email": settings.DATA_CONTACT_EMAIL, "policy": settings.DATA_POLICY_URL}


@register.filter
def money(amount: Decimal, currency: str) -> str:
    """`$ 50.025 COP`, with cents only if there are any; `0,00012646 BTC` with all its decimals."""
    return amounts.shown(amount, currency)


@register.filter
def method_name(charge: Charge) -> str:
    """`Bancolombia QR`: the method, not the kind of methods that it belongs to."""
    return charge_method.name_of(charge)


@register.filter
def surplus_name(funds: UnmatchedFunds) -> str:
    """`Surplus, to be settled`"""
    return receipts.surplus_name(funds)


@register.filter
def plain(amount: Decimal) -> str:
    """`50025`: the form to copy into a banking app or a wallet."""
    return amounts.text(amount)


@register.filter
def price(rate: Decimal, currency: str) -> str:
    """`3.950 COP`: what one coin is worth. Rounded down to what the currency shows."""
    return amounts.shown(amounts.truncate(rate, currency), currency).removeprefix("$ ")


@register.filter
def shortened(transaction: str) -> str:
    """`0x2f3a…9c41` of a hash that people do not read in full."""
    return f"{transaction[:10]}…{transaction[-6:]}" if len(transaction) > 20 else transaction


@register.filter
def compared(address: str) -> str:
    """An address with what people compare of it in bold: the first and the last characters."""
    if len(address) <= 2 * COMPARED:
        return address
    first, middle, last = address[:COMPARED], address[COMPARED:-COMPARED], address[-COMPARED:]
    return format_html("<strong>{}</strong>{}<strong>{}</strong>", first, middle, last)


@register.filter
def timestamp(value: datetime, length: str = "full") -> str:
    """`21 de noviembre de 2025, 2:32 p.m.`, in the time of Bogotá. Shorter if the date is near."""
    return timestamps.written(value, length)


@register.filter
def is_today(value: datetime) -> bool:
    """In Bogotá, where the payer's day ends."""
    return timestamps.is_today(value, clock.now())


@register.filter
def is_one_oclock(value: datetime) -> bool:
    """Between 1:00 and 1:59, for languages that say it in another way than the other hours."""
    return timestamps.is_one_oclock(value)


@register.filter
def duration(seconds: int) -> str:
    """`about 12 minutes`. Rounded up: a payment may be final early, not late."""
    minutes = max(ceil(seconds / 60), 1)
    if minutes > 90:
        hours = ceil(minutes / 60)
        return ngettext("about %(number)d hour", "about %(number)d hours", hours) % {
            "number": hours
        }
    if minutes > 10:
        minutes = ceil(minutes / 5) * 5
    return ngettext("about %(number)d minute", "about %(number)d minutes", minutes) % {
        "number": minutes
    }


@register.filter
def answers(order: Order) -> list[tuple[str, str]]:
    """(question, answer) of the form of a payment link."""
    return list(link_answers.answers_of(order).items())


@register.filter
def document_number(number: str, document_type: str | None) -> str:
    """`890.903.938-8` of a NIT. A number that is no valid NIT stays as it was typed."""
    if document_type != "NIT":
        return number
    try:
        return tax_ids.shown(tax_ids.parse(number))
    except tax_ids.NotANit:
        return number


@register.filter
def is_nit(document: str) -> bool:
    """Whether it has the form of a company's number, perhaps with its check digit."""
    return bool(re.fullmatch(r"[89][0-9]{8}[0-9]?", re.sub(r"[.\- ]", "", document)))


@register.filter
def qr(text: str, error: str = "m") -> str:
    """A QR code as a data URL (`data:image/svg+xml,...`), which needs no request.

    `error` is how much of it may be damaged: `l` makes a long text easier to scan on a screen.
    """
    code = segno.make(text, error=error, micro=False)
    side = code.symbol_size(scale=8, border=4)[0]  # For the script that makes a picture of it.
    size = f"%20width%3D%27{side}%27%20height%3D%27{side}%27%20viewBox"
    return str(code.svg_data_uri(border=4, omitsize=True)).replace("%20viewBox", size, 1)


@register.filter
def field_target(field: BoundField) -> str:
    """The id that a link to a form field points to.

    If the field has several inputs, the id of the group.
    """
    return str(field.id_for_label or field.auto_id)


@register.filter
def breakable(text: str) -> str:
    """A key of Bre-B, which may break before `@` and after `.`, `-` and `_`."""
    parts = filter(None, re.split(r"(?<=[.\-_])|(?=@)", text))
    return format_html_join(mark_safe("<wbr>"), "{}", ((part,) for part in parts))


@register.filter
def key_size(text: str) -> str:
    """The class that keeps a long key on one line of a phone of 360 px where it fits."""
    if len(text) > 22:
        return "key-longer"
    return "key-long" if len(text) > 17 else ""
