"""A list outside of requests, with the present permissions and tenant scope of one user."""

from typing import Any

from django.apps import apps
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db.models import QuerySet
from django.http import HttpRequest, QueryDict
from unfold.views import ChangeList

from payments.console import tenancy
from payments.console.models import Export

# What an address says beside filters and search.
_IGNORED = ("p", "all", "o", "e", "_changelist_filters", "_popup", "_to_field")
_UNPAGED = "_export_unpaged"
# Addresses with unknown or forbidden filters.
BAD_ADDRESS = (IncorrectLookupParameters, SuspiciousOperation)


def filters_of(address: QueryDict) -> str:
    """Filters and search of a list's address, in one order: equal lists have equal texts."""
    kept = address.copy()
    for name in _IGNORED:
        kept.pop(name, None)
    ordered = QueryDict(mutable=True)
    for name in sorted(kept):
        ordered.setlist(name, kept.getlist(name))
    return ordered.urlencode()


def request_of(user: Any, query: str) -> HttpRequest:
    """What the user's browser would send, with its tenant scope."""
    request = HttpRequest()
    request.method = "GET"
    request.user = user
    request.GET = QueryDict(query)
    setattr(request, _UNPAGED, True)
    site: Any = admin.site
    tenancy.set_scope(request, site.scope_of(user))
    return request


class Unpaged(ChangeList):
    """Filters and search of a list, without reading a page of it and counting the rest."""

    def get_results(self, request: HttpRequest) -> None:
        """Rows are read piece by piece elsewhere."""


def is_unpaged(request: HttpRequest) -> bool:
    return bool(getattr(request, _UNPAGED, False))


def rows_of(page: Any, request: HttpRequest) -> QuerySet[Any]:
    """Every row of the list, newest first, whatever page of it is looked at.

    Raises one of BAD_ADDRESS.
    """
    rows: QuerySet[Any] = page.get_changelist_instance(request).get_queryset(request)
    return rows.order_by("-pk")


def page_of(export: Export) -> Any:
    """Raises LookupError if the list no longer exists."""
    return admin.site.get_model_admin(apps.get_model(export.model))


def scope_of(request: HttpRequest) -> list[str] | None:
    """The user's merchants as stored; None: all."""
    scope = tenancy.scope(request)
    return None if scope is None else sorted(scope)


def enter(export: Export) -> tuple[Any, HttpRequest]:
    """Page and request of an export, if its person may still have it.

    Raises PermissionDenied when any of their rights has changed since they asked.
    """
    user = User.objects.get(pk=export.user_id)
    request, page = request_of(user, export.query), page_of(export)
    allowed = (
        user.is_active
        and user.is_staff
        and page.has_export_permission(request)
        and (not export.is_revealed or page.has_reveal_permission(request))
        and scope_of(request) == export.scope
    )
    if not allowed:
        raise PermissionDenied
    return page, request
