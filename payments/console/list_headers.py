"""Where the mark of a list's order stands."""

from collections.abc import Sequence
from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.http import HttpRequest

# Ids sort by time, and their index serves the list: people read the order in a column of times.
_BY_TIME = ("id", "pk", "created_at", "requested_at", "opened_at", "at")
_TIMES = ("created", "when", "opened", "requested", "at", "imported", "uploaded", "invited")


def mark_order(
    request: HttpRequest, changes: ChangeList, headers: Sequence[dict[str, Any]]
) -> None:
    """Moves the mark of the id to the column of times; a list without a mark gets one there."""
    times = _column(headers, _TIMES)
    if times is None:
        return
    ids = _column(headers, ("id",))
    if ids is not None and ids.get("sort_priority"):
        _mark(times, is_ascending=ids["ascending"], turned=ids["url_toggle"])
    elif not any(header.get("sort_priority") for header in headers):
        # What the page's get_ordering says, which Django does not mark.
        first = str(next(iter(changes.get_ordering(request, changes.root_queryset)), ""))
        if first.removeprefix("-") in _BY_TIME:
            turned = (ids or times).get("url_primary") or times.get("url_primary", "")
            _mark(times, is_ascending=not first.startswith("-"), turned=turned)
    if ids is not None:
        ids.update(sortable=False, sort_priority=0)


def _column(headers: Sequence[dict[str, Any]], names: Sequence[str]) -> dict[str, Any] | None:
    wanted = {f"column-{name}" for name in names}
    found = (each for each in headers if wanted & set(str(each["class_attrib"]).split()))
    return next(found, None)


def _mark(header: dict[str, Any], *, is_ascending: bool, turned: str) -> None:
    """`turned`: the address of the other direction; empty if the list has only one."""
    header.update(
        sorted=True,
        sortable=bool(turned),
        sort_priority=1,
        ascending=is_ascending,
        url_toggle=turned,
        url_remove="",
    )
