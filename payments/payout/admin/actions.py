"""A second person decides about a large payout: two acts that only payouts have."""

from typing import Any, ClassVar

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant

from payments.console.actions import ConfirmedAction, right_to
from payments.console.formatting import actor
from payments.console.timeline import add_actions
from payments.core import clock
from payments.outgoing.admin.payments import OutgoingAdmin
from payments.payout.models import Payout
from payments.payout.services import approvals

APPROVE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Approve payout"),
    explanation=_(
        "The payout goes to the rail at once. Whoever set the merchant's rule cannot approve."
    ),
    submit=_("Approve"),
)
REJECT = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Reject payout"),
    explanation=_("The payout ends as failed and its money is the merchant's again, for good."),
    submit=_("Reject"),
    danger=True,
)

add_actions(
    {
        "payout.approved": _("Approved the payout"),
        "payout.rejected": _("Rejected the payout"),
    }
)


class PayoutActions(OutgoingAdmin):
    """The buttons of a payout's page."""

    actions_detail: ClassVar[list[str]] = ["approve", "reject", *OutgoingAdmin.actions_detail]
    has_approve_permission = right_to("approve")

    def possible(self, payment: Payout) -> set[str]:
        acts = super().possible(payment)
        if payment.status == Payout.Status.PENDING and payment.needs_approval:
            acts |= {"approve", "reject"}
        return acts

    @action(description=APPROVE.title, icon="check_circle", permissions=["approve"])
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
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
        self, request: HttpRequest, object_id: str, confirmed: ConfirmedAction, service: Any
    ) -> HttpResponse:
        payout: Payout = self.get_record(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            service(payout=payout, actor=actor(request), reason=form["reason"], now=clock.now())
            return self.done(request, payout, confirmed)

        return self.confirm_first(request, payout, confirmed, perform)
