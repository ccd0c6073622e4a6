"""What every page of the operators' console shares: read-only tables, acts with a reason, secrets
shown once. Nothing can be deleted, and the audit log takes the place of Django's own admin log.
"""

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import structlog
from django import forms
from django.contrib.admin import ShowFacets
from django.contrib.admin.utils import quote, unquote
from django.contrib.auth import get_permission_codename
from django.core.exceptions import PermissionDenied, ValidationError
from django.core.paginator import Paginator
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.urls import NoReverseMatch, reverse
from django.utils.formats import date_format
from django.utils.functional import cached_property
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime, make_aware
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from unfold.admin import ModelAdmin, TabularInline
from unfold.contrib.filters.admin import RangeDateFilter
from unfold.decorators import display
from unfold.utils import parse_date_str
from unfold.widgets import UnfoldAdminTextareaWidget

from payments.core import money
from payments.core.errors import ServiceError

log = structlog.get_logger(__name__)
# Forms already sent, kept in the session, so that a reload cannot act twice.
_DONE = "console_forms_done"
_DONE_KEPT = 50
COUNT_CAP = 10_000


class CappedPaginator(Paginator):
    """Counts to COUNT_CAP at most: the exact size of a table of millions is worth no scan."""

    @cached_property
    def count(self) -> int:
        """How many rows there are, up to the cap."""
        if isinstance(self.object_list, QuerySet):
            return self.object_list.order_by()[:COUNT_CAP].count()
        return len(self.object_list)


class ReasonForm(forms.Form):
    """Why the operator acts; kept in the audit log."""

    reason = forms.CharField(
        label=_("Reason"),
        min_length=3,
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=_("Kept in the audit log with your name."),
    )


@dataclass(frozen=True, kw_only=True)
class Act:
    """A page that asks before something is done."""

    title: Any
    explanation: Any
    submit: Any
    danger: bool = False
    form_class: type[forms.Form] = ReasonForm
    initial: dict[str, Any] | None = None


class ConsoleAdmin(ModelAdmin):
    """No deletion, no bulk action unless declared, no count of whole tables."""

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = ShowFacets.NEVER  # each would count the whole table
    list_per_page = 50
    list_max_show_all = 0
    warn_unsaved_form = True
    compressed_fields = True

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing of ours is deleted: records are kept, accounts are deactivated."""
        return False

    def has_act_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Whether the operator may act on records, also on those that no form may change."""
        codename = get_permission_codename("change", self.opts)
        return request.user.has_perm(f"{self.opts.app_label}.{codename}")

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

    def found(self, request: HttpRequest, object_id: str) -> Any:
        """The record of an act's URL. Raises Http404, PermissionDenied."""
        if not self.has_act_permission(request):
            raise PermissionDenied
        if (subject := self.get_object(request, unquote(object_id))) is None:
            raise Http404
        return subject

    def ask(
        self,
        request: HttpRequest,
        subject: Model | None,
        act: Act,
        perform: Callable[[dict[str, Any]], HttpResponse],
        **context: Any,
    ) -> HttpResponse:
        """Shows the page of `act`; calls `perform` with the cleaned form on POST only, once.

        A POST from elsewhere (the action of a list) has no form token: it only gets the page.
        """
        if request.method not in ("GET", "HEAD", "POST"):
            return HttpResponseNotAllowed(["GET", "HEAD", "POST"])
        sent = request.POST if "form_token" in request.POST else None
        form = act.form_class(sent, initial=act.initial)
        if sent is not None and form.is_valid():
            if not claim_form(request):
                form.add_error(None, str(ALREADY_SENT))
            else:
                try:
                    return perform(form.cleaned_data)
                except ServiceError as error:
                    form.add_error(None, error.message)
                except ValidationError as error:
                    form.add_error(None, error)
        return self.page(
            request,
            "admin/act.html",
            status=400 if sent is not None else 200,
            subject=subject,
            act=act,
            form=form,
            title=act.title,
            form_token=new_form_token(),
            **{"back_url": self.back_url(subject), **context},
        )

    def show_once(
        self, request: HttpRequest, *, title: Any, values: dict[Any, str], back_url: str
    ) -> HttpResponse:
        """The only page that ever shows a secret. It is the answer to the POST, never stored."""
        response = self.page(
            request, "admin/once.html", title=title, values=values, back_url=back_url
        )
        response.headers["Cache-Control"] = "no-store, private"
        response.headers["Pragma"] = "no-cache"
        return response

    def page(
        self, request: HttpRequest, template: str, *, status: int = 200, **context: Any
    ) -> HttpResponse:
        """A page of our own in the frame of the console."""
        shared = {**self.admin_site.each_context(request), "opts": self.opts}
        return TemplateResponse(request, template, {**shared, **context}, status=status)

    def back_url(self, subject: Model | None) -> str:
        """Where an act's page leads back to."""
        if subject is None:
            return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
        return admin_url(subject) or reverse("admin:index")


