"""The timeline of an outgoing payment, and the ticket of products that have one."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from payments.console import tenancy
from payments.console.code_words import code_words
from payments.console.formatting import amount, table, when
from payments.console.registry import Text
from payments.console.state_words import add_state_words
from payments.console.timeline import TimelineLine, add_actions, add_states, timeline, who
from payments.core import money
from payments.outgoing.completion import NOT_SENT_AGAIN, REPORTED_ELSEWHERE
from payments.outgoing.models import OutgoingPayment, OutgoingStatus

# In the gender of the Spanish noun.
FEMININE: dict[str, Text] = {
    "PROCESSING": _("On the way"),
    "REFUNDED": pgettext_lazy("feminine", "Returned"),
}
MASCULINE: dict[str, Text] = {
    "PROCESSING": _("On the way"),
    "COMPLETED": pgettext_lazy("masculine", "Completed"),
    "FAILED": pgettext_lazy("masculine", "Failed"),
}


def add_product(model_name: str, *, arrived: Text, is_feminine: bool) -> None:
    """is_feminine: the Spanish noun of the product is."""
    add_state_words(model_name, FEMININE if is_feminine else MASCULINE)
    add_states(
        model_name,
        {
            "PROCESSING": _("It is on its way"),
            "COMPLETED": arrived,
            "FAILED": _("It never left: the money is in the balance again"),
            "REFUNDED": _("It came back: the money is in the balance again"),
        },
    )
    add_actions(
        {
            f"{model_name}.asked": _("Asked the rail about the payment"),
            f"{model_name}.resolved": _("Resolved the payment by hand"),
            f"{model_name}.acknowledged": _("Took the payment out of the queue"),
        }
    )


add_actions(
    {
        "personal_data.revealed": _("Looked at the personal data"),
        REPORTED_ELSEWHERE: _("Another account reports the payment, too"),
        NOT_SENT_AGAIN: _("It is not sent again: the rail may have forgotten its reference"),
    }
)


def timeline_lines(payment: OutgoingPayment) -> list[TimelineLine]:
    return timeline([str(payment.pk)], [_made(payment), *_sent(payment), *_ahead(payment)])


def ticket(payment: OutgoingPayment, about: Mapping[Promise, str]) -> dict[str, object]:
    facts: dict[Promise, str] = {
        _("number"): payment.provider_id or "-",
        _("authorization"): payment.authorization or "-",
        _("provider"): code_words(payment.provider) or "-",
        _("issued at"): when(payment.completed_at),
        **about,
        _("amount"): amount(payment.amount, money.FIAT),
    }
    return table(_("Ticket"), list(facts), [list(facts.values())])


def _made(payment: OutgoingPayment) -> TimelineLine:
    whose = [] if tenancy.current_user_has_one_merchant() else [str(payment.merchant)]
    return TimelineLine(
        at=payment.created_at,
        what=gettext("It was asked for over the API")
        if payment.requested_by.startswith("key_")
        else gettext("It was asked for in the console"),
        who=who(payment.requested_by),
        detail=" · ".join([*whose, amount(payment.debit, payment.currency)]),
    )


def _sent(payment: OutgoingPayment) -> list[TimelineLine]:
    """The line of the first call. Later calls are only counted."""
    if payment.sent_at is None:
        return []
    calls = gettext("calls so far: %s") % payment.attempts
    if tenancy.current_user_is_merchant():
        name, reference = gettext("It was sent to the payment network"), ""
    else:
        name = gettext("It was sent to %s") % code_words(payment.provider)
        reference = gettext("our reference: %s") % payment.provider_reference
    return [
        TimelineLine(
            at=payment.sent_at,
            what=name,
            who=who("engine"),
            detail=" · ".join(filter(None, [reference, calls])),
            kind="rail",
        )
    ]


def _ahead(payment: OutgoingPayment) -> list[TimelineLine]:
    if payment.next_action_at is None:
        return []
    what = (
        gettext("It is sent")
        if payment.status == OutgoingStatus.PENDING
        else gettext("Its result is queried again")
    )
    return [TimelineLine(at=payment.next_action_at, what=what, who=who("engine"), is_ahead=True)]
