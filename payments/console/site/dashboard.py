"""The console's first page: figures of today in Bogotá, work queues, charts of 30 days, workers."""

from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import Any

from django.apps import apps
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.module_loading import import_string
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console import saved_filters, tenancy
from payments.console.cockpit import Subject, open_steps
from payments.console.overview import Overview
from payments.console.registry import FirstStep, Text, declared
from payments.console.site import work_queues
from payments.core import clock
from payments.core.days import ONE_DAY
from payments.core.models import Heartbeat

# What each kind of worker does, by the name of its heartbeat.
_WORKS: dict[str, Text] = {
    "money": _("Payments, payouts and bank files"),
    "pump": _("Sending of webhooks"),
}


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Each part needs the permission to view its records; users see their merchants only."""
    overview = Overview(request, clock.now(), tenancy.scope(request))
    cards = work_queues.queue_cards(request)
    parts: dict[str, Any] = {
        "cards": cards,
        "idle_queues": sum(not card["value"] for card in cards),
        "routine_queues": sum(bool(card["value"] and card["is_quiet"]) for card in cards),
        "charts": [],
        "moment": overview.now,
        "saved_filters": saved_filters.everywhere(request),
        "shortcuts": _shortcuts(request) if overview.scope is not None else [],
        "is_of_merchant": overview.scope is not None,
        "first_steps": _first_steps(overview),
    }
    for path in filter(None, (console.overview for console in declared().values())):
        make: Callable[[Overview], dict[str, Any]] = import_string(path)
        made = make(overview)
        charts = [*parts["charts"], *made.get("charts", ())]
        parts |= {**made, "charts": charts}
    if overview.scope is None:
        parts["workers"] = _workers(overview.now)
        parts["alarms"] = list(_alarms(parts, overview.now)) if cards else []
        parts["empty_charts"] = [chart["title"] for chart in parts["charts"] if chart["is_empty"]]
    parts["charts"] = [chart for chart in parts["charts"] if not chart["is_empty"]]
    return {**context, **parts}


def _shortcuts(request: HttpRequest) -> list[dict[str, object]]:
    """The buttons that this person may press, for a merchant that has them."""
    found = [shortcut for console in declared().values() for shortcut in console.shortcuts]
    found = [one for one in found if request.user.has_perm(one.right)]
    rows = apps.get_model("merchants.merchant")._default_manager.filter(
        pk__in=tenancy.merchants(request)
    )
    switches = list(rows.values(*{one.switch for one in found})) if found else []
    return [
        {"label": one.label, "icon": one.icon, "link": reverse(one.url_name)}
        for one in sorted(found, key=lambda one: one.order)
        if any(row[one.switch] for row in switches)
    ]


def _first_steps(overview: Overview) -> list[FirstStep]:
    """Of people of one merchant, until all of them are done."""
    if overview.scope is None or len(overview.scope) != 1:
        return []
    subject = Subject(request=overview.request, merchant_id=min(overview.scope), now=overview.now)
    return open_steps(subject)


def _alarms(parts: dict[str, Any], now: datetime) -> Iterator[dict[str, object]]:
    """What stands still and no queue has: no worker, or webhooks that wait for days."""
    silent = [worker for worker in parts["workers"] if not worker["alive"]]
    if silent or not parts["workers"]:
        label = gettext("Workers that are silent: payments are not checked, nothing is sent")
        yield _alarm(label, len(silent), "#desk-workers", None)
    webhooks = parts.get("webhooks") or {}
    oldest = webhooks.get("oldest")
    if oldest is not None and now - oldest > ONE_DAY:
        address = f"{reverse('admin:webhooks_delivery_changelist')}?status__exact=PENDING"
        yield _alarm(gettext("Webhooks on their way"), webhooks["pending"], address, oldest)


def _alarm(label: str, value: int, link: str, oldest: datetime | None) -> dict[str, object]:
    card = {"label": label, "value": value or "!", "link": link, "oldest": oldest}
    return {**card, "is_quiet": False, "is_routine": False, "is_alarm": True}


def _workers(now: datetime) -> list[dict[str, object]]:
    limit = timedelta(seconds=settings.HEARTBEAT_MAX_AGE_SECONDS)
    return [
        {"name": _WORKS.get(beat.name, beat.name), "at": beat.at, "alive": now - beat.at < limit}
        for beat in Heartbeat.objects.order_by("name")
    ]
