"""The deliveries of an event, as the page of the event shows them."""

from collections.abc import Sequence
from typing import Any

from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from payments.console.formatting import badge, link, table, when
from webhooks.admin.inlines import colour_of, endpoint_name, status_of
from webhooks.models import Cause, Delivery, Event, Status

# A delivery of it may be sent again many times.
SHOWN_MAX = 100


def deliveries_of(event: Event) -> list[Delivery]:
    found = Delivery.objects.filter(event=event).select_related("endpoint")
    return list(found.defer("endpoint__secret").order_by("id")[:SHOWN_MAX])


def state_of(deliveries: Sequence[Delivery]) -> SafeString | str:
    """In how many places it has arrived: one delivery to each is enough."""
    places = {each.endpoint_id for each in deliveries}
    arrived = {each.endpoint_id for each in deliveries if each.status == Status.DELIVERED}
    open_ones = {Status.PENDING, Status.WAITING}
    pending = {each.endpoint_id for each in deliveries if each.status in open_ones}
    if not places:
        return ""
    if len(places) == 1:
        last = next((each for each in deliveries if each.status == Status.DELIVERED), None)
        shown = last or deliveries[-1]
        return badge(status_of(shown), colour_of(shown))
    text = ngettext(
        "Arrived at %(arrived)s of %(all)s endpoint",
        "Arrived at %(arrived)s of %(all)s endpoints",
        len(places),
    )
    is_failed = places - arrived - pending
    kind = "success" if arrived == places else "danger" if is_failed else "info"
    return badge(text % {"arrived": len(arrived), "all": len(places)}, kind)


def deliveries_table(deliveries: Sequence[Delivery]) -> dict[str, Any]:
    """Each row leads to the delivery by the name of its endpoint."""
    rows = [
        [
            link(each, endpoint_name(each)),
            badge(status_of(each), colour_of(each)),
            cause_shown(each),
            attempts_shown(each),
            when(each.delivered_at or each.created_at),
        ]
        for each in deliveries
    ]
    headers = [_("delivery to"), _("status"), _("cause"), _("attempts"), _("time")]
    return table(_("Deliveries"), headers, rows, is_compact=True)


def cause_shown(delivery: Delivery) -> str:
    """Only where it is another than the event itself."""
    return "-" if delivery.cause == Cause.EVENT else str(delivery.get_cause_display())


def attempts_shown(delivery: Delivery) -> str:
    if not delivery.attempts:
        return gettext("No attempt yet")
    text = ngettext("%(count)s attempt", "%(count)s attempts", delivery.attempts)
    return text % {"count": delivery.attempts}
