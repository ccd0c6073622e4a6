"""Console pages of events."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.contrib.filters.admin import AutocompleteSelectFilter
from unfold.decorators import action, display

from payments.console.changelist import DaysFilter
from payments.console.formatting import actor, timestamp_column
from payments.core import clock
from webhooks import services
from webhooks.admin.inlines import DeliveryInline, WebhookAdmin
from webhooks.admin.sending import RESEND, resend_confirmation, to_delivery
from webhooks.models import Event


@admin.register(Event)
class EventAdmin(WebhookAdmin):
    merchant_actions = frozenset({"resend"})
    created = timestamp_column("created_at", _("created at"))
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
        events: QuerySet[Event] = super().get_queryset(request)
        return events.select_related("merchant").defer("merchant__webhook_secret")

    @display(description=_("body"))
    def body_text(self, event: Event) -> str:
        """The very bytes that are signed and sent."""
        return bytes(event.body).decode("utf-8", "replace")

    @action(description=RESEND, icon="replay", permissions=["resend"])
    def resend(self, request: HttpRequest, object_id: str) -> HttpResponse:
        event = self.get_record(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            fresh = services.resend(
                event=event, actor=actor(request), now=clock.now(), reason=form["reason"]
            )
            return to_delivery(self, request, fresh)

        return self.confirm_first(request, event, resend_confirmation(), perform)
