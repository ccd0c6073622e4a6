"""Reads a list outside of requests, with the present permissions and tenant scope of one user."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol

from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.auth.models import AnonymousUser, User
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db.models import Model, QuerySet
from django.http import HttpRequest, QueryDict
from unfold.views import ChangeList

from payments.console import tenancy
from payments.console.exports.columns import Column
from payments.console.models import Export

# Parameters of a list's URL that are neither filters nor search.
_IGNORED = ("p", "all", "o", "e", "_changelist_filters", "_popup", "_to_field")
_UNPAGED = "_export_unpaged"
# Raised for a URL with unknown or forbidden filters.
BAD_ADDRESS = (IncorrectLookupParameters, SuspiciousOperation)


def filters_of(address: QueryDict) -> str:
    """Filters and search of a list's URL, sorted, so that equal lists have equal texts."""
    kept = address.copy()
    for name in _IGNORED:
        kept.pop(name, None)
    ordered = QueryDict(mutable=True)
    for name in sorted(kept):
        ordered.setlist(name, kept.getlist(name))
    return ordered.urlencode()


def request_of(user: User | AnonymousUser, query: str) -> HttpRequest:
    """A request like one of the user's browser, with the user's tenant scope.

    A worker imports the lists here, at its first export (config/urls.py).
    """
    import_module(settings.ROOT_URLCONF)
    request = HttpRequest()
    request.method = "GET"
    request.user = user
    request.GET = QueryDict(query)
    setattr(request, _UNPAGED, True)
    site: Any = admin.site
    tenancy.set_scope(request, site.scope_of(user))
    return request


class ExportedPage(Protocol):
    model: type[Model]

    @property
    def export_columns(self) -> Sequence[Column]: ...
    def has_export_permission(self, request: HttpRequest) -> bool: ...
    def has_reveal_permission(self, request: HttpRequest) -> bool: ...
    def get_changelist_instance(self, request: HttpRequest) -> ChangeList: ...


class Unpaged(ChangeList):
    """A list's filters and search, without reading a page or counting rows."""

    def get_results(self, request: HttpRequest) -> None:
        """Does nothing, because the rows are read in pieces."""


def is_unpaged(request: HttpRequest) -> bool:
    return bool(getattr(request, _UNPAGED, False))


def rows_of(page: ExportedPage, request: HttpRequest) -> QuerySet[Model]:
    """Every row of the list, newest first, on all pages. Raises one of BAD_ADDRESS."""
    rows: QuerySet[Model] = page.get_changelist_instance(request).get_queryset(request)
    return rows.order_by("-pk")


def scope_of(request: HttpRequest) -> list[str] | None:
    """The ids of the user's merchants, as stored. None: all merchants."""
    scope = tenancy.scope(request)
    return None if scope is None else sorted(scope)


def enter(export: Export) -> tuple[ExportedPage, HttpRequest]:
    """Page and request of an export, if its owner may still have it.

    Raises PermissionDenied if the owner's rights have changed since the request.
    """
    user = User.objects.get(pk=export.user_id)
    request = request_of(user, export.query)
    page = tenancy.site_of(request).get_model_admin(apps.get_model(export.model))
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
