"""The console's first page: figures of today in Bogotá, work queues, charts of 30 days, workers."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.module_loading import import_string

from payments.console import saved_filters, tenancy
from payments.console.overview import Overview
from payments.console.registry import declared
from payments.console.site import work_queues
from payments.core import clock
from payments.core.models import Heartbeat


def dashboard(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Each part needs the permission to view its records; users see their merchants only."""
    overview = Overview(request, clock.now(), tenancy.scope(request))
    parts: dict[str, Any] = {
        "cards": work_queues.queue_cards(request),
        "charts": [],
        "moment": overview.now,
        "saved_filters": saved_filters.everywhere(request),
    }
    for path in filter(None, (console.overview for console in declared().values())):
        make: Callable[[Overview], dict[str, Any]] = import_string(path)
        made = make(overview)
        charts = [*parts["charts"], *made.get("charts", ())]
        parts |= {**made, "charts": charts}
    if overview.scope is None:
        parts["workers"] = _workers(overview.now)
    return {**context, **parts}


def _workers(now: datetime) -> list[dict[str, object]]:
    limit = timedelta(seconds=settings.HEARTBEAT_MAX_AGE_SECONDS)
    return [
        {"name": beat.name, "at": beat.at, "alive": now - beat.at < limit}
        for beat in Heartbeat.objects.order_by("name")
    ]
