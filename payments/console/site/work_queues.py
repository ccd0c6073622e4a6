"""Work queues of the first page: records that wait for a person, with counts and links."""

from collections.abc import Callable, Iterable
from typing import Any

from django.apps import apps
from django.db.models import Count, Min, QuerySet
from django.http import HttpRequest
from django.utils.module_loading import import_string

from payments.console import tenancy
from payments.console.changelist import COUNT_CAP
from payments.console.formatting import actor, list_url
from payments.console.registry import Task, WorkQueue, declared
from payments.core import clock

TASKS_MAX = 5
_BORN = ("created_at", "opened_at", "uploaded_at", "imported_at", "requested_at")


def queue_cards(request: HttpRequest) -> list[dict[str, object]]:
    """Limited by the user's permissions and tenant scope; queues with work come first.

    `is_quiet`: nothing for this person to decide. A worker handles the rows, or others decide.
    """
    cards: list[dict[str, object]] = []
    now, is_merchant = clock.now(), tenancy.is_merchant_user(request)
    queues = (queue for console in declared().values() for queue in console.queues)
    for queue in sorted(queues, key=lambda queue: queue.order):
        model = apps.get_model(queue.model)
        page = tenancy.page_of(request, model)
        decides = _decides(request, queue, is_merchant)
        if page is None or (is_merchant and (queue.for_operators_only or not decides)):
            continue
        if queue.for_merchants_only and not is_merchant:
            continue
        rows = model._default_manager.filter(queue.where(now))
        if is_merchant:
            rows = tenancy.limit(request, rows.filter(queue.merchant_filter), page.merchant_path)
        if queue.asked_by:
            rows = rows.exclude(**{queue.asked_by: actor(request)})
        found = _measure(rows)
        cards.append(
            {
                "label": queue.label,
                "value": found["rows"],
                "oldest": found.get("oldest"),
                "tasks": _tasks(queue, rows) if is_merchant and found["rows"] else [],
                "link": f"{list_url(model)}?{queue.query}",
                "is_quiet": queue.is_routine or not decides,
                "is_routine": queue.is_routine,
                "is_alarm": queue.is_alarm,
            }
        )
    return sorted(
        cards, key=lambda card: (bool(card["is_quiet"]), not card["value"], not card["is_alarm"])
    )


def _tasks(queue: WorkQueue, rows: QuerySet[Any]) -> list[Task]:
    """What has waited longest comes first: ids sort by time."""
    if not queue.tasks:
        return []
    describe: Callable[[QuerySet[Any]], Iterable[Task]] = import_string(queue.tasks)
    return list(describe(rows.order_by("pk")[:TASKS_MAX]))


def _measure(rows: QuerySet[Any]) -> dict[str, Any]:
    """How many rows wait and, where they have the time of their making, since when the oldest."""
    names = {field.name for field in rows.model._meta.concrete_fields}
    at = next((name for name in _BORN if name in names), None)
    oldest = {"oldest": Min(at)} if at else {}
    return dict(rows.order_by()[:COUNT_CAP].aggregate(rows=Count("pk"), **oldest))


def _decides(request: HttpRequest, queue: WorkQueue, is_merchant: bool) -> bool:
    """Superusers hold every right."""
    if not queue.decided_by:
        return not is_merchant
    return any(request.user.has_perm(right) for right in queue.decided_by.split())
