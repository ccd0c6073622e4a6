"""What the pages of events and deliveries share."""

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.formatting import link, timestamp_column
from payments.console.model_admins import ReadOnlyInline
from webhooks.models import Attempt, Delivery, Status

STATUS_LABELS = {
    Status.PENDING: "info",
    Status.WAITING: "warning",
    Status.DELIVERED: "success",
    Status.FAILED: "danger",
}


class AttemptInline(ReadOnlyInline):
    model = Attempt
    for_merchants = True
    started = timestamp_column("started_at", _("started at"))
    fields = ["number", "started", "result", "duration", "url", "response_excerpt"]
    readonly_fields = fields
    ordering = ["started_at", "id"]
    verbose_name_plural = _("Attempts")

    @display(description=_("result"))
    def result(self, attempt: Attempt) -> str:
        parts = [str(attempt.response_status or ""), attempt.get_error_display()]
        return " · ".join(part for part in parts if part)

    @display(description=_("duration"))
    def duration(self, attempt: Attempt) -> str:
        return f"{attempt.duration_ms:,} ms"


class DeliveryInline(ReadOnlyInline):
    model = Delivery
    for_merchants = True
    created = timestamp_column("created_at", _("created at"))
    delivered = timestamp_column("delivered_at", _("delivered at"))
    fields = ["delivery", "cause", "status", "attempts", "created", "delivered"]
    readonly_fields = fields
    ordering = ["id"]
    verbose_name_plural = _("Deliveries")

    @display(description=_("delivery"))
    def delivery(self, delivery: Delivery) -> str | SafeString:
        return link(delivery, delivery.pk)
