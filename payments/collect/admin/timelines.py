"""The timelines of orders, charges, refunds, disputes and unmatched funds."""

from dataclasses import replace

from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from payments.collect.admin import evidence
from payments.collect.models import Charge, Dispute, Order, Refund, UnmatchedFunds
from payments.console import tenancy
from payments.console.code_words import code_words
from payments.console.formatting import amount, page_url
from payments.console.timeline import TimelineLine, add_actions, add_states, timeline, who

_ON_ITS_WAY = _("The refund is on its way")
add_states(
    "order",
    {
        "PENDING": _("The order waits for the payer again"),
        "PROCESSING": _("The payment is under way"),
        "WAITING_TRANSFER": _("The payer was told where to send the money"),
        "COMPLETED": _("The order is paid"),
        "FAILED": _("The payment failed: the order has ended"),
        "EXPIRED": _("The order ended unpaid"),
    },
)
add_states(
    "charge",
    {
        "PENDING": _("The payment attempt was received"),
        "RECEIVED": _("A part of the money arrived"),
        "SUCCEEDED": _("The money arrived"),
        "FAILED": _("The payment attempt failed"),
        "ABANDONED": _("The payment attempt was given up"),
    },
)
add_states(
    "refund",
    {
        "PROCESSING": _ON_ITS_WAY,
        "COMPLETED": _("The payer has the money back"),
        "FAILED": _("Nothing went back: the money is in the balance again"),
        "REFUNDED": _("It went back and came to us again: the money is in the balance"),
    },
)
add_states(
    "dispute",
    {"WON": _("The merchant won the dispute"), "LOST": _("The merchant lost the dispute")},
)
add_states(
    "unmatchedfunds",
    {
        "CREDITED": _("The money was credited to the merchant"),
        "APPLIED": _("The money was applied to another order"),
        "RETURNED": _("The money was returned to the payer"),
    },
)
add_actions(
    {
        "order.cancelled": _("Cancelled the order"),
        "order.repeated": _("The payer tried again"),
        "order.document_given": _("The payer gave the document"),
        "order.asked": _("Asked the rail about the open tries"),
        "dispute.opened": _("Opened a dispute by hand"),
        "dispute.decided": _("Recorded the bank's decision"),
        "dispute.evidence_added": _("Added evidence"),
        "dispute.file_added": _("Added a file as evidence"),
        "dispute.file_read": _("Downloaded a file of the evidence"),
        "dispute.acknowledged": _("Took the dispute out of the queue"),
        "refund.requested": _("Requested the refund"),
        "refund.destination_given": _("Named the account for the refund"),
        "refund.transaction_entered": _("Entered the transaction of the refund"),
        "refund.transaction_gone": _("The network forgot the transaction of the refund"),
        "refund.transaction_again": _("A forgotten transaction of the refund came back"),
        "refund.approved": _("Approved the refund"),
        "refund.rejected": _("Rejected the refund"),
        "refund.asked": _("Asked the rail about the refund"),
        "refund.resolved": _("Resolved the refund by hand"),
        "refund.acknowledged": _("Took the refund out of the queue"),
        "unmatched.credited": _("Credited the money to the merchant"),
        "unmatched.applied": _("Applied the money to another order"),
        "unmatched.returned": _("Recorded that the money went back"),
    }
)


def order_lines(order: Order) -> list[TimelineLine]:
    """The lines of an order. The caller has prefetched its related rows."""
    charges, refunds, disputes = order.charges.all(), order.refunds.all(), order.disputes.all()
    unmatched = unmatched_of(order)
    facts = [
        _created_line(order),
        *map(_charge_line, charges),
        *map(_refund_line, refunds),
        *map(_dispute_line, disputes),
        *map(_unmatched_line, unmatched),
        *_deadline_lines(order),
    ]
    rows = [order, *charges, *refunds, *disputes, *unmatched]
    return timeline([row.pk for row in rows], facts)


def charge_lines(charge: Charge) -> list[TimelineLine]:
    return timeline([charge.pk], [_charge_line(charge)])


