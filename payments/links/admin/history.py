"""The timeline of a link."""

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.console.timeline import TimelineLine, add_actions, add_states, timeline, who
from payments.links.models import LinkStatus, PaymentLink

add_states(
    "paymentlink",
    {
        LinkStatus.ACTIVE: _("Payers can pay with the link again"),
        LinkStatus.PAUSED: _("The link was paused"),
        LinkStatus.ENDED: _("The link was ended"),
    },
)
add_actions(
    {
        "link.created": _("Made the payment link"),
        "link.changed": _("Changed the payment link"),
        "link.active": _("Resumed the payment link"),
        "link.paused": _("Paused the payment link"),
        "link.ended": _("Ended the payment link"),
    }
)


def lines_of(link: PaymentLink) -> list[TimelineLine]:
    made = TimelineLine(
        at=link.created_at, what=gettext("The payment link was made"), who=who(link.created_by)
    )
    lines = [made]
    if link.expires_at is not None:
        lines.append(_end(link))
    return timeline([link.pk], lines)


def _end(link: PaymentLink) -> TimelineLine:
    at = link.expires_at
    assert at is not None  # noqa: S101  the caller has looked
    return TimelineLine(
        at=at, what=gettext("The link expires"), who=who("clock"), is_ahead=at > link.updated_at
    )
