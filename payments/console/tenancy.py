"""The tenant scope: whose rows a user of the console sees, and on which site.

Every request of the console has a scope: None for operators, who see all merchants, or else the ids
of the user's merchants. The scope decides which AdminSite serves the request (site_of). The site of
users of merchants has only the parts that pages declare for them (merchant_pages).
"""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import Any, TypeVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

Scope = frozenset[str] | None
Rows = TypeVar("Rows", bound=QuerySet[Any, Any])
_SCOPE = "_console_scope"
_COLLEAGUES = "_console_colleagues"
_READ = "_console_read"
# For columns and links, which get no request. Each request of the console sets this variable.
_current_request: ContextVar[HttpRequest | None] = ContextVar("console_request", default=None)


class NoScope(RuntimeError):
    """The request did not come through the console's middleware, so it has no tenant scope."""


def set_scope(request: HttpRequest, scope: Scope) -> None:
    """Called by the middleware, and by tasks that work for a user."""
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


def merchants(request: HttpRequest) -> list[str]:
    """Ids of the merchants of a user of merchants. Raises NoScope for operators."""
    if (found := scope(request)) is None:
        raise NoScope
    return sorted(found)


def current_user() -> Any:
    """Who reads the page. None outside the console."""
    request = _current_request.get()
    return None if request is None else request.user


def current_request() -> HttpRequest | None:
    """Of the console; None outside of it."""
    return _current_request.get()


def current_user_is_merchant() -> bool:
    """For columns and timelines, which get no request."""
    request = _current_request.get()
    return request is not None and is_merchant_user(request)


def current_user_has_one_merchant() -> bool:
    """Whose records all are of one merchant, so that its name tells nothing."""
    return len(readers_scope() or ()) == 1


def readers_scope() -> Scope:
    """scope() of the current request; None outside the console."""
    request = _current_request.get()
    return None if request is None else scope(request)


def site_of(request: HttpRequest) -> Any:
    operators: Any = admin.site
    return operators.of_merchants if is_merchant_user(request) else operators


def limit(request: HttpRequest, rows: Rows, path: str) -> Rows:
    """The rows whose merchant, along `path`, is one of the user's."""
    found = scope(request)
    return rows if found is None else rows.filter(**{f"{path}__in": sorted(found)})


def contains(request: HttpRequest, merchant_id: str) -> bool:
    found = scope(request)
    return found is None or merchant_id in found


def colleagues() -> Mapping[str, str]:
    """{user name: name} of the members of the user's merchants; empty for operators."""
    request = _current_request.get()
    if request is None or (found := scope(request)) is None:
        return {}
    if not hasattr(request, _COLLEAGUES):
        setattr(request, _COLLEAGUES, site_of(request).colleagues_of(found))
    names: Mapping[str, str] = getattr(request, _COLLEAGUES)
    return names


def read_once(key: str, read: Callable[[], str]) -> str:
    """The value of `read`, which a request reads once however many rows show it."""
    request = _current_request.get()
    known: dict[str, str] = {} if request is None else request.__dict__.setdefault(_READ, {})
    if key not in known:
        known[key] = read()
    return known[key]


def may_open(model: type[Model]) -> bool:
    """Whether the user may open the page of the model. Otherwise a link is shown as text."""
    request = _current_request.get()
    return request is None or page_of(request, model) is not None


def page_of(request: HttpRequest, model: type[Model]) -> Any:
    """The page of the model on the user's site.

    None if there is none, or if this user may not open it.
    """
    page = site_of(request)._registry.get(model)
    return page if page is not None and page.has_view_permission(request) else None