def refund_lines(refund: Refund) -> list[TimelineLine]:
    lines = timeline([refund.pk], [_refund_line(refund)])
    if not refund.coin:
        return lines
    # Nothing moves by itself: an operator sends the coins.
    words = gettext("Its coins can be sent now")
    return [
        replace(line, what=words, detail="") if line.what == _ON_ITS_WAY else line for line in lines
    ]


def dispute_lines(dispute: Dispute) -> list[TimelineLine]:
    facts = [_dispute_line(dispute)]
    if tenancy.current_user_is_merchant():  # operators have the row of the audit log
        said = evidence.said_of_files(dispute)
        facts += [
            TimelineLine(
                at=file.added_at,
                what=gettext("Added a file as evidence"),
                who=who(file.added_by),
                detail=": ".join(filter(None, (file.name, said.get(file.pk, "")))),
                kind="person",
            )
            for file in dispute.files.filter(is_of_merchant=True).defer("content")
        ]
    if dispute.status == Dispute.Status.OPEN and dispute.evidence_due_at:
        last = gettext("Evidence is taken until then")
        facts.append(TimelineLine(at=dispute.evidence_due_at, what=last, is_ahead=True))
    return timeline([dispute.pk], facts)


def unmatched_lines(funds: UnmatchedFunds) -> list[TimelineLine]:
    return timeline([funds.pk], [_unmatched_line(funds)])


def unmatched_of(order: Order) -> list[UnmatchedFunds]:
    """Unmatched funds that arrived for the order, and funds that were applied to it. Read once."""
    if "unmatched" not in order.__dict__:
        related = UnmatchedFunds.objects.filter(Q(order=order) | Q(applied_charge__order=order))
        order.__dict__["unmatched"] = list(related.order_by("id"))
    found: list[UnmatchedFunds] = order.__dict__["unmatched"]
    return found


def _created_line(order: Order) -> TimelineLine:
    is_own = tenancy.current_user_has_one_merchant()
    return TimelineLine(
        at=order.created_at,
        what=gettext("The order was made from a payment link")
        if order.link_id
        else gettext("The order was made over the API"),
        who="" if order.link_id or is_own else str(order.merchant),
        detail=f"{amount(order.amount, order.currency)} · {order.reference}",
    )


def _deadline_lines(order: Order) -> list[TimelineLine]:
    if order.is_final:
        return []
    what = gettext("The order ends by itself, unless it is paid before")
    return [TimelineLine(at=order.expires_at, what=what, who=who("clock"), is_ahead=True)]


def _charge_line(charge: Charge) -> TimelineLine:
    direct = charge.direct_method
    how = code_words(direct) if direct else charge.get_method_display()
    rail = gettext("rail: %s") % code_words(charge.provider)
    facts = [
        amount(charge.amount, charge.currency),
        # Merchants do not see the name of the rail.
        "" if tenancy.current_user_is_merchant() else rail,
        gettext("trace code: %s") % charge.trace_code if charge.trace_code else "",
    ]
    return TimelineLine(
        at=charge.created_at,
        what=gettext("An attempt to pay with %s began") % how,
        who=who("payer"),
        detail=" · ".join(filter(None, facts)),
        kind="rail",
        href=page_url(charge),
    )


def _refund_line(refund: Refund) -> TimelineLine:
    return TimelineLine(
        at=refund.created_at,
        what=gettext("A refund of %s was asked for") % amount(refund.amount, refund.order.currency),
        who=who(refund.requested_by),
        detail=refund.reason,
        href=page_url(refund),
    )


def _dispute_line(dispute: Dispute) -> TimelineLine:
    named = {
        "kind": dispute.get_kind_display(),
        "amount": amount(dispute.claimed, dispute.order.currency),
    }
    return TimelineLine(
        at=dispute.opened_at,
        what=gettext("%(kind)s: the payer's bank asks %(amount)s back") % named,
        who=who(dispute.opened_by),
        detail=dispute.reason,
        kind="trouble",
        href=page_url(dispute),
    )


def _unmatched_line(funds: UnmatchedFunds) -> TimelineLine:
    return TimelineLine(
        at=funds.created_at,
        what=gettext("%s arrived and found no open order") % amount(funds.amount, funds.currency),
        who=gettext("the rail"),
        detail=funds.get_reason_display(),
        kind="trouble",
        href=page_url(funds),
    )
