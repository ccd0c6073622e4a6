"""A second person decides about a refund: never the one who stands behind the request."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action
from unfold.enums import ActionVariant

from payments.collect.admin.actions import ConfirmedActionsAdmin
from payments.collect.models import Refund
from payments.collect.services.refunds import refund_approvals, refund_keys
from payments.console import four_eyes, tenancy
from payments.console.actions import ConfirmedAction, right_to
from payments.console.detail_page import NextStep
from payments.console.formatting import actor
from payments.core import clock

APPROVE = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Approve refund"),
    explanation=_(
        "The money goes back to the payer. The person who asked for it, or who issued the API key "
        "that asked for it, cannot approve it."
    ),
    submit=_("Approve"),
    done=_("Refund approved. The money is on its way to the payer."),
)
REJECT = ConfirmedAction(
    verb="approve",
    needs_reauthentication=True,
    title=_("Reject refund"),
    explanation=_("Nothing goes back, and what was held is the merchant's again."),
    submit=_("Reject"),
    danger=True,
    done=_("Refund rejected. What was held is the merchant's again."),
)


class RefundDecisions(ConfirmedActionsAdmin):
    has_approve_permission = right_to("approve")

    def hidden(self, request: HttpRequest, refund: Refund) -> set[str]:
        return {"approve"} if refusal(request, refund) else set()

    @action(description=APPROVE.title, icon="check_circle", permissions=["approve"])
    def approve(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Asks the rail for the holder of a key when the page is opened."""
        refund: Refund = self.get_record(request, object_id)
        if request.method == "GET" and (why := refusal(request, refund)):
            self.message_user(request, why, messages.WARNING)
            return redirect(self.back_url(refund))
        if request.method == "GET" and refund.needs_approval:
            refund_keys.check(refund=refund, now=clock.now())
        return self.confirm(request, object_id, APPROVE, refund_approvals.approve)

    @action(
        description=REJECT.title,
        icon="block",
        variant=ActionVariant.DANGER,
        permissions=["approve"],
    )
    def reject(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return self.confirm(request, object_id, REJECT, refund_approvals.reject)


def refusal(request: HttpRequest, refund: Refund) -> str:
    """Why this person may not approve what waits for an approval. Empty if they may."""
    if refund.status != Refund.Status.PENDING or not refund.needs_approval:
        return ""
    return four_eyes.refusal(actor=actor(request), asked_by=refund.requested_by)


def own_request(refund: Refund) -> NextStep | None:
    """The step of a person who may not approve it themselves."""
    request = tenancy.current_request()
    if request is None or tenancy.is_merchant_user(request):
        return None
    if not (why := refusal(request, refund)):
        return None
    why += " " + gettext("Another person has to decide.")
    return NextStep(why=why, actions=("reject",), is_quiet=True)
