"""What the pages of events and deliveries share."""

from urllib.parse import urlsplit

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext

from payments.console.cells import two_lines
from payments.console.formatting import link
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
    if _is_tried_again(delivery):
        return pgettext("delivery", "Is tried again")
    return str(delivery.get_status_display())


def colour_of(delivery: Delivery) -> str:
    """In the colour of a warning after an attempt that failed."""
    return "warning" if _is_tried_again(delivery) else STATUS_LABELS[Status(delivery.status)]


def _is_tried_again(delivery: Delivery) -> bool:
    return delivery.status == Status.PENDING and delivery.attempts > 0


def endpoint_name(delivery: Delivery) -> str:
    if delivery.endpoint is None:
        return gettext("Main URL of the account")
    return str(delivery.endpoint)


def to_endpoint(delivery: Delivery) -> str | SafeString:
    """Where it goes. The URL of the account is on the page of the merchant."""
    name = endpoint_name(delivery)
    return name if delivery.endpoint is None else link(delivery.endpoint, name)


def short_endpoint(delivery: Delivery) -> SafeString:
    """For a row of a list: the name and the host. Without a name the host, and then its path.

    An address is cut at its beginning: its end tells it from the others.
    """
    endpoint = delivery.endpoint
    url = delivery.merchant.webhook_url if endpoint is None else endpoint.url
    parts = urlsplit(url or "")
    host, path = _cut_at_start(parts.netloc or url or "-"), _cut_at_start(parts.path)
    if endpoint is None:
        return two_lines(gettext("Main URL"), host)
    if endpoint.description:
        return two_lines(link(endpoint, endpoint.description), host)
    return two_lines(link(endpoint, host), path)


def _cut_at_start(text: str) -> SafeString:
    return format_html('<span class="shell-end"><bdi dir="ltr">{}</bdi></span>', text)
