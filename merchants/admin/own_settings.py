"""The settings of an account as the people of that merchant read them: each with its value, and the
link to the page that changes it.
"""

from collections.abc import Iterator
from typing import Any

from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.text import capfirst
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.legal.services import find
from merchants.models import (
    SWITCHES,
    Currency,
    Merchant,
    fixed_event_words,
    optional_event_words,
)
from payments.console.account_settings import (
    ENABLED,
    LEGAL,
    PAYERS_PAGE,
    PAYOUTS,
    WEBHOOKS,
    Setting,
    settings_of,
)
from payments.console.cells import copyable
from payments.console.cockpit import Subject
from payments.console.formatting import amount
from payments.console.registry import Text
from payments.core import clock

TITLES: dict[str, Text] = {
    LEGAL: _("Legal data"),
    PAYERS_PAGE: _("Payer's page"),
    ENABLED: _("Enabled for the account"),
    PAYOUTS: _("Payouts"),
    WEBHOOKS: _("Webhooks"),
}
NOTES: dict[str, Text] = {
    LEGAL: _("Payers see them on the payment page and on receipts."),
    ENABLED: _("Pasarela's team changes these. Write to them if you need another one."),
}
# What the system of a merchant may call; the API refuses the others.
_BY_API = [name for name in SWITCHES if name != "retry_enabled"]
# {act that changes a setting: the right to it}
_RIGHTS = {
    "set_legal_data": "legal",
    "set_brand": "brand",
    "set_retry": "brand",
    "set_receipt_mail": "brand",
    "set_document": "brand",
    "set_webhook": "webhook",
    "choose_events": "webhook",
    "set_strict": "webhook",
}


def parts(page: Any, request: HttpRequest, merchant: Merchant) -> list[dict[str, object]]:
    """The sections of the page, for templates/admin/merchants/merchant/settings.html."""
    subject = Subject(request=request, merchant_id=merchant.pk, now=clock.now())
    found = [*_own(_Changes(page, request, merchant), merchant), *settings_of(subject)]
    return [
        {
            "title": title,
            "note": NOTES.get(part, ""),
            "settings": [one for one in found if one.part == part],
        }
        for part, title in TITLES.items()
    ]


class _Changes:
    """The addresses of the acts that this person may do."""

    def __init__(self, page: Any, request: HttpRequest, merchant: Merchant) -> None:
        self._request, self._page, self._pk = request, page, quote(merchant.pk)

    def to(self, act: str) -> str:
        may = getattr(self._page, f"has_{_RIGHTS[act]}_permission")
        if not may(self._request):
            return ""
        return reverse(f"admin:merchants_merchant_{act}", args=[self._pk])


def _own(changes: _Changes, merchant: Merchant) -> Iterator[Setting]:
    yield from _legal(changes, merchant)
    yield from _payers_page(changes, merchant)
    currencies = ", ".join(str(Currency(code).label) for code in merchant.currencies)
    yield Setting(part=ENABLED, label=_("Currencies"), value=currencies)
    columns = [one for one in Merchant._meta.concrete_fields if one.name in _BY_API]
    on = [str(one.verbose_name) for one in columns if getattr(merchant, one.name)]
    yield Setting(part=ENABLED, label=_("For your own system"), value=capfirst(", ".join(on)))
    above = merchant.payout_approval_above
    yield Setting(
        part=PAYOUTS,
        label=_("Payouts by API above this wait for approval"),
        value="" if above is None else amount(above, Currency.COP),
    )
    yield from _webhooks(changes, merchant)


def _legal(changes: _Changes, merchant: Merchant) -> Iterator[Setting]:
    data, change = find(merchant), changes.to("set_legal_data")
    rows: list[tuple[Text, str]] = [
        (_("Legal name"), data.legal_name if data else ""),
        (_("NIT"), data.nit_shown if data else ""),
        (_("Address"), data.place if data else ""),
        (_("Contact e-mail"), data.contact_email if data else ""),
        (_("Contact phone"), data.contact_phone if data else ""),
        (_("Data policy (Law 1581)"), data.data_policy_url if data else ""),
    ]
    for label, value in rows:
        yield Setting(part=LEGAL, label=label, value=value, change=change)


def _payers_page(changes: _Changes, merchant: Merchant) -> Iterator[Setting]:
    brand, colour, logo = changes.to("set_brand"), merchant.brand_color, merchant.logo
    rows: list[tuple[Text, object, str]] = [
        (_("Colour"), _colour(colour) if colour else "", brand),
        (_("Logo"), _logo(merchant) if logo else "", brand),
        (
            _("Payers may try again after a refusal"),
            _on(merchant.retry_enabled),
            changes.to("set_retry"),
        ),
        (
            _("Payers get their receipt by mail"),
            _on(merchant.receipts_by_mail),
            changes.to("set_receipt_mail"),
        ),
        (
            _("Orders may come without the customer's document"),
            _on(merchant.document_by_payer),
            changes.to("set_document"),
        ),
    ]
    for label, value, change in rows:
        yield Setting(part=PAYERS_PAGE, label=label, value=value, change=change)


def _webhooks(changes: _Changes, merchant: Merchant) -> Iterator[Setting]:
    url, events = merchant.webhook_url, changes.to("choose_events")
    yield Setting(
        part=WEBHOOKS,
        label=_("Main URL"),
        value=copyable(url) if url else "",
        change=changes.to("set_webhook"),
    )
    if url:
        chosen = [words for kind, words in optional_event_words() if kind in merchant.event_kinds]
        words = [*(words for _kind, words in fixed_event_words()), *chosen]
        yield Setting(
            part=WEBHOOKS, label=_("Events of the main URL"), value=", ".join(words), change=events
        )
    yield Setting(
        part=WEBHOOKS,
        label=_("Refuse requests with unknown fields"),
        value=_on(merchant.refuses_unknown_fields),
        change=changes.to("set_strict"),
    )


def _on(is_on: bool) -> str:
    return gettext("Yes") if is_on else gettext("No")


def _colour(colour: str) -> str:
    """The digits, with the colour beside them. The page's policy allows no style attribute."""
    shown = (
        '<svg class="own-colour" viewBox="0 0 1 1" aria-hidden="true">'
        '<rect width="1" height="1" fill="{}"/></svg> {}'
    )
    return format_html(shown, colour, colour)


def _logo(merchant: Merchant) -> str:
    logo: Any = merchant.logo
    return format_html(
        '<img class="own-logo" src="{}" width="{}" height="{}" alt="{}">',
        *(logo.url, logo.width, logo.height, merchant.name),
    )
