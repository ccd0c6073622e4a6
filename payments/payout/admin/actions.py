"""A second person decides about a large payout: actions that only payouts have."""

from collections.abc import Callable
from typing import ClassVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant

from payments.console import four_eyes, tenancy
from payments.console.actions import ConfirmedAction, right_to
from payments.console.formatting import actor
from payments.console.timeline import add_actions
from payments.core import clock
from payments.outgoing.admin.payments import OutgoingAdmin
from payments.outgoing.models import OutgoingPayment
from payments.payout.admin import record_places
from payments.payout.admin.payout_facts import payout_facts
from payments.payout.models import Network, Payout
from payments.payout.services import approvals, keys
from payments.rails.admin import key_holders

APPROVE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Approve payout"),
    explanation=_(
        "The payout goes to the rail at once. The person who set the merchant's rule cannot "
        "approve."
    ),
    submit=_("Approve"),
    done=_("Payout approved. It goes to the rail now."),
)
REJECT = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Reject payout"),
    explanation=_("The payout ends as failed and its money is the merchant's again, for good."),
    submit=_("Reject"),
    danger=True,
    done=_("Payout rejected. Its money is the merchant's again."),
)

add_actions(
    {
        "payout.approved": _("Approved the payout"),
        "payout.rejected": _("Rejected the payout"),
    }
)


class PayoutActions(OutgoingAdmin):
    actions_detail: ClassVar[list[str]] = ["approve", "reject", *OutgoingAdmin.actions_detail]
    has_approve_permission = right_to("approve")

    def possible(self, payment: OutgoingPayment) -> set[str]:
        possible = super().possible(payment)
        if isinstance(payment, Payout) and approvals.waits_for_operator(payment):
            possible |= {"approve", "reject"}
        return possible

    def hidden(self, request: HttpRequest, payout: Payout) -> set[str]:
        return {"approve", "reject"} if self.refusal(request, payout) else set()

    def refusal(self, request: HttpRequest, payout: Payout) -> str:
        """Why this operator may not decide. Empty if they may."""
        is_theirs = tenancy.is_merchant_user(request)
        if is_theirs or payout.status != Payout.Status.PENDING or not payout.is_held_back:
            return ""
        return four_eyes.refusal(
            actor=actor(request),
            asked_by=payout.requested_by,
            rule_set_by=payout.merchant.payout_approval_set_by,
        )

    def facts(self, payment: Payout) -> list[tuple[object, object]]:
        return payout_facts(payment)

    def summary(self, payment: Payout) -> list[str]:
        rows: list[str] = []
        if payment.network == Network.BREB:
            rows += key_holders.summary(keys.last_check(payment), payment.recipient_name)
        place = record_places.place_of(payment.pk)
        return rows if place is None else [*rows, place.note or place.warning]

    @action(description=APPROVE.title, icon="check_circle", permissions=["approve"])
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks the rail for the holder of a key when the page is opened."""
        payout: Payout = self.get_record(request, object_id)
        is_asked = request.method == "GET" and payout.needs_approval
        if is_asked and not self.refusal(request, payout):
            keys.check(payout=payout, now=clock.now())
        return self._decide(request, object_id, APPROVE, approvals.approve)

    @action(
        description=REJECT.title,
        icon="block",
        variant=ActionVariant.DANGER,
        permissions=["approve"],
    )
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self._decide(request, object_id, REJECT, approvals.reject)

    def _decide(
        self,
        request: HttpRequest,
        object_id: str,
        confirmed: ConfirmedAction,
        decide: Callable[..., None],
    ) -> HttpResponse:
        payout: Payout = self.get_record(request, object_id)
        if request.method == "GET" and (why := self.refusal(request, payout)):
            self.message_user(request, why, messages.WARNING)
            return redirect(self.back_url(payout))

        def perform(form: dict[str, str]) -> None:
            decide(payout=payout, actor=actor(request), reason=form["reason"], now=clock.now())

        return self.confirm(request, payout, confirmed, perform)
