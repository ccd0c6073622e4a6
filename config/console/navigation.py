"""The frame of every console page: the side bar, the icon, the badge of the environment."""

from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from payments.console import tenancy

# Users of merchants see their balance and its movements instead of our accounts.
LEDGER_ACCOUNT = "ledger.account"

# (heading, [(label, icon, app.model)])
SECTIONS: list[tuple[str | Promise, list[tuple[str | Promise, str, str]]]] = [
    (
        _("Collections"),
        [
            (_("Orders"), "receipt_long", "collect.order"),
            (_("Charges"), "contactless", "collect.charge"),
            (_("Refunds"), "undo", "collect.refund"),
            (_("Disputes"), "gavel", "collect.dispute"),
            (_("Unmatched funds"), "help_center", "collect.unmatchedfunds"),
        ],
    ),
    (
        _("Payouts"),
        [
            (_("Payouts"), "send_money", "payout.payout"),
            (_("Payout methods"), "tune", "payout.payoutmethod"),
            (_("Banks"), "assured_workload", "payout.bank"),
            (_("Payouts on/off"), "power_settings_new", "payout.payoutswitch"),
        ],
    ),
    (
        _("Top-ups"),
        [
            (_("Top-ups"), "send_to_mobile", "topup.topup"),
            (_("Mobile operators"), "cell_tower", "topup.operator"),
            (_("Top-up pricing"), "tune", "topup.topupterms"),
        ],
    ),
    (
        _("Bill payments"),
        [
            (_("Bill payments"), "request_quote", "bills.billpayment"),
            (_("Agreements"), "handshake", "bills.agreement"),
            (_("Terms of bill payments"), "tune", "bills.billterms"),
        ],
    ),
    (
        _("Webhooks"),
        [
            (_("Deliveries"), "outbox", "webhooks.delivery"),
            (_("Events"), "bolt", "webhooks.event"),
        ],
    ),
    (
        _("Settlements"),
        [
            (_("Settlements"), "event_available", "settlement.settlement"),
            (_("Tax rules"), "percent", "settlement.taxrule"),
        ],
    ),
    (
        _("Ledger"),
        [
            (_("Accounts"), "account_balance", "ledger.account"),
            (_("Entries"), "menu_book", "ledger.entry"),
            (_("Exchange rates"), "currency_exchange", "rates.exchangerate"),
        ],
    ),
    (
        _("Merchants"),
        [
            (_("Merchants"), "storefront", "merchants.merchant"),
            (_("API keys"), "key", "merchants.apikey"),
            (_("API calls"), "terminal", "api.apicall"),
        ],
    ),
    (
        _("Control"),
        [
            (_("Audit log"), "policy", "core.auditentry"),
            (_("Transitions"), "swap_horiz", "core.transition"),
            (_("Operators"), "badge", "auth.user"),
            (_("Groups"), "groups", "auth.group"),
            (_("Exports"), "download", "console.export"),
        ],
    ),
]


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The side bar, limited by the user's permissions."""
    groups = []
    for heading, entries in SECTIONS:
        items = []
        for label, icon, model in entries:
            page = admin.site.get_model_admin(apps.get_model(model))
            if page.has_view_permission(request):
                url = reverse(f"admin:{model.replace('.', '_')}_changelist")
                if model == LEDGER_ACCOUNT and tenancy.is_merchant_user(request):
                    label, url = _("Balance"), reverse("admin:ledger_balance")
                items.append({"title": label, "icon": icon, "link": url})
        if items:
            groups.append({"title": heading, "separator": True, "items": items})
    return groups


def subheader(request: HttpRequest) -> str | Promise:
    """Under the name of the service: the user's merchants, or that it is the operators' console."""
    try:
        merchants = tenancy.scope(request)
    except tenancy.NoScope:
        merchants = frozenset()
    if merchants is None:
        return _("Operators' console")
    names = Merchant.objects.filter(pk__in=sorted(merchants)).order_by("name")
    return " · ".join(names.values_list("name", flat=True)[:3]) or _("Console")


def favicon(request: HttpRequest) -> str:
    """Called late: in production the file name has a hash."""
    return static("admin/pasarela.svg")


def styles(request: HttpRequest) -> str:
    return static("admin/console.css")


def environment(request: HttpRequest) -> list[str | Promise] | None:
    """The badge beside the title that marks play money."""
    return [_("Sandbox"), "warning"] if settings.SANDBOX else None
