"""Filters that people save: a name for a list with its search, filters and order.

The row stores the list and its known query parameters, never a URL.
"""

import re
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.options import IncorrectLookupParameters, ModelAdmin
from django.contrib.admin.views.main import ORDER_VAR, SEARCH_VAR, ChangeList
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from payments.console import tenancy
from payments.console.models import SavedFilter
from payments.core import ids

KEPT_MAX = 50
QUERY_MAX = 1000
_OF_CHANGES = "_console_saved_filters"
_ID = re.compile(rf"[a-z]{{2,5}}_[{ids.ALPHABET}]{{26}}")


class NameForm(forms.ModelForm):
    """The name of the filter, and whether colleagues see it."""

    class Meta:
        model = SavedFilter
        fields = ["name", "is_shared"]


def of_list(request: HttpRequest, page: str) -> list[dict[str, object]]:
    """The user's own, then shared ones."""
    return [_shown(request, row) for row in _visible(request, page=page)]


def of_changes(request: HttpRequest, changes: ChangeList) -> list[dict[str, Any]]:
    """Of the displayed list, each with `is_current`. Read once for a page."""
    if (found := getattr(request, _OF_CHANGES, None)) is None:
        query = part_of(changes, request.GET)
        rows = of_list(request, changes.model._meta.label_lower)
        found = [{**row, "is_current": bool(query) and row["query"] == query} for row in rows]
        setattr(request, _OF_CHANGES, found)
    return found


def everywhere(request: HttpRequest) -> list[dict[str, object]]:
    """For the first page: the filters of lists that the user may still see."""
    shown = []
    for row in _visible(request):
        found = _admin_of(request, row.page)
        if found is not None and found.has_view_permission(request):
            place = found.opts.verbose_name_plural
            shown.append({**_shown(request, row), "place": place})
    return shown


def urls(site: admin.AdminSite) -> list[URLPattern]:
    """Three POST views behind `admin_view`."""
    return [
        path("saved/add/", site.admin_view(add), name="saved_add"),
        path("saved/<int:pk>/change/", site.admin_view(change), name="saved_change"),
        path("saved/<int:pk>/delete/", site.admin_view(delete), name="saved_delete"),
    ]


@require_POST
def add(request: HttpRequest) -> HttpResponse:
    label = request.POST.get("page", "")
    found = _admin_of(request, label)
    if found is None or not found.has_view_permission(request):
        raise PermissionDenied
    query = known_query(request, found, request.POST.get("query", ""))
    form = NameForm(request.POST)
    if not query:
        messages.error(request, gettext("There is no filter or search to save."))
    elif not form.is_valid():
        messages.error(request, gettext("Give it a name of at most 60 characters."))
    elif SavedFilter.objects.filter(user=request.user.pk).count() >= KEPT_MAX:
        messages.error(request, gettext("You have %d saved filters. Delete one first.") % KEPT_MAX)
    else:
        row = form.instance
        row.user_id, row.page, row.query = request.user.pk, label, query
        _save(request, row)
    return redirect(_address(request, label, query))


@require_POST
def change(request: HttpRequest, pk: int) -> HttpResponse:
    row = _own(request, pk)
    form = NameForm(request.POST, instance=row)
    if form.is_valid():
        _save(request, row)
    else:
        messages.error(request, gettext("Give it a name of at most 60 characters."))
    return redirect(_address(request, row.page, row.query))


@require_POST
def delete(request: HttpRequest, pk: int) -> HttpResponse:
    row = _own(request, pk)
    row.delete()
    messages.success(request, gettext("Filter deleted: %s") % row.name)
    return redirect(_address(request, row.page, ""))


def known_query(request: HttpRequest, page: ModelAdmin, text: str) -> str:
    """The part of the query that this list knows. Empty when the list refuses the query."""
    asked, request.GET = request.GET, QueryDict()
    try:
        kept = part_of(page.get_changelist_instance(request), QueryDict(text[:QUERY_MAX]))
        request.GET = QueryDict(kept)
        page.get_changelist_instance(request)
    except (IncorrectLookupParameters, SuspiciousOperation, ValueError):
        return ""
    finally:
        request.GET = asked
    return kept


def part_of(changes: ChangeList, given: QueryDict) -> str:
    """Keeps search, order and filters of the query."""
    names = {SEARCH_VAR, ORDER_VAR}
    for spec in changes.filter_specs:
        names.update(filter(None, spec.expected_parameters()))
    kept = QueryDict(mutable=True)
    for name in sorted(names & set(given)):
        if values := [value for value in given.getlist(name) if value]:
            kept.setlist(name, values)
    return str(kept.urlencode())


def without_search(query: str) -> str:
    """Removes a searched document, e-mail address or name from the query. Ids of ours stay."""
    kept = QueryDict(query, mutable=True)
    if not all(_ID.fullmatch(text.strip()) for text in kept.getlist(SEARCH_VAR)):
        del kept[SEARCH_VAR]
    return str(kept.urlencode())


def _save(request: HttpRequest, row: SavedFilter) -> None:
    # Users of merchants cannot share: their colleagues may see other merchants.
    row.is_shared = row.is_shared and not tenancy.is_merchant_user(request)
    try:
        with transaction.atomic():
            row.save()
    except IntegrityError:
        messages.error(request, gettext("You have a filter of this name here already."))
    else:
        messages.success(request, gettext("Filter saved: %s") % row.name)
        if row.is_shared and without_search(row.query) != row.query:
            text = gettext("Colleagues see it without what you searched for.")
            messages.warning(request, text)


def _visible(request: HttpRequest, **where: str) -> list[SavedFilter]:
    """The user's own filters and shared ones, without those that were only a search."""
    own = Q(user=request.user.pk)
    shared = Q() if tenancy.is_merchant_user(request) else Q(is_shared=True)
    rows = SavedFilter.objects.filter(own | shared if shared else own, **where).select_related(
        "user"
    )
    return [
        row
        for row in rows.order_by("name", "pk")
        if row.user_id == request.user.pk or without_search(row.query)
    ]


def _own(request: HttpRequest, pk: int) -> SavedFilter:
    row = SavedFilter.objects.filter(pk=pk, user=request.user.pk).first()
    if row is None:
        raise Http404
    return row


def _admin_of(request: HttpRequest, label: str) -> ModelAdmin | None:
    pages = tenancy.site_of(request)._registry.items()
    return next((page for model, page in pages if model._meta.label_lower == label), None)


def _address(request: HttpRequest, label: str, query: str) -> str:
    """The URL is built from the list, so that input cannot redirect elsewhere."""
    found = _admin_of(request, label)
    if found is None:
        return reverse("admin:index")
    address = reverse(f"admin:{found.opts.app_label}_{found.opts.model_name}_changelist")
    return f"{address}?{query}" if query else address


def _shown(request: HttpRequest, row: SavedFilter) -> dict[str, object]:
    is_own = row.user_id == request.user.pk
    query = row.query if is_own else without_search(row.query)
    return {
        "pk": row.pk,
        "name": row.name,
        "url": _address(request, row.page, query),
        "query": query,
        "is_own": is_own,
        "is_shared": row.is_shared,
        "whose": "" if is_own else row.user.get_username(),
    }
