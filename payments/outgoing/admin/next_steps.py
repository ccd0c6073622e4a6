"""What an operator should do about an outgoing payment, and why."""

from django.utils.translation import gettext

from payments.console.detail_page import NextStep
from payments.console.formatting import when
from payments.outgoing.completion import NOT_SENT_AGAIN, REPORTED_ELSEWHERE, has_finding
from payments.outgoing.models import OutgoingPayment, OutgoingStatus


def of_outgoing(payment: OutgoingPayment) -> NextStep:
    if payment.status == OutgoingStatus.PENDING and payment.is_held_back:
        why = gettext("The money is held until a second person approves or rejects it.")
        waiting = gettext(
            "Pasarela has to approve it. You have nothing to do: the money is held, and the "
            "payment goes out after the approval."
        )
        return NextStep(why=why, actions=("approve", "reject"), waiting=waiting)
    if payment.needs_operator and has_finding(payment, REPORTED_ELSEWHERE):
        why = gettext(
            "Another account reports it, too: it may be paid twice. Compare the statements of both"
            " accounts for %s first."
        )
        actions = ("acknowledge",) if payment.has_ended else ("ask_rail", "resolve")
        return NextStep(why=why % payment.provider_reference, actions=actions)
    if payment.needs_operator and payment.has_ended:
        why = gettext("The rail contradicts how it ended: look into it, then close it.")
        return NextStep(why=why, actions=("acknowledge",))
    if payment.needs_operator and has_finding(payment, NOT_SENT_AGAIN):
        why = gettext(
            "The rail does not know it, and by now would take its reference for a new payment. So"
            " it is not sent again. Look for %s at the rail. If no money left, resolve it as"
            " failed."
        )
        why %= payment.provider_reference
        return NextStep(why=why, actions=("resolve", "ask_rail"))
    if payment.needs_operator:
        why = gettext("Its result is unknown. Ask the rail; resolve by hand with proof only.")
        return NextStep(why=why, actions=("ask_rail", "resolve"))
    if payment.has_ended:
        return NextStep(why=gettext("It has ended, and nothing of it is open."))
    if payment.next_action_at is not None:
        next_time = gettext("It goes on by itself. The next step is at %s.")
        return NextStep(why=next_time % when(payment.next_action_at))
    return NextStep(why=gettext("It goes on by itself."))
