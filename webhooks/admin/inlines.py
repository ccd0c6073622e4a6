"""What the pages of events and deliveries share."""

from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.formatting import link, timestamp_column
from payments.console.model_admins import ReadOnlyInline
from webhooks.models import Delivery, Status

STATUS_LABELS = {
    Status.PENDING: "info",
    Status.WAITING: "warning",
    Status.DELIVERED: "success",
    Status.FAILED: "danger",
}


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
