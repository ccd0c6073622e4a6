"""Where a form stands: the pages above it, and the entry of the menu that is marked.

People of one merchant have no list of merchants: a form of their account stands below the list that
it belongs to (`ConfirmedAction.menu`), or else below the page of the account.
"""

from dataclasses import dataclass
from typing import Protocol

from django.apps import apps
from django.db.models import Model
from django.http import HttpRequest
from django.utils.text import capfirst
from django.utils.translation import gettext

from payments.console import tenancy
from payments.console.formatting import admin_url, list_url
from payments.console.registry import menu_word

MERCHANT = "merchants.merchant"
_BELOW = "console_list_above"
_OPENED_FROM = "console_list_opened_from"


@dataclass(frozen=True, slots=True)
class Crumb:
    """full: the whole name, where the text is shortened."""

    text: object
    address: str
    full: object = ""


class Page(Protocol):
    model: type[Model]

    def title_of(self, row: Model) -> object: ...


def stand_below(request: HttpRequest, menu: str) -> None:
    """The form belongs to this list of the merchant's people."""
    if menu and _has_one_merchant(request):
        model = apps.get_model(menu)
        if tenancy.page_of(request, model) is not None:
            setattr(request, _BELOW, model)


def stand_at(request: HttpRequest, model: type[Model]) -> None:
    """The form was opened from this list, and not from that of its own page."""
    setattr(request, _OPENED_FROM, model)


def place(request: HttpRequest) -> str:
    """The address by which the menu marks an entry."""
    model = getattr(request, _BELOW, None) or getattr(request, _OPENED_FROM, None)
    return list_url(model) if model is not None else request.path


def crumbs(request: HttpRequest, page: Page, subject: Model | None) -> list[Crumb]:
    """The list, and the record. The only account of a person needs no name."""
    if subject is not None and is_own_account(request, subject):
        below = getattr(request, _BELOW, None)
        if below is None and isinstance(subject, page.model):
            return [Crumb(gettext("Data and settings"), admin_url(subject) or "")]
        return [list_crumb(below or page.model)]
    if subject is None or not isinstance(subject, page.model):
        return [list_crumb(getattr(request, _OPENED_FROM, None) or page.model)]
    return [
        list_crumb(page.model),
        Crumb(page.title_of(subject), admin_url(subject) or "", full=str(subject)),
    ]


def is_own_account(request: HttpRequest, subject: Model) -> bool:
    """Whether it is the account of the person's only merchant."""
    return bool(subject._meta.label_lower == MERCHANT and _has_one_merchant(request))


def unnamed(request: HttpRequest, page: Page, subject: Model | None) -> Model | None:
    """The subject if no crumb names it, so that the form does."""
    if subject is None or isinstance(subject, page.model) or is_own_account(request, subject):
        return None
    return subject


def list_crumb(model: type[Model]) -> Crumb:
    is_merchant = tenancy.current_user_is_merchant()
    word = menu_word(model._meta.label_lower, is_merchant=is_merchant)
    return Crumb(capfirst(str(word or model._meta.verbose_name_plural)), list_url(model))


def _has_one_merchant(request: HttpRequest) -> bool:
    return tenancy.is_merchant_user(request) and len(tenancy.merchants(request)) == 1
