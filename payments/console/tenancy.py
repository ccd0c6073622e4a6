"""The tenant scope: what users of merchants may see and do in the console.

Every request of the console has a scope: None for operators, who see all merchants, else the ids
of the user's merchants. A page of records is open to users of merchants if it names its
`merchant_path` (ConsoleAdmin), a view or an action if its `merchant_pages` or `merchant_actions`
names it. All else returns 404 to them.
"""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

Scope = frozenset[str] | None
MERCHANT_VISIBLE = "_open_to_merchants"
_SCOPE = "_console_scope"
_COLLEAGUES = "_console_colleagues"
# Pages of the site itself that show nothing but what the pages of records would.
SITE_PAGES = frozenset(
    {
        *("index", "app_index", "search", "toggle_sidebar", "autocomplete_view", "i18n_javascript"),
        *("logout", "password_change", "password_change_done", "catch_all_view"),
    }
)
# For columns and links, which get no request. Each request of the console overwrites it.
_current_request: ContextVar[HttpRequest | None] = ContextVar("console_request", default=None)


class NoScope(RuntimeError):
    """The request did not come through `AdminSite.admin_view`, so it has no tenant scope."""


def set_scope(request: HttpRequest, scope: Scope) -> None:
    """The AdminSite does it, and tasks that work for a user."""
    setattr(request, _SCOPE, scope)
    _current_request.set(request)


def scope(request: HttpRequest) -> Scope:
    """None for operators, else the ids of the user's merchants. Raises NoScope."""
    try:
        found: Scope = getattr(request, _SCOPE)
    except AttributeError:
        raise NoScope from None
    return found


def is_merchant_user(request: HttpRequest) -> bool:
    return scope(request) is not None


def current_user_is_merchant() -> bool:
    """For columns and timelines, which get no request."""
    request = _current_request.get()
    return request is not None and is_merchant_user(request)


def readers_scope() -> Scope:
    """scope() of the current request; None outside the console."""
    request = _current_request.get()
    return None if request is None else scope(request)


def limit(request: HttpRequest, rows: QuerySet[Any], path: str | None) -> QuerySet[Any]:
    """The rows whose merchant, along `path`, is one of the user's; no row without a path."""
    merchants = scope(request)
    if merchants is None:
        return rows
    return rows.none() if path is None else rows.filter(**{f"{path}__in": sorted(merchants)})


def contains(request: HttpRequest, merchant_id: str) -> bool:
    merchants = scope(request)
    return merchants is None or merchant_id in merchants


def merchant_visible(view: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a view that is no method of a page, and that users of merchants may open."""
    setattr(view, MERCHANT_VISIBLE, True)
    return view


def may_open_view(request: HttpRequest, view: Callable[..., Any]) -> bool:
    """Rights are checked elsewhere."""
    if not is_merchant_user(request) or getattr(view, MERCHANT_VISIBLE, False):
        return True
    owner: Any = getattr(view, "__self__", None)
    name = getattr(view, "__name__", "")
    if isinstance(owner, admin.AdminSite):
        return name in SITE_PAGES
    return getattr(owner, "merchant_path", None) is not None and name in owner.merchant_views()


def colleagues() -> frozenset[str]:
    """User names of the members of the user's merchants; empty for operators."""
    request = _current_request.get()
    if request is None or (merchants := scope(request)) is None:
        return frozenset()
    if not hasattr(request, _COLLEAGUES):
        site: Any = admin.site  # ours, which knows the tables
        setattr(request, _COLLEAGUES, site.colleagues_of(merchants))
    found: frozenset[str] = getattr(request, _COLLEAGUES)
    return found


def may_open(model: type[Model]) -> bool:
    """Links to other models are text."""
    request = _current_request.get()
    page = admin.site._registry.get(model)
    return request is None or (page is not None and page.has_view_permission(request))


def remove_fields(fields: Any, hidden: Iterable[str]) -> Any:
    """Fields, rows of fields, or fieldsets, without the hidden ones and without empty rows."""
    names = frozenset(hidden)
    kept: list[Any] = []
    for item in fields:
        if isinstance(item, str) or callable(item):
            if item not in names:
                kept.append(item)
        elif len(item) == 2 and isinstance(item[1], dict):
            if inner := remove_fields(item[1].get("fields", ()), names):
                kept.append((item[0], {**item[1], "fields": inner}))
        elif inner := remove_fields(item, names):
            kept.append(tuple(inner))
    return kept
