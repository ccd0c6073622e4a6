"""Console pages of webhooks: events, deliveries with every attempt, sending again, the test."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import action, display
from unfold.widgets import UnfoldAdminSplitDateTimeWidget

from merchants.models import Merchant
from payments.core import clock
from payments.core.console import (
    Act,
    DaysFilter,
    ReadOnlyAdmin,
    ReadOnlyInline,
    ReasonForm,
    actor,
    admin_url,
    badge,
    link,
    moment,
    right_to,
    walls,
    when,
)
from payments.core.console.exports.columns import fields as columns
from payments.core.console.record import NextStep
from payments.core.console.timeline import Line, add_source
from webhooks import services, story
from webhooks.models import Attempt, Delivery, Event, Status
from webhooks.services import RESEND_MAX

FAILED_SHOWN = 20
add_source(story.lines)
STATUS_LABELS = {
    Status.PENDING: "info",
    Status.DELIVERED: "success",
    Status.FAILED: "danger",
}
RESEND = _("Send again")
RESEND_EXPLANATION = _(
    "The receiver gets the same body and event id again, in a new delivery "
    "with five attempts of its own."
)
TEST = _("Send test event")
RANGE = _("Send a range again")


class NothingToAsk(forms.Form):
    """A test changes nothing, so it needs no reason."""


class RangeForm(ReasonForm):
    """From one moment to another, in local time."""

    first = forms.SplitDateTimeField(label=_("From"), widget=UnfoldAdminSplitDateTimeWidget())
    last = forms.SplitDateTimeField(
        label=_("To (not included)"), widget=UnfoldAdminSplitDateTimeWidget()
    )
    only_missing = forms.BooleanField(
        label=_("Only what has never arrived"), required=False, initial=True
    )
    field_order = ["first", "last", "only_missing", "reason"]

    def clean(self) -> dict[str, Any]:
        """An end after the start: nothing lies between, and that is no success."""
        super().clean()
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last <= first:
            self.add_error("last", gettext("It is not after the start."))
        return self.cleaned_data


class AttemptInline(ReadOnlyInline):
    """Every POST of a delivery and its answer."""

    model = Attempt
    for_merchants = True
    started = moment("started_at", _("started at"))
    fields = ["number", "started", "result", "duration", "url", "response_excerpt"]
    readonly_fields = fields
    ordering = ["started_at", "id"]
    verbose_name_plural = _("Attempts")

    @display(description=_("result"))
    def result(self, attempt: Attempt) -> str:
        """The status of the answer, or why there is none."""
        parts = [str(attempt.response_status or ""), attempt.get_error_display()]
        return " · ".join(part for part in parts if part)

    @display(description=_("duration"))
    def duration(self, attempt: Attempt) -> str:
        """In milliseconds."""
        return f"{attempt.duration_ms:,} ms"


class DeliveryInline(ReadOnlyInline):
    """The deliveries of an event: the first, and those that were asked for."""

    model = Delivery
    for_merchants = True
    created = moment("created_at", _("created at"))
    delivered = moment("delivered_at", _("delivered at"))
    fields = ["delivery", "cause", "status", "attempts", "created", "delivered"]
    readonly_fields = fields
    ordering = ["id"]
    verbose_name_plural = _("Deliveries")

    @display(description=_("delivery"))
    def delivery(self, delivery: Delivery) -> str | SafeString:
        """The way to its attempts."""
        return link(delivery, delivery.pk)


class WebhookAdmin(ReadOnlyAdmin):
    """What the pages of events and deliveries share."""

    merchant_path = "merchant"
    has_resend_permission = right_to("resend")

    @display(description=_("merchant"))
    def merchant_link(self, row: Event | Delivery) -> str | SafeString:
        """The account that is told."""
        return link(row.merchant)


@admin.register(Event)
class EventAdmin(WebhookAdmin):
    """What merchants are told. Bodies are frozen."""

    merchant_acts = frozenset({"resend"})
    created = moment("created_at", _("created at"))
    list_display = ["id", "kind", "subject_id", "merchant_link", "created"]
    list_filter = ["kind", ("merchant", AutocompleteSelectFilter), ("created_at", DaysFilter)]
    list_select_related = ["merchant"]
    search_fields = ["id__exact", "subject_id__exact"]
    search_help_text = _("Id of the event or of the order")
    ordering = ["-id"]
    fields = ["id", "kind", "subject_id", "merchant_link", "created", "body_text"]
    readonly_fields = fields
    inlines = [DeliveryInline]
    actions_detail = ["resend"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        """Without the merchant's webhook secret."""
        events: QuerySet[Event] = super().get_queryset(request)
        return events.select_related("merchant").defer("merchant__webhook_secret")

    @display(description=_("body"))
    def body_text(self, event: Event) -> str:
        """The very bytes that are signed and sent."""
        return bytes(event.body).decode("utf-8", "replace")

    @action(description=RESEND, icon="replay", permissions=["resend"])
    def resend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Sends the event once more."""
        event = self.found(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            fresh = services.resend(
                event=event, actor=actor(request), now=clock.now(), reason=form["reason"]
            )
            return to_delivery(self, request, fresh)

        return self.ask(request, event, resend_act(), perform)


@admin.register(Delivery)
class DeliveryAdmin(WebhookAdmin):
    """The delivery history, with every attempt."""

    merchant_acts = frozenset(
        {"resend", "resend_selected", "resend_many", "send_test", "resend_range"}
    )
    created = moment("created_at", _("created at"))
    next_attempt = moment("next_attempt_at", _("next attempt at"))
    delivered = moment("delivered_at", _("delivered at"))
    has_story = True
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
    export_columns = [
        *columns(id="pk", createdAt="created_at", merchantId="merchant_id"),
        *columns(merchant="merchant__name", eventId="event_id", event="event__kind"),
        *columns(subjectId="event__subject_id", status="status", attempts="attempts"),
        *columns(cause="cause", nextAttemptAt="next_attempt_at", deliveredAt="delivered_at"),
    ]
    inlines = [AttemptInline]
    actions_detail = ["resend"]
    actions = ["resend_selected"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        """Neither bodies nor secrets are read."""
        deliveries: QuerySet[Delivery] = super().get_queryset(request)
        return deliveries.select_related("event", "merchant").defer(
            "event__body", "merchant__webhook_secret"
        )

    def get_ordering(self, request: HttpRequest) -> list[str]:
        """Newest first, along the index that serves the filter."""
        if "merchant__id__exact" in request.GET or request.GET.get("status__exact") == "FAILED":
            return ["-created_at", "-id"]
        return ["-id"]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Delivery], search_term: str
    ) -> tuple[QuerySet[Delivery], bool]:
        """By id of the delivery, of the event, or of what the event is about."""
        if not (term := search_term.strip()):
            return queryset, False
        if term.startswith("del_"):
            return queryset.filter(pk=term), False
        if term.startswith("evt_"):
            return queryset.filter(event_id=term), False
        own = walls.limit(request, Event.objects.filter(subject_id=term), "merchant")
        events = own.values_list("pk", flat=True)
        return queryset.filter(event_id__in=list(events[:1000])), False

    def lines(self, row: Delivery) -> list[Line]:
        """Of everything that the event's record went through with its receiver."""
        return story.delivery_lines(row)

    def next_step(self, row: Delivery) -> NextStep:
        """See story."""
        return story.of_delivery(row)

    @display(description=_("event"))
    def kind(self, delivery: Delivery) -> str:
        """What happened."""
        return delivery.event.kind

    @display(description=_("event"))
    def event_link(self, delivery: Delivery) -> str | SafeString:
        """The frozen event."""
        return link(delivery.event)

    @display(description=_("about"))
    def subject(self, delivery: Delivery) -> str:
        """The order's id."""
        return delivery.event.subject_id or "-"

    @display(description=_("status"))
    def status_label(self, delivery: Delivery) -> SafeString:
        """The status as a badge."""
        return badge(delivery.get_status_display(), STATUS_LABELS[Status(delivery.status)])

    @action(description=RESEND, icon="replay", permissions=["resend"])
    def resend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Sends the event of this delivery once more."""
        delivery = self.found(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            fresh = services.resend(
                delivery=delivery, actor=actor(request), now=clock.now(), reason=form["reason"]
            )
            return to_delivery(self, request, fresh)

        return self.ask(request, delivery, resend_act(), perform)

    @admin.action(description=RESEND, permissions=["resend"])
    def resend_selected(
        self, request: HttpRequest, queryset: QuerySet[Delivery]
    ) -> HttpResponse | None:
        """The list's POST with the chosen rows only gets the page that asks."""
        chosen = list(queryset.order_by("id")[: RESEND_MAX + 1])
        if len(chosen) > RESEND_MAX:
            self.message_user(
                request,
                gettext("Choose at most %d deliveries at a time.") % RESEND_MAX,
                messages.ERROR,
            )
            return None
        return self._ask_resend(request, chosen)

    def get_custom_urls(self) -> tuple[tuple[str, str, Any], ...]:
        """Pages that belong to no single delivery."""
        return (
            ("resend/", "webhooks_resend", self.resend_many),
            ("test/<str:merchant_id>/", "webhooks_send_test", self.send_test),
            ("range/<str:merchant_id>/", "webhooks_resend_range", self.resend_range),
        )

    def resend_many(self, request: HttpRequest, **_view: Any) -> HttpResponse:
        """Sends the events of several deliveries once more."""
        if not self.may(request, "resend"):
            raise PermissionDenied
        ids = request.POST.get("ids", "").split(",")[:RESEND_MAX]
        return self._ask_resend(request, list(self.get_queryset(request).filter(pk__in=ids)))

    def _ask_resend(self, request: HttpRequest, chosen: list[Delivery]) -> HttpResponse:
        def perform(form: dict[str, Any]) -> HttpResponse:
            services.resend_all(
                deliveries=chosen, actor=actor(request), now=clock.now(), reason=form["reason"]
            )
            done = ngettext("%d event is sent again.", "%d events are sent again.", len(chosen))
            self.message_user(request, done % len(chosen))
            return redirect("admin:webhooks_delivery_changelist")

        return self.ask(
            request,
            None,
            resend_act(len(chosen)),
            perform,
            rows=[f"{when(d.created_at)} · {d.event} · {d.merchant}" for d in chosen],
            hidden=[("ids", ",".join(d.pk for d in chosen))],
            form_url=reverse("admin:webhooks_resend"),
        )

    def send_test(self, request: HttpRequest, merchant_id: str, **_view: Any) -> HttpResponse:
        """A signed event that is about no payment."""
        merchant = self._merchant(request, merchant_id, "test")

        def perform(form: dict[str, Any]) -> HttpResponse:
            fresh = services.send_test_event(
                merchant=merchant, actor=actor(request), now=clock.now()
            )
            return to_delivery(self, request, fresh)

        act = Act(
            verb="test",
            title=TEST,
            explanation=gettext("A signed webhook.test event goes to %s. It is about no payment.")
            % (merchant.webhook_url or "-"),
            submit=_("Send"),
            form_class=NothingToAsk,
        )
        return self.ask(request, merchant, act, perform)

    def resend_range(self, request: HttpRequest, merchant_id: str, **_view: Any) -> HttpResponse:
        """Sends a merchant's events of some hours again; shows what has failed of late."""
        merchant = self._merchant(request, merchant_id, "resend")

        def perform(form: dict[str, Any]) -> HttpResponse:
            count = services.resend_range(
                merchant=merchant, actor=actor(request), now=clock.now(), **form
            )
            done = ngettext("%d event is sent again.", "%d events are sent again.", count)
            self.message_user(request, done % count)
            return redirect(admin_url(merchant) or "admin:index")

        failed = self.get_queryset(request).filter(merchant=merchant, status=Status.FAILED)
        rows = [
            f"{when(row.created_at)} · {row.event} · {row.attempts}"
            for row in failed.order_by("-created_at", "-id")[:FAILED_SHOWN]
        ]
        act = Act(
            verb="resend",
            title=RANGE,
            explanation=gettext(
                "Every event of the range gets a new delivery with the same body and event id, "
                "at most %d at a time. Below are the newest deliveries that failed."
            )
            % RESEND_MAX,
            submit=RESEND,
            form_class=RangeForm,
        )
        return self.ask(request, merchant, act, perform, rows=rows)

    def _merchant(self, request: HttpRequest, merchant_id: str, verb: str) -> Merchant:
        """The merchant of the URL. Raises PermissionDenied, Http404."""
        if not self.may(request, verb):
            raise PermissionDenied
        own = walls.limit(request, Merchant.objects.defer("webhook_secret"), "pk")
        merchant: Merchant | None = own.filter(pk=unquote(merchant_id)).first()
        if merchant is None:
            raise Http404
        return merchant


def resend_act(count: int = 1) -> Act:
    """The page that asks before events are sent again."""
    title = RESEND if count == 1 else f"{RESEND} ({count})"
    return Act(verb="resend", title=title, explanation=RESEND_EXPLANATION, submit=RESEND)


def to_delivery(page: ReadOnlyAdmin, request: HttpRequest, fresh: Delivery) -> HttpResponse:
    """To the page of the new delivery, where its attempts will appear."""
    page.message_user(request, gettext("On its way. Reload this page to see the attempts."))
    return redirect(admin_url(fresh) or "admin:index")
