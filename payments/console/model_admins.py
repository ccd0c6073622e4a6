"""Base classes of the operators' pages: read-only tables, confirmed actions, one-time secrets.

Nothing can be deleted, and the audit log replaces Django's own admin log.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import structlog
from django.contrib import messages
from django.contrib.admin import AdminSite, ShowFacets
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db.models import DecimalField, Model, QuerySet
from django.forms import Media
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.text import capfirst
from django.utils.translation import gettext
from unfold.dataclasses import UnfoldAction
from unfold.enums import ActionVariant

from payments.console import crumbs, reauthentication, status_tabs, tenancy
from payments.console.actions import (
    ACTION_PAGE,
    ALREADY_SENT,
    Cleaned,
    ConfirmedAction,
    add_errors,
    claim_form,
    new_form_token,
    require_reason,
    said,
    use_words_of_merchants,
)
from payments.console.changelist import CappedPaginator
from payments.console.code_words import code_words
from payments.console.detail_page import DetailPage
from payments.console.exports.changelist import ExportingAdmin
from payments.console.exports.column_names import CODES
from payments.console.formatting import actor, admin_url, list_url, number
from payments.console.masking import RevealingAdmin
from payments.console.registry import Text, menu_word
from payments.core.errors import ServiceError

# Fields whose codes are shown as words.
log = structlog.get_logger(__name__)


class ConsoleAdmin(DetailPage, ExportingAdmin, RevealingAdmin):
    """A page of operators: no deletion, only declared bulk actions, no count of whole tables.

    The page declares its parts for users of merchants (merchant_pages). Without a path they
    have no such page.
    """

    # From a row to the id of its merchant, as a lookup: "merchant", "order__merchant", "pk".
    merchant_path: ClassVar[str | None] = None
    # Used instead of merchant_path for rows of people: from a row to the id of its user.
    user_path: ClassVar[str | None] = None
    # Names of views and actions that users of merchants may use.
    merchant_pages: ClassVar[frozenset[str]] = frozenset(
        {"changelist_view", "change_view", "reveal", "export"}
    )
    merchant_actions: ClassVar[frozenset[str]] = frozenset()
    # Columns, fields and filters about us, our rails, or operators.
    not_for_merchants: ClassVar[frozenset[str]] = frozenset()

    # The columns of people of merchants, if they are not those of operators.
    list_for_merchants: ClassVar[list[str]] = []
    # Their help of the search, if that of operators names merchants.
    search_help_for_merchants: ClassVar[Text] = ""
    # What an empty list will hold, and how its first row comes. For people of merchants.
    empty_text: ClassVar[Text] = ""
    shown_if_empty: Text = ""
    # What the list is and how it is read, in a line above it; for people of merchants only if it
    # has rows, because an empty one says it already.
    list_about: ClassVar[Text] = ""
    list_about_for_merchants: ClassVar[Text] = ""

    # People of merchants have few rows: their list has no tabs, search or filters.
    is_short_for_merchants: ClassVar[bool] = False
    # The button that adds a row is in the menu, because another way is the usual one.
    add_is_further: ClassVar[bool] = False

    # The column whose values are tabs above the list, each with its count.
    tab_field: ClassVar[str] = ""

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER  # each would count the whole table
    list_per_page = 50
    list_max_show_all = 0
    list_before_template = "admin/saved_filters.html"
    warn_unsaved_form = True
    compressed_fields = True
    # The theme asks for both, the first at each field. For what is absent, Django's templates look
    # through all names of the page, which was a tenth of the time of a merchant's page.
    conditional_fields: ClassVar[dict[str, str]] = {}
    change_form_show_cancel_button = False
    # True if the forms give rights, money or secrets away.
    forms_need_reauthentication: ClassVar[bool] = False

    def __init__(self, model: type[Model], site: AdminSite) -> None:
        super().__init__(model, site)
        decimals = (f.name for f in model._meta.concrete_fields if isinstance(f, DecimalField))
        codes = (f.name for f in model._meta.concrete_fields if f.name in CODES and not f.choices)
        self.readonly_preprocess_fields = {
            **dict.fromkeys(decimals, number),
            **dict.fromkeys(codes, code_words),
        }

    def get_paginator(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **kwargs: Any
    ) -> Paginator:
        """Knows the count already if the tabs of the list know it."""
        pages: Paginator = super().get_paginator(request, queryset, *args, **kwargs)
        if (known := status_tabs.total(request, self)) is not None:
            pages.__dict__["count"] = known
        return pages

    @property
    def media(self) -> Media:
        """Django's libraries are for widgets that no page of ours has."""
        return Media(js=["admin/js/actions.js"] if self.actions or self.list_editable else [])

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """The title of the window is the name of the list. An empty one has its first action."""
        title = self.name_of_list
        response: HttpResponse = super().changelist_view(
            request, {"title": title, **(extra_context or {})}
        )
        context = getattr(response, "context_data", None) or {}
        if (rows := context.get("cl")) is not None:
            buttons = [one for one in context.get("actions_list") or () if isinstance(one, dict)]
            first = (one for one in buttons if one.get("variant") == ActionVariant.PRIMARY)
            rows.first_action = next(first, None)
        return response

    @property
    def name_of_list(self) -> str:
        """The word of the menu is the title of the page, too."""
        is_merchant = tenancy.current_user_is_merchant()
        word = menu_word(self.opts.label_lower, is_merchant=is_merchant)
        word = word or self.opts.verbose_name_plural
        return capfirst(str(word))

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Deletion is never allowed: records are kept, and accounts are deactivated."""
        return False

    def has_right(self, request: HttpRequest, verb: str) -> bool:
        right = f"{self.opts.app_label}.{verb}_{self.opts.model_name}"
        return bool(request.user.has_perm(right))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """With `forms_need_reauthentication`, a form is saved only after re-authentication."""
        if (page := self.reauthentication_page(request)) is not None:
            return page
        response: HttpResponse = super().changeform_view(
            request, object_id, form_url, extra_context
        )
        return response

    def reauthentication_page(self, request: HttpRequest) -> HttpResponse | None:
        """The page that asks for the password before a form is saved. None if it is not needed."""
        if request.method != "POST" or not self.forms_need_reauthentication:
            return None
        if not (self.has_change_permission(request) or self.has_add_permission(request)):
            return None  # Django refuses it
        action = gettext("Save: %s") % self.opts.verbose_name
        return reauthentication.require_reauthentication(request, action=action)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Writes to the log who viewed which record (docs: privacy, Law 1581)."""
        if request.method == "GET":
            model = self.opts.label_lower
            log.info(
                "console.viewed", actor=actor(request), model=model, record=unquote(object_id)[:64]
            )
        title = {"title": capfirst(str(self.opts.verbose_name)), **(extra_context or {})}
        response: HttpResponse = super().change_view(request, object_id, form_url, title)
        return response

    def log_addition(self, request: HttpRequest, obj: Model, message: object) -> None:
        """Does nothing, because services write the audit log, with the reason."""

    def log_change(self, request: HttpRequest, obj: Model, message: object) -> None:
        """See log_addition."""

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, object] | None = None
    ) -> HttpResponse:
        """Redirects to the part of the audit log about the record."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return redirect(f"{reverse('admin:core_auditentry_changelist')}?q={unquote(object_id)}")

    def get_record(self, request: HttpRequest, object_id: str) -> Any:
        """The record of an action's URL. Raises Http404, PermissionDenied.

        The action's `permissions=[...]` checks the right of the action, and `confirm_first`
        checks it again.
        """
        if not self.has_view_permission(request):
            raise PermissionDenied
        if (subject := self.get_object(request, unquote(object_id))) is None:
            raise Http404
        return subject

    def confirm_first(
        self,
        request: HttpRequest,
        subject: Model | None,
        confirmed: ConfirmedAction,
        perform: Callable[[Cleaned], HttpResponse],
        **context: object,
    ) -> HttpResponse:
        """Shows the page of the action, and on POST calls `perform` with the cleaned form, once.

        A POST from another page (the action of a list) has no form token, so it only gets
        the page.
        """
        if not self.has_right(request, confirmed.verb):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD", "POST"):
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        if confirmed.needs_reauthentication and not confirmed.carries:
            page = reauthentication.require_reauthentication(
                request, carries=False, action=confirmed.title
            )
            if page is not None:
                return page
        sent = request.POST if "form_token" in request.POST else None
        files = request.FILES if sent is not None else None
        form = confirmed.form_class(sent, files, initial=confirmed.initial)
        adapt = use_words_of_merchants if tenancy.is_merchant_user(request) else require_reason
        adapt(form)
        crumbs.stand_below(request, confirmed.menu)
        if sent is not None and form.is_valid():
            if confirmed.needs_reauthentication:
                page = reauthentication.require_reauthentication(request, action=confirmed.title)
                if page is not None:
                    return page
            if not claim_form(request):
                form.add_error(None, str(ALREADY_SENT))
            else:
                try:
                    return perform(form.cleaned_data)
                except ServiceError as error:
                    form.add_error(None, error.shown())
                except ValidationError as error:
                    add_errors(form, error)
        status = 400 if sent is not None else 200
        return self.action_page(request, subject, confirmed, status=status, form=form, **context)

    def action_page(
        self,
        request: HttpRequest,
        subject: Model | None,
        confirmed: ConfirmedAction,
        *,
        status: int = 200,
        **context: object,
    ) -> HttpResponse:
        """The page of `confirm_first`, or a step before or after it. `context` has the form."""
        return self.page(
            request,
            ACTION_PAGE,
            status=status,
            subject=crumbs.unnamed(request, self, subject),
            crumbs=crumbs.crumbs(request, self, subject),
            confirmed=confirmed,
            title=confirmed.title,
            form_token=new_form_token(),
            **{"back_url": self.back_url(subject), **context},
        )

    def confirm_and_return(
        self,
        request: HttpRequest,
        subject: Model,
        confirmed: ConfirmedAction,
        act: Callable[[Cleaned], object],
        **context: object,
    ) -> HttpResponse:
        """As confirm_first, with the page of the record after `act`."""

        def perform(form: Cleaned) -> HttpResponse:
            act(form)
            return self.done(request, subject, confirmed)

        return self.confirm_first(request, subject, confirmed, perform, **context)

    def done(
        self,
        request: HttpRequest,
        subject: Model | None,
        confirmed: ConfirmedAction,
        message: str | None = None,
    ) -> HttpResponse:
        """Returns to the record, with the message, or with a general one."""
        self.message_user(request, message or said(confirmed, subject), messages.SUCCESS)
        return redirect(self.back_url(subject))

    def show_once(
        self,
        request: HttpRequest,
        *,
        title: Text,
        values: dict[Text, str],
        back_url: str,
        subject: Model | None = None,
        **context: object,
    ) -> HttpResponse:
        """The only page that shows a secret. The values in `facts` are no secrets.

        It is the response to the POST, and is never stored.
        """
        shown: dict[str, Any] = {"title": title, "values": values, "back_url": back_url, **context}
        above = crumbs.crumbs(request, self, subject)
        response = self.page(request, "admin/once.html", crumbs=above, **shown)
        response.headers["Cache-Control"] = "no-store, private"
        response.headers["Pragma"] = "no-cache"
        return response

    def page(
        self, request: HttpRequest, template: str, *, status: int = 200, **context: object
    ) -> HttpResponse:
        shared = {**self.admin_site.each_context(request), **self._heading(request, context)}
        return TemplateResponse(request, template, {**shared, **context}, status=status)

    def _heading(self, request: HttpRequest, context: dict[str, object]) -> dict[str, object]:
        """What the page has at its top. A person of one merchant has no list of merchants."""
        is_own = self.merchant_path == "pk" and tenancy.is_merchant_user(request)
        if is_own and len(tenancy.merchants(request)) == 1:
            return {"content_title": context.get("title")}
        return {"opts": self.opts}

    def back_url(self, subject: Model | None) -> str:
        if subject is None:
            return list_url(self.model)
        return admin_url(subject) or reverse("admin:index")


class ReadOnlyAdmin(ConsoleAdmin):
    """Rows that only services write."""

    actions: Any = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class PossibleActions(ReadOnlyAdmin):
    """Offers only the actions of `actions_detail` that are possible now."""

    def possible(self, row: Any) -> set[str]:
        raise NotImplementedError

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[UnfoldAction]:
        row = self.model._default_manager.filter(pk=unquote(object_id)).first()
        if row is None:
            return []
        names = self.possible(row) - self.hidden(request, row)
        prefix = f"{self.opts.app_label}_{self.opts.model_name}_"
        items = super().get_actions_detail(request, object_id)
        offered = [item for item in items if item.action_name.removeprefix(prefix) in names]
        return self.named_actions(offered, row)

    def hidden(self, request: HttpRequest, row: Any) -> set[str]:
        """The actions that would refuse this person, such as the one who asked for the record."""
        return set()

    def named_actions(self, offered: list[UnfoldAction], row: Any) -> list[UnfoldAction]:
        """For actions that mean something else in some states of the record."""
        return offered
