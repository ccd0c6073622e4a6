"""Console pages of events."""

from django.contrib import admin
from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.changelist import DaysFilter, RecordFilter
from payments.console.formatting import badge, timestamp_column
from webhooks.admin import words
from webhooks.admin.inlines import STATUS_LABELS, DeliveryInline
from webhooks.admin.sending import ResendAdmin
from webhooks.models import Delivery, Event, Status

_WORST_FIRST = (Status.FAILED, Status.WAITING, Status.PENDING, Status.DELIVERED)


@admin.register(Event)
class EventAdmin(ResendAdmin):
    empty_text = _("What happened to your payments and payouts, as your shop's server is told.")
    merchant_actions = frozenset({"resend"})
    created = timestamp_column("created_at", _("created at"))
    list_display = ["named", "state", "subject_id", "merchant_link", "created", "id"]
    list_filter = ["kind", ("merchant", RecordFilter), ("created_at", DaysFilter)]
    list_select_related = ["merchant"]
    search_fields = ["id__exact", "subject_id__exact"]
    search_help_text = _("Id of the event or of the order")
    ordering = ["-id"]
    fields = ["id", "named", "subject_id", "merchant_link", "created", "body_text"]
    readonly_fields = fields
    inlines = [DeliveryInline]

    def get_queryset(self, request: HttpRequest) -> QuerySet[Event]:
        events: QuerySet[Event] = super().get_queryset(request)
        events = events.select_related("merchant").defer("merchant__webhook_secret")
        of_event = Delivery.objects.filter(event=OuterRef("pk")).order_by()
        return events.annotate(states=ArraySubquery(of_event.values("status")))

    @display(description=_("event"), ordering="kind")
    def named(self, event: Event) -> str | SafeString:
        return words.with_code(event.kind)

    @display(description=_("delivery"))
    def state(self, event: Event) -> str | SafeString:
        """The worst of its deliveries, one to each endpoint."""
        states = set(getattr(event, "states", None) or ())
        worst = next((each for each in _WORST_FIRST if each in states), None)
        return badge(worst.label, STATUS_LABELS[worst]) if worst is not None else "-"

    @display(description=_("body"))
    def body_text(self, event: Event) -> str:
        """The very bytes that are signed and sent."""
        return bytes(event.body).decode("utf-8", "replace")