class ReadOnlyAdmin(ConsoleAdmin):
    """Rows that people look at: money, attempts, the audit log."""

    actions: Any = None

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Rows are written by services."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Rows are written by services."""
        return False


class ReadOnlyInline(TabularInline):
    """Rows of another table on a record's page, to look at."""

    extra = 0
    hide_title = True
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Rows are written by services."""
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Rows are written by services."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Nothing of ours is deleted."""
        return False


ALREADY_SENT = _(
    "This form was sent already; nothing was done again. Open the page anew to repeat."
)


def new_form_token() -> str:
    """Names one showing of a form; not a secret."""
    return secrets.token_urlsafe(9)


def claim_form(request: HttpRequest) -> bool:
    """True for the first POST of this showing of the form, False for a reload of its answer."""
    token = request.POST.get("form_token", "")
    done = request.session.get(_DONE, [])
    if not token or token in done:
        return False
    request.session[_DONE] = [*done, token[:40]][-_DONE_KEPT:]
    return True


def actor(request: HttpRequest) -> str:
    """Who the audit row names."""
    return str(request.user.get_username())


def admin_url(subject: Model) -> str | None:
    """The console's page of a record, None when it has none."""
    opts = subject._meta
    try:
        return reverse(f"admin:{opts.app_label}_{opts.model_name}_change", args=[quote(subject.pk)])
    except NoReverseMatch:
        return None


def link(subject: Model | None, text: object = None) -> str | SafeString:
    """A link to a record's page in the console; everything in it is escaped."""
    if subject is None:
        return "-"
    url = admin_url(subject)
    shown = str(subject) if text is None else text
    if url is None:
        return str(shown)
    style = "text-primary-600 dark:text-primary-500"
    return format_html('<a class="{}" href="{}">{}</a>', style, url, shown)


def amount(value: Any, currency: str) -> str:
    """`50.025 COP` in Spanish: grouped by thousands, without trailing zeros."""
    if value is None:
        return "-"
    whole, _point, decimals = money.text(Decimal(value)).partition(".")
    # Django's Spanish groups with spaces; Colombia writes 1.234,5.
    thousands, point = (".", ",") if (get_language() or "").startswith("es") else (",", ".")
    sign, digits = whole[:1].strip("0123456789"), whole.lstrip("-")
    grouped = f"{int(digits):,}".replace(",", thousands)
    return f"{sign}{grouped}{point if decimals else ''}{decimals} {currency}"


def when(moment: datetime | None) -> str:
    """Local time with seconds; the console is read in Colombia."""
    return date_format(localtime(moment), "Y-m-d H:i:s") if moment else "-"


def moment(field: str, label: Any) -> Any:
    """A column with the time in `field`, in one line; Django's own leaves the seconds out."""

    @display(description=label, ordering=field)
    def column(_page: Any, row: Any) -> SafeString:
        shown = when(getattr(row, field))
        return format_html('<span class="whitespace-nowrap">{}</span>', shown)

    return column


def badge(text: object, kind: str) -> SafeString:
    """A coloured label as on the lists; `kind` is success, danger, warning or info."""
    shown: SafeString = render_to_string(
        "unfold/helpers/label.html", {"variant": kind, "text": str(text)}
    )
    return shown


def table(title: object, headers: list[Any], rows: list[list[Any]]) -> dict[str, Any]:
    """A table for the page of one record (templates/admin/tables.html)."""
    return {"title": title, "table": {"headers": [str(h) for h in headers], "rows": rows}}


class DaysFilter(RangeDateFilter):
    """From one day to another, both included, in local time."""

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Ends are days of the operator, not moments."""
        first, last = (
            parse_date_str(self.used_parameters.get(f"{self.parameter_name}_{end}") or "")
            for end in ("from", "to")
        )
        if first:
            queryset = queryset.filter(**{f"{self.parameter_name}__gte": midnight(first)})
        if last:
            after = midnight(last + timedelta(days=1))
            queryset = queryset.filter(**{f"{self.parameter_name}__lt": after})
        return queryset


def midnight(day: date) -> datetime:
    """The beginning of the day in local time."""
    return make_aware(datetime.combine(day, time.min))
