"""What the pages of events and deliveries share."""

from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.formatting import badge, link, timestamp_column
from payments.console.model_admins import ReadOnlyInline
from webhooks.models import Delivery, Status

STATUS_LABELS = {
    Status.PENDING: "info",
    Status.WAITING: "warning",
    Status.DELIVERED: "success",
    Status.FAILED: "danger",
}


def status_of(delivery: Delivery) -> str:
    if delivery.status == Status.WAITING and delivery.endpoint_id:
        return pgettext("delivery", "Waiting: the endpoint is off")
    return str(delivery.get_status_display())


def to_endpoint(delivery: Delivery) -> str | SafeString:
    """Where it goes. The URL of the account is on the page of the merchant."""
    if delivery.endpoint is None:
        return gettext("URL of the account")
    return link(delivery.endpoint, str(delivery.endpoint))


class DeliveryInline(ReadOnlyInline):
    model = Delivery
    for_merchants = True
    created = timestamp_column("created_at", _("created at"))
    delivered = timestamp_column("delivered_at", _("delivered at"))
    fields = ["delivery", "to", "cause", "state", "attempts", "created", "delivered"]
    readonly_fields = fields
    ordering = ["id"]
    verbose_name_plural = _("Deliveries")

    @display(description=_("delivery"))
    def delivery(self, delivery: Delivery) -> str | SafeString:
        return link(delivery, delivery.pk)

    @display(description=_("endpoint"))
    def to(self, delivery: Delivery) -> str | SafeString:
        return to_endpoint(delivery)

    @display(description=_("status"))
    def state(self, delivery: Delivery) -> SafeString:
        return badge(status_of(delivery), STATUS_LABELS[Status(delivery.status)])

    def get_queryset(self, request: HttpRequest) -> QuerySet[Delivery]:
        rows: QuerySet[Delivery] = super().get_queryset(request)
        return rows.select_related("endpoint").defer("endpoint__secret")
