"""The frame of every console page: the side bar, the icon, the badge of the environment."""

from dataclasses import replace
from typing import TypedDict

from django.apps import apps
from django.conf import settings
from django.contrib.admin.utils import quote
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.crumbs import MERCHANT, place
from payments.console.formatting import list_url
from payments.console.registry import MERCHANT_GROUPS, Entry, Section, Text, declared

# Users of merchants see their balance and its movements instead of our accounts.
LEDGER_ACCOUNT = "ledger.account"
# A menu of more entries shows only the groups of every day, and the one of the open page.
ENTRIES_AT_ONCE = 24
LAST_DAILY = 20  # the order of collections is 10, of payouts 20


class NavigationItem(TypedDict):
    title: Text
    icon: str
    link: str
    begins: list[str]  # addresses on which it is marked, beside its own
    active: bool


class NavigationGroup(TypedDict):
    title: Text
    is_open: bool
    items: list[NavigationItem]


def sections() -> list[Section]:
    """The sections of all apps, in their order. Sections with the same order are merged."""
    merged: dict[int, Section] = {}
    for section in (each for console in declared().values() for each in console.sections):
        earlier = merged.get(section.order)
        entries = (*(earlier.entries if earlier else ()), *section.entries)
        in_order = tuple(sorted(entries, key=lambda entry: entry.order))
        merged[section.order] = replace(section, entries=in_order)
    return [merged[order] for order in sorted(merged)]


def merchant_sections() -> list[Section]:
    """The same entries in the groups of people of merchants."""
    found: dict[int, Section] = {}
    for section in sections():
        for entry in section.entries:
            order, heading = MERCHANT_GROUPS.get(entry.group, (section.order, section.heading))
            group = found.setdefault(order, Section(order, heading, ()))
            found[order] = replace(group, entries=(*group.entries, entry))
    return [found[order] for order in sorted(found)]


def _item(request: HttpRequest, entry: Entry) -> NavigationItem:
    """Where people of merchants have one row, its page stands for the list."""
    model = apps.get_model(entry.model)
    label = entry.label_for(is_merchant=tenancy.is_merchant_user(request))
    url = list_url(model)
    begins = [list_url(apps.get_model(child)) for child in entry.children]
    if entry.url_name:
        url = reverse(entry.url_name)
    if tenancy.is_merchant_user(request):
        own = tenancy.merchants(request)
        if entry.model == LEDGER_ACCOUNT:
            label, url = _("Balance"), reverse("admin:ledger_balance")
        if entry.model == MERCHANT and len(own) == 1:
            label = _("Data and settings")
            url = reverse("admin:merchants_merchant_change", args=[quote(own[0])])
            begins.append(list_url(model))
        if entry.model == LEDGER_ACCOUNT:
            begins.append(list_url(model))
    return {"title": label, "icon": entry.icon, "link": url, "begins": begins, "active": False}


def navigation(request: HttpRequest) -> list[NavigationGroup]:
    groups: list[NavigationGroup] = []
    found = merchant_sections() if tenancy.is_merchant_user(request) else sections()
    for section in found:
        items = [
            _item(request, entry)
            for entry in section.entries
            if tenancy.page_of(request, apps.get_model(entry.model)) is not None
        ]
        if items:
            is_open = section.order <= LAST_DAILY
            groups.append({"title": section.heading, "is_open": is_open, "items": items})
    _mark_longest([item for group in groups for item in group["items"]], place(request))
    for group in groups:
        group["is_open"] = group["is_open"] or any(item["active"] for item in group["items"])
    is_short = sum(len(group["items"]) for group in groups) <= ENTRIES_AT_ONCE
    return [{**group, "is_open": is_short or group["is_open"]} for group in groups]


def _mark_longest(items: list[NavigationItem], path: str) -> None:
    """Of two pages of which one's address begins with the other's, only the open one is marked.

    Each item gets a value: the theme decides about those without one by the address alone, which
    is not where a withdrawal stands.
    """
    begun = [
        (len(begin), item)
        for item in items
        for begin in (item["link"], *item["begins"])
        if path.startswith(begin)
    ]
    longest = max(begun, key=lambda each: each[0])[1] if begun else None
    for item in items:
        item["active"] = item is longest


def subheader(request: HttpRequest) -> Text:
    """The text under the service's name: the user's merchants, or the operators' console."""
    if not tenancy.is_merchant_user(request):
        return _("Operators' console")
    names = tenancy.site_of(request).merchant_names(tenancy.merchants(request))
    return " · ".join(names) or _("Console")


def favicon(request: HttpRequest) -> str:
    """Called late, because in production the file name has a hash."""
    return static("admin/pasarela.svg")


def styles(request: HttpRequest) -> str:
    return static("admin/console.css")


def environment(request: HttpRequest) -> list[Text] | None:
    return [_("Sandbox"), "warning"] if settings.SANDBOX else None
