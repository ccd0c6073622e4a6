"""The frame of every console page: the side bar, the icon, the badge of the environment."""

from dataclasses import replace
from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.formatting import list_url
from payments.console.registry import Section, declared

# Users of merchants see their balance and its movements instead of our accounts.
LEDGER_ACCOUNT = "ledger.account"


def sections() -> list[Section]:
    """Of all apps, in their order; those that share an order are merged."""
    merged: dict[int, Section] = {}
    for section in (each for console in declared().values() for each in console.sections):
        earlier = merged.get(section.order)
        entries = (*(earlier.entries if earlier else ()), *section.entries)
        in_order = tuple(sorted(entries, key=lambda entry: entry.order))
        merged[section.order] = replace(section, entries=in_order)
    return [merged[order] for order in sorted(merged)]


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    """The side bar, limited by the user's permissions."""
    groups = []
    for section in sections():
        items = []
        for entry in section.entries:
            page = admin.site.get_model_admin(apps.get_model(entry.model))
            if page.has_view_permission(request):
                label, url = entry.label, list_url(page.model)
                if entry.model == LEDGER_ACCOUNT and tenancy.is_merchant_user(request):
                    label, url = _("Balance"), reverse("admin:ledger_balance")
                items.append({"title": label, "icon": entry.icon, "link": url})
        if items:
            groups.append({"title": section.heading, "separator": True, "items": items})
    return groups


def subheader(request: HttpRequest) -> str | Promise:
    """Under the name of the service: the user's merchants, or that it is the operators' console."""
    try:
        merchants = tenancy.scope(request)
    except tenancy.NoScope:
        merchants = frozenset()
    if merchants is None:
        return _("Operators' console")
    site: Any = admin.site
    return " · ".join(site.merchant_names(merchants)) or _("Console")


def favicon(request: HttpRequest) -> str:
    """Called late: in production the file name has a hash."""
    return static("admin/pasarela.svg")


def styles(request: HttpRequest) -> str:
    return static("admin/console.css")


def environment(request: HttpRequest) -> list[str | Promise] | None:
    return [_("Sandbox"), "warning"] if settings.SANDBOX else None
