"""Console pages of events."""

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.changelist import DaysFilter, RecordFilter
from payments.console.formatting import timestamp_column
from webhooks.admin import words
from webhooks.admin.inlines import DeliveryInline
from webhooks.admin.sending import ResendAdmin
from webhooks.models import Event


@admin.register(Event)
class EventAdmin(ResendAdmin):
    empty_text = _("What happened to your payments and payouts, as your shop's server is told.")
    merchant_actions = frozenset({"resend"})
    created = timestamp_column("created_at", _("created at"))
    list_display = ["named", "subject_id", "merchant_link", "created", "id"]
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
        return events.select_related("merchant").defer("merchant__webhook_secret")

    @display(description=_("event"), ordering="kind")
    def named(self, event: Event) -> str | SafeString:
        return words.with_code(event.kind)

    @display(description=_("body"))
    def body_text(self, event: Event) -> str:
        """The very bytes that are signed and sent."""
        return bytes(event.body).decode("utf-8", "replace")
