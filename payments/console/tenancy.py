"""The wall between merchants: what a person of a merchant may see and do in the console.

Every request of the console has a scope: None for operators, who see all merchants, else the ids
of the merchants that the person works for. Nothing is open to people of merchants but what says
so: a page of records names its `merchant_path` (ConsoleAdmin), and a view or an act stands in its
`merchant_pages` or `merchant_actions`. Whatever is added without a word about it stays closed, with
the answer of an address that does not exist.
"""

from collections.abc import Callable, Iterable
from contextvars import ContextVar
from typing import Any

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest

Scope = frozenset[str] | None
OPEN = "_open_to_merchants"
_SCOPE = "_console_scope"
_COLLEAGUES = "_console_colleagues"
# Pages of the site itself that show nothing but what the pages of records would.
SITE_PAGES = frozenset(
    {
        *("index", "app_index", "search", "toggle_sidebar", "autocomplete_view", "i18n_javascript"),
        *("logout", "password_change", "password_change_done", "catch_all_view"),
    }
)
# For columns and links, which are made without a request at hand. Overwritten by each request of
# the console, and of no meaning outside of one.
_reader: ContextVar[HttpRequest | None] = ContextVar("console_reader", default=None)


class NoScope(RuntimeError):
    """A request that did not come through `AdminSite.admin_view`: nobody said what it may see."""


def enter(request: HttpRequest, scope: Scope) -> None:
    """Sets what the request may see. Done by the AdminSite, and by tasks that act for a person."""
    setattr(request, _SCOPE, scope)
    _reader.set(request)


def scope(request: HttpRequest) -> Scope:
    """None for operators, else the ids of the person's merchants. Raises NoScope."""
    try:
        found: Scope = getattr(request, _SCOPE)
    except AttributeError:
        raise NoScope from None
    return found


def is_merchant_user(request: HttpRequest) -> bool:
    """Whether the person works for merchants, and is no operator."""
    return scope(request) is not None


def current_user_is_merchant() -> bool:
    """is_walled of the request that is being answered, for columns and stories."""
    request = _reader.get()
    return request is not None and is_merchant_user(request)


def readers_scope() -> Scope:
    """scope() of the request that is being answered; None outside of the console."""
    request = _reader.get()
    return None if request is None else scope(request)


def limit(request: HttpRequest, rows: QuerySet[Any], path: str | None) -> QuerySet[Any]:
    """The rows whose merchant, along `path`, is one of the person's; no row without a path."""
    merchants = scope(request)
    if merchants is None:
        return rows
    return rows.none() if path is None else rows.filter(**{f"{path}__in": sorted(merchants)})


def contains(request: HttpRequest, merchant_id: str) -> bool:
    """Whether the person may see this merchant."""
    merchants = scope(request)
    return merchants is None or merchant_id in merchants


def merchant_visible(view: Callable[..., Any]) -> Callable[..., Any]:
    """Marks a view of its own (no method of a page) that people of merchants may open, too."""
    setattr(view, OPEN, True)
    return view


def opens(request: HttpRequest, view: Callable[..., Any]) -> bool:
    """Whether people like this one may open the view at all. Rights are another question."""
    if not is_merchant_user(request) or getattr(view, OPEN, False):
        return True
    owner: Any = getattr(view, "__self__", None)
    name = getattr(view, "__name__", "")
    if isinstance(owner, admin.AdminSite):
        return name in SITE_PAGES
    return getattr(owner, "merchant_path", None) is not None and name in owner.merchant_views()


def colleagues() -> frozenset[str]:
    """User names of those who work for the reader's merchants; empty for operators."""
    request = _reader.get()
    if request is None or (merchants := scope(request)) is None:
        return frozenset()
    if not hasattr(request, _COLLEAGUES):
        site: Any = admin.site  # ours, which knows the tables
        setattr(request, _COLLEAGUES, site.colleagues_of(merchants))
    found: frozenset[str] = getattr(request, _COLLEAGUES)
    return found


def may_open(model: type[Model]) -> bool:
    """Whether the reader may open pages of the model: links to others are text."""
    request = _reader.get()
    page = admin.site._registry.get(model)
    return request is None or (page is not None and page.has_view_permission(request))


def without(fields: Any, hidden: Iterable[str]) -> Any:
    """Fields, rows of fields, or fieldsets, without those that are hidden and without holes."""
    names = frozenset(hidden)
    kept: list[Any] = []
    for item in fields:
        if isinstance(item, str) or callable(item):
            if item not in names:
                kept.append(item)
        elif len(item) == 2 and isinstance(item[1], dict):
            shown = without(item[1].get("fields", ()), names)
            if shown:
                kept.append((item[0], {**item[1], "fields": shown}))
        elif inner := without(item, names):
            kept.append(tuple(inner))
    return kept
