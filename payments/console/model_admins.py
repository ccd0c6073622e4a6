"""The pages of the operators' console: read-only tables, confirmed actions, secrets shown once.

Nothing can be deleted, and the audit log takes the place of Django's own admin log.
"""

from collections.abc import Callable
from typing import Any, ClassVar

import structlog
from django.contrib.admin import ShowFacets
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import DecimalField, Model
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from unfold.admin import TabularInline

from payments.console import reauthentication, tenancy
from payments.console.actions import ALREADY_SENT, ConfirmedAction, claim_form, new_form_token
from payments.console.changelist import CappedPaginator
from payments.console.detail_page import DetailPage
from payments.console.exports.changelist import ExportingAdmin
from payments.console.formatting import actor, admin_url, list_url, number
from payments.console.masking import RevealingAdmin
from payments.console.registry import Text
from payments.console.tenant_scoped import TenantScopedAdmin
from payments.core.errors import ServiceError

log = structlog.get_logger(__name__)


class ConsoleAdmin(DetailPage, ExportingAdmin, RevealingAdmin, TenantScopedAdmin):
    """No deletion, no bulk action unless declared, no count of whole tables."""

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER  # each would count the whole table
    list_per_page = 50
    list_max_show_all = 0
    list_before_template = "admin/saved_filters.html"
    warn_unsaved_form = True
    compressed_fields = True
    # Forms that give rights, money or secrets away.
    forms_need_reauthentication: ClassVar[bool] = False

    def __init__(self, model: type[Model], site: Any) -> None:
        super().__init__(model, site)
        decimals = (f.name for f in model._meta.concrete_fields if isinstance(f, DecimalField))
        self.readonly_preprocess_fields = dict.fromkeys(decimals, number)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing of ours is deleted: records are kept, accounts are deactivated."""
        return False

    def has_right(self, request: HttpRequest, verb: str) -> bool:
        right = f"{self.opts.app_label}.{verb}_{self.opts.model_name}"
        return not self.is_closed(request) and bool(request.user.has_perm(right))

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """With `forms_need_reauthentication`, a form is saved only after it."""
        if (page := self.reauthentication_page(request)) is not None:
            return page
        response: HttpResponse = super().changeform_view(
            request, object_id, form_url, extra_context
        )
        return response

    def reauthentication_page(self, request: HttpRequest) -> HttpResponse | None:
        """The page that asks for the password before a form is saved, if it must."""
        if request.method != "POST" or not self.forms_need_reauthentication:
            return None
        if not (self.has_change_permission(request) or self.has_add_permission(request)):
            return None  # Django refuses it
        return reauthentication.require_reauthentication(request)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """Who looked at which record is in the log (docs: privacy, Law 1581)."""
        if request.method == "GET":
            model = self.opts.label_lower
            log.info(
                "console.viewed", actor=actor(request), model=model, record=unquote(object_id)[:64]
            )
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        return response

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None:
        """The audit log has it: services write it, with the reason."""

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:
        """See log_addition."""

    def history_view(
        self, request: HttpRequest, object_id: str, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The history of a record is its part of the audit log."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        return redirect(f"{reverse('admin:core_auditentry_changelist')}?q={unquote(object_id)}")

    def get_record(self, request: HttpRequest, object_id: str) -> Any:
        """The record of an action's URL. Raises Http404, PermissionDenied.

        The action's own right is checked by its `permissions=[...]`, and again by `confirm_first`.
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
        perform: Callable[[dict[str, Any]], HttpResponse],
        **context: Any,
    ) -> HttpResponse:
        """Shows the page of the action; calls `perform` with the cleaned form on POST only, once.

        A POST from elsewhere (the action of a list) has no form token: it only gets the page.
        """
        if not self.has_right(request, confirmed.verb):
            raise PermissionDenied
        if request.method not in ("GET", "HEAD", "POST"):
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        sent = request.POST if "form_token" in request.POST else None
        files = request.FILES if sent is not None else None
        form = confirmed.form_class(sent, files, initial=confirmed.initial)
        if sent is not None and form.is_valid():
            if (
                confirmed.needs_reauthentication
                and (page := reauthentication.require_reauthentication(request)) is not None
            ):
                return page
            if not claim_form(request):
                form.add_error(None, str(ALREADY_SENT))
            else:
                try:
                    return perform(form.cleaned_data)
                except ServiceError as error:
                    form.add_error(None, error.shown())
                except ValidationError as error:
                    form.add_error(None, error)
        return self.page(
            request,
            "admin/confirmed_action.html",
            status=400 if sent is not None else 200,
            subject=subject,
            confirmed=confirmed,
            form=form,
            title=confirmed.title,
            form_token=new_form_token(),
            **{"back_url": self.back_url(subject), **context},
        )

    def done(
        self,
        request: HttpRequest,
        subject: Model | None,
        confirmed: ConfirmedAction,
        message: str | None = None,
    ) -> HttpResponse:
        """Back to the record, with the message, or that the action is done."""
        self.message_user(request, message or gettext("Done: %s") % confirmed.title)
        return redirect(self.back_url(subject))

    def show_once(
        self, request: HttpRequest, *, title: Text, values: dict[Text, str], back_url: str
    ) -> HttpResponse:
        """The only page that shows a secret. It is the response to the POST, never stored."""
        response = self.page(
            request, "admin/once.html", title=title, values=values, back_url=back_url
        )
        response.headers["Cache-Control"] = "no-store, private"
        response.headers["Pragma"] = "no-cache"
        return response

    def page(
        self, request: HttpRequest, template: str, *, status: int = 200, **context: Any
    ) -> HttpResponse:
        shared = {**self.admin_site.each_context(request), "opts": self.opts}
        return TemplateResponse(request, template, {**shared, **context}, status=status)

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
    """Offers only those of `actions_detail` that would do something now."""

    def possible(self, row: Any) -> set[str]:
        raise NotImplementedError

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> Any:
        row = self.model._default_manager.filter(pk=unquote(object_id)).first()
        names = self.possible(row) if row is not None else set()
        prefix = f"{self.opts.app_label}_{self.opts.model_name}_"
        return [
            item
            for item in super().get_actions_detail(request, object_id)
            if item.action_name.removeprefix(prefix) in names
        ]


class ReadOnlyInline(TabularInline):
    """Rows of another table on a record's page, to look at."""

    # Whether users of merchants see them on the page of their record.
    for_merchants: ClassVar[bool] = False
    extra = 0
    hide_title = True
    can_delete = False
    show_change_link = False

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        if tenancy.is_merchant_user(request) and not self.for_merchants:
            return False
        return bool(super().has_view_permission(request, obj))

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
