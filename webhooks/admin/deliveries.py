"""Console pages of deliveries with every attempt."""

from http import HTTPStatus
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.db.models import OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Concat, Substr
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display

from payments.console import tenancy
from payments.console.buttons import without
from payments.console.cells import copyable, short_id, two_lines
from payments.console.changelist import DaysFilter, RecordFilter
from payments.console.detail_page import NextStep
from payments.console.exports.columns import fields as columns
from payments.console.formatting import badge, link, time_element, timestamp_column
from payments.console.prepared_rows import RowsAboutRecords
from payments.console.timeline import TimelineLine, add_source
from webhooks.admin import exchanges, response_chart, timelines, words
from webhooks.admin.endpoint_actions import EDIT
from webhooks.admin.endpoint_columns import shown_merchants
from webhooks.admin.endpoint_filter import EndpointFilter
from webhooks.admin.event_deliveries import attempts_shown
from webhooks.admin.inlines import colour_of, short_endpoint, status_of, to_endpoint
from webhooks.admin.sending import RESEND, SendingPages
from webhooks.endpoint_models import Endpoint
from webhooks.models import Attempt, Cause, Delivery, Event, Failure
from webhooks.services import RESEND_MAX

add_source(timelines.timeline_lines)


@admin.register(Delivery)
class DeliveryAdmin(SendingPages, RowsAboutRecords):
    empty_text = _(
        "If your shop has a server, it is told of each payment: what was sent and what it "
        "answered is kept here. Without a server you need nothing here."
    )
    shown_if_empty = _(
        "Each event that was sent to the server of a merchant, with what the server answered."
    )
    merchant_pages = SendingPages.merchant_pages | {"live"}
    merchant_actions = frozenset(
        {
            *("resend", "resend_selected", "resend_many", "send_test", "resend_range"),
            *("set_url", "change_endpoint"),
        }
    )
    actions_detail = ["resend", "set_url", "change_endpoint"]
    created = timestamp_column("created_at", pgettext_lazy("webhook delivery", "created at"))
    next_attempt = timestamp_column("next_attempt_at", _("next attempt at"))
    has_timeline = True
    change_form_outer_after_template = "admin/webhooks/after_delivery.html"
    list_before_template = "admin/webhooks/list_top.html"
    tab_field = "status"
    list_display = [
        "status_label",
        "kind",
        "subject",
        "merchant_link",
        "answer",
        "next_attempt",
        "created",
    ]
    list_display_links = ["status_label", "kind"]
    list_filter = [
        "status",
        ("merchant", RecordFilter),
        EndpointFilter,
        "cause",
        ("created_at", DaysFilter),
    ]
    search_fields = ["id__exact"]
    search_help_text = _("Id of the delivery, the event or the order")
    export_columns = columns(
        id="pk",
        createdAt="created_at",
        merchantId="merchant_id",
        merchant="merchant__name",
        eventId="event_id",
        event="event__kind",
        subjectId="event__subject_id",
        status="status",
        attempts="attempts",
        cause="cause",
        endpointId="endpoint_id",
        nextAttemptAt="next_attempt_at",
        deliveredAt="delivered_at",
    )
    actions = ["resend_selected"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        deliveries: QuerySet[Delivery] = super().get_queryset(request)
        deliveries = deliveries.select_related("event", "merchant", "endpoint").defer(
            "event__body", "merchant__webhook_secret", "endpoint__secret"
        )
        # Attempts come after their delivery, so that PostgreSQL opens no month before it. Five
        # characters of the time in an id are nine hours, more than clocks differ.
        since = Concat(Value("att_"), Substr(OuterRef("pk"), len("del_") + 1, 5))
        last = Attempt.objects.filter(delivery=OuterRef("pk"), id__gte=since).order_by("-number")
        return deliveries.annotate(
            last_answer=Subquery(last.values("response_status")[:1]),
            last_error=Subquery(last.values("error")[:1]),
        )

    def get_list_display(self, request: HttpRequest) -> list[Any]:
        """Where there is but the URL of the account, no column says so in each row."""
        columns = list(super().get_list_display(request))
        merchants = shown_merchants(request)
        endpoints = Endpoint.objects.all()
        if merchants:
            endpoints = endpoints.filter(merchant__in=merchants)
        if endpoints.exists():
            columns.insert(columns.index("subject"), "to")
        return columns

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """With the response times of the merchant that is chosen, or of all that may be seen."""
        chosen = request.GET.get("merchant__id__exact", "")
        scope = tenancy.scope(request)
        merchants = scope if not chosen else {chosen} if scope is None else scope & {chosen}
        extra = {**(extra_context or {}), **response_chart.context(merchants)}
        response: HttpResponse = super().changelist_view(request, extra)
        return response

    def get_ordering(self, request: HttpRequest) -> list[str]:
        """Newest first, along the index of the filter."""
        narrowed = {"merchant__id__exact", EndpointFilter.parameter_name} & set(request.GET)
        if narrowed or request.GET.get("status__exact") == "FAILED":
            return ["-created_at", "-id"]
        return ["-id"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Delivery], search_term: str
    ) -> tuple[QuerySet[Delivery], bool]:
        if not (term := search_term.strip()):
            return queryset, False
        if term.startswith("del_"):
            return queryset.filter(pk=term), False
        if term.startswith("evt_"):
            return queryset.filter(event_id=term), False
        own = tenancy.limit(request, Event.objects.filter(subject_id=term), "merchant")
        events = own.values_list("pk", flat=True)
        return queryset.filter(event_id__in=list(events[:1000])), False

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.live)
        own = [path("<path:object_id>/live/", view, name="webhooks_delivery_live")]
        return [*own, *super().get_urls()]

    def live(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """The part of the page that changes. The page replaces it until the delivery has ended."""
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        delivery = self.get_record(request, object_id)
        context = exchanges.live_context(delivery)
        response = TemplateResponse(request, "admin/webhooks/exchanges.html", context)
        response.headers["Cache-Control"] = "no-store"
        return response

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        response: HttpResponse = super().change_view(request, object_id, form_url, extra_context)
        context = getattr(response, "context_data", None)
        if context is not None and (delivery := context.get("original")) is not None:
            # The next step says above what the note would say.
            context.update(exchanges.live_context(delivery), note="")
            context.update(response_chart.context([delivery.merchant_id]))
            context["live_url"] = reverse("admin:webhooks_delivery_live", args=[object_id])
        return response

    def has_set_url_permission(self, request: HttpRequest, obj: object = None) -> bool:
        return bool(request.user.has_perm("merchants.webhook_merchant"))

    @action(description=_("Set the webhook URL"), icon="link", permissions=["set_url"])
    def set_url(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Of the account."""
        delivery = self.get_record(request, object_id)
        return redirect("admin:merchants_merchant_set_webhook", quote(delivery.merchant_id))

    @action(description=EDIT.title, icon="edit", permissions=["set_url"])
    def change_endpoint(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Of the endpoint that it goes to."""
        delivery = self.get_record(request, object_id)
        if delivery.endpoint_id is None:
            raise Http404
        return redirect("admin:webhooks_endpoint_edit", quote(delivery.endpoint_id))

    def _step(
        self, context: dict[str, Any], row: Delivery, object_id: str
    ) -> dict[str, Any] | None:
        """The URL is changed where the delivery goes: of its endpoint, or of the account."""
        absent = ["change_endpoint"] if row.endpoint is None else ["set_url"]
        if row.endpoint is not None and row.endpoint.deleted_at:
            absent.append("change_endpoint")
        paths = [reverse(f"admin:webhooks_delivery_{name}", args=[object_id]) for name in absent]
        context["actions_detail"] = without(context.get("actions_detail") or (), paths)
        return super()._step(context, row, object_id)

    def get_fieldsets(self, request: HttpRequest, obj: Delivery | None = None) -> list[Any]:
        """The head, the next step and the attempts say all."""
        return []

    def title_of(self, row: Delivery) -> str:
        return short_id(row.pk)

    def head(self, row: Delivery) -> dict[str, Any]:
        """What happened, to which order, and whether the receiver has it."""
        facts: list[tuple[object, object]] = [
            (gettext("event"), link(row.event, row.event.kind)),
            (gettext("endpoint"), to_endpoint(row)),
            (gettext("Id"), copyable(row.pk)),
            (pgettext("webhook delivery", "created at"), time_element(row.created_at)),
        ]
        if row.delivered_at:
            at = time_element(row.delivered_at)
            facts.append((pgettext("webhook delivery", "delivered at"), at))
        if row.cause != Cause.EVENT:
            facts.append((gettext("cause"), row.get_cause_display()))
        if not tenancy.current_user_is_merchant():
            facts.append((gettext("merchant"), self.merchant_link(row)))
        if row.event.subject_id:
            facts.insert(0, (gettext("about"), self.about_shown(row)))
        words_of_event = words.of_kind(row.event.kind)
        return {"amount": words_of_event, "state": self.status_label(row), "facts": facts}

    def timeline_lines(self, row: Delivery) -> list[TimelineLine]:
        return timelines.delivery_lines(row)

    def next_step(self, row: Delivery) -> NextStep:
        return timelines.of_delivery(row)

    @display(description=_("event"))
    def kind(self, delivery: Delivery) -> str | SafeString:
        return words.with_code(delivery.event.kind)

    def subject_holder(self, row: Delivery) -> Event:
        return row.event

    subject = RowsAboutRecords.about_shown

    @display(description=_("status"))
    def status_label(self, delivery: Delivery) -> SafeString:
        return badge(status_of(delivery), colour_of(delivery))

    @display(description=_("answer"))
    def answer(self, delivery: Any) -> str | SafeString:
        """Of the newest attempt: the HTTP status, or why there was none; and which one it was."""
        if not delivery.attempts:
            return "-"
        said: str | SafeString = "-"
        if delivery.last_answer:
            said = f"HTTP {delivery.last_answer}"
        elif delivery.last_error:
            said = str(Failure(delivery.last_error).label)
        if (delivery.last_answer or HTTPStatus.BAD_REQUEST) >= HTTPStatus.BAD_REQUEST:
            said = format_html('<span class="desk-bad">{}</span>', said)
        return two_lines(said, attempts_shown(delivery))

    @display(description=_("endpoint"))
    def to(self, delivery: Delivery) -> SafeString:
        return short_endpoint(delivery)

    @admin.action(description=RESEND, permissions=["resend"])
    def resend_selected(
        self, request: HttpRequest, queryset: QuerySet[Delivery]
    ) -> HttpResponse | None:
        """The POST of the list returns the page that asks for confirmation."""
        chosen = list(queryset.order_by("id")[: RESEND_MAX + 1])
        if len(chosen) > RESEND_MAX:
            self.message_user(
                request,
                gettext("Choose at most %d deliveries at a time.") % RESEND_MAX,
                messages.ERROR,
            )
            return None
        return self._ask_resend(request, chosen)
