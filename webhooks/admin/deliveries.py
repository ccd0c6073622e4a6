"""Console pages of deliveries with every attempt."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import action, display

from payments.console import tenancy
from payments.console.changelist import DaysFilter
from payments.console.detail_page import NextStep
from payments.console.exports.columns import fields as columns
from payments.console.formatting import actor, badge, link, timestamp_column
from payments.console.timeline import TimelineLine, add_source
from payments.core import clock
from webhooks import services
from webhooks.admin import timelines
from webhooks.admin.inlines import STATUS_LABELS, AttemptInline
from webhooks.admin.sending import RESEND, SendingPages, resend_confirmation, to_delivery
from webhooks.models import Delivery, Event, Status
from webhooks.services import RESEND_MAX

add_source(timelines.timeline_lines)


@admin.register(Delivery)
class DeliveryAdmin(SendingPages):
    merchant_actions = frozenset(
        {"resend", "resend_selected", "resend_many", "send_test", "resend_range"}
    )
    created = timestamp_column("created_at", _("created at"))
    next_attempt = timestamp_column("next_attempt_at", _("next attempt at"))
    delivered = timestamp_column("delivered_at", _("delivered at"))
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    list_display = [
        "created",
        "kind",
        "subject",
        "merchant_link",
        "status_label",
        "attempts",
        "cause",
        "next_attempt",
    ]
    list_filter = [
        "status",
        ("merchant", AutocompleteSelectFilter),
        "cause",
        ("created_at", DaysFilter),
    ]
    search_fields = ["id__exact"]
    search_help_text = _("Id of the delivery, the event or the order")
    fields = [
        ("id", "status_label"),
        ("event_link", "subject"),
        ("merchant_link", "cause"),
        ("attempts", "next_attempt"),
        ("created", "delivered"),
    ]
    readonly_fields = [name for pair in fields for name in pair]
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
        nextAttemptAt="next_attempt_at",
        deliveredAt="delivered_at",
    )
    inlines = [AttemptInline]
    actions_detail = ["resend"]
    actions = ["resend_selected"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        deliveries: QuerySet[Delivery] = super().get_queryset(request)
        return deliveries.select_related("event", "merchant").defer(
            "event__body", "merchant__webhook_secret"
        )

    def get_ordering(self, request: HttpRequest) -> list[str]:
        """Newest first, along the index of the filter."""
        if "merchant__id__exact" in request.GET or request.GET.get("status__exact") == "FAILED":
            return ["-created_at", "-id"]
        return ["-id"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Delivery], search_term: str
    ) -> tuple[QuerySet[Delivery], bool]:
        """By the id of the delivery, of the event, or of its subject."""
        if not (term := search_term.strip()):
            return queryset, False
        if term.startswith("del_"):
            return queryset.filter(pk=term), False
        if term.startswith("evt_"):
            return queryset.filter(event_id=term), False
        own = tenancy.limit(request, Event.objects.filter(subject_id=term), "merchant")
        events = own.values_list("pk", flat=True)
        return queryset.filter(event_id__in=list(events[:1000])), False

    def timeline_lines(self, row: Delivery) -> list[TimelineLine]:
        return timelines.delivery_lines(row)

    def next_step(self, row: Delivery) -> NextStep:
        return timelines.of_delivery(row)

    @display(description=_("event"))
    def kind(self, delivery: Delivery) -> str:
        return delivery.event.kind

    @display(description=_("event"))
    def event_link(self, delivery: Delivery) -> str | SafeString:
        return link(delivery.event)

    @display(description=_("about"))
    def subject(self, delivery: Delivery) -> str:
        return delivery.event.subject_id or "-"

    @display(description=_("status"))
    def status_label(self, delivery: Delivery) -> SafeString:
        return badge(delivery.get_status_display(), STATUS_LABELS[Status(delivery.status)])

    @action(description=RESEND, icon="replay", permissions=["resend"])
    def resend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        delivery = self.get_record(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            fresh = services.resend(
                delivery=delivery, actor=actor(request), now=clock.now(), reason=form["reason"]
            )
            return to_delivery(self, request, fresh)

        return self.confirm_first(request, delivery, resend_confirmation(), perform)

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
