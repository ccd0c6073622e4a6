"""How the payer's pages write amounts, timestamps and codes."""

from datetime import datetime
from decimal import Decimal

import segno
from django import template
from django.conf import settings
from django.forms import BoundField
from django.utils import dateformat, timezone, translation

from payments.core import money as amounts

register = template.Library()
_FORMATS = {
    "full": {"es": r"j \d\e F \d\e Y, g:i a", "en": "F j, Y, g:i a"},
    "soon": {"es": r"j \d\e F, g:i a", "en": "F j, g:i a"},
    "today": {"es": "g:i a", "en": "g:i a"},
}


@register.simple_tag
def is_sandbox() -> bool:
    """Whether what is paid here is play money: every page and receipt then says so."""
    return bool(settings.SANDBOX)


@register.filter
def money(amount: Decimal, currency: str) -> str:
    """`$ 50.025 COP`, cents only where there are some; `0,00012646 BTC` as far as it goes."""
    return amounts.shown(amount, currency)


@register.filter
def plain(amount: Decimal) -> str:
    """`50025`: what is copied into a banking app or a wallet."""
    return amounts.text(amount)


@register.filter
def timestamp(value: datetime, length: str = "full") -> str:
    """`21 de noviembre de 2025, 2:32 p.m.`, in the time of Bogotá; shorter when it is near."""
    form = _FORMATS[length][_language()]
    return str(dateformat.format(timezone.localtime(value), form))


@register.filter
def qr(text: str) -> str:
    """A QR code as an image that needs no request: `data:image/svg+xml,...`."""
    return str(segno.make(text, error="m", micro=False).svg_data_uri(border=2, omitsize=True))


@register.filter
def field_target(field: BoundField) -> str:
    """The id that a link to a form field points at: of the group where there are several."""
    return str(field.id_for_label or field.auto_id)


def _language() -> str:
    return "en" if (translation.get_language() or "").startswith("en") else "es"
