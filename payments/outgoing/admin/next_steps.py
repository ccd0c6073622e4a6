"""What a person should do about a payment that leaves us, and why."""

from django.utils.translation import gettext

from payments.console.detail_page import NextStep
from payments.console.formatting import when
from payments.outgoing.models import OutgoingPayment, OutgoingStatus


def of_outgoing(payment: OutgoingPayment) -> NextStep:
    """A second person where one is needed, then doubt, then what happens by itself."""
    if payment.status == OutgoingStatus.PENDING and payment.is_held_back:
        why = gettext("The money is held until a second person approves or rejects it.")
        return NextStep(why=why, actions=("approve", "reject"))
    if payment.needs_operator and payment.has_ended:
        why = gettext("The rail contradicts how it ended: look into it, then close it.")
        return NextStep(why=why, actions=("acknowledge",))
    if payment.needs_operator:
        why = gettext("Nobody knows how it ended. Ask the rail; resolve by hand with proof only.")
        return NextStep(why=why, actions=("ask_rail", "resolve"))
    if payment.has_ended:
        return NextStep(why=gettext("It has ended, and nothing of it is open."))
    if payment.next_action_at is not None:
        next_time = gettext("It is sent to the rail, or asked about, by itself at %s.")
        return NextStep(why=next_time % when(payment.next_action_at))
    return NextStep(why=gettext("It goes on by itself."))
