"""What the console's pages of people share: inviting, and showing the link once."""

from django.contrib import messages
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from merchants.models import Merchant
from merchants.team import forms, invitations
from merchants.team.invitations import Invited, NewInvitation
from merchants.team.models import Invitation
from payments.api import limits
from payments.console import tenancy
from payments.console.actions import Cleaned, ConfirmedAction
from payments.console.formatting import actor, list_url
from payments.console.model_admins import ConsoleAdmin
from payments.core import clock

INVITE = ConfirmedAction(
    verb="invite",
    needs_reauthentication=True,
    title=_("Invite a person"),
    explanation=_(
        "The person gets a link that is valid once, sets their own password, and then the second "
        "factor. Until then you can revoke the link."
    ),
    submit=_("Invite"),
    form_class=forms.InviteForm,
)


def person_of(request: HttpRequest) -> User:
    """Read again, so that no right is older than the request."""
    return User.objects.get(username=actor(request))


def count_made(request: HttpRequest) -> None:
    """Raises RateLimitExceeded."""
    limits.count(request, scope="team", key=str(request.user.pk))


class InvitingAdmin(ConsoleAdmin):
    def invite(
        self, request: HttpRequest, merchant: Merchant | None, form: Cleaned, back_url: str
    ) -> HttpResponse:
        count_made(request)
        new = NewInvitation(
            email=form["email"],
            name=form["name"],
            roles=tuple(form["roles"]),
            merchant=merchant,
        )
        invited = invitations.invite(
            new=new, actor=person_of(request), reason=form["reason"], now=clock.now()
        )
        return self.show_invited(request, invited, back_url)

    def show_invited(self, request: HttpRequest, invited: Invited, back_url: str) -> HttpResponse:
        """Where mail delivers the link, no other person sees it or can use it first."""
        email = invited.invitation.email
        if invited.is_mailed:
            self.message_user(request, gettext("The invitation is on its way to %s.") % email)
            return redirect(back_url)
        return self.show_once(
            request,
            title=gettext("Give this link to %s") % invited.invitation.name,
            values={_("E-mail"): email, _("Link, valid once"): invited.link},
            back_url=back_url,
        )


def shown_actor(name: str) -> str:
    """Names of operators are not for users of merchants."""
    if not name or not tenancy.current_user_is_merchant() or name in tenancy.colleagues():
        return name or "-"
    return "Pasarela"


def invitations_url() -> str:
    return list_url(Invitation)


def to_own_merchant(request: HttpRequest, name: str) -> HttpResponse:
    """The action's page of the only merchant of the person, or the list of them."""
    own = tenancy.merchants(request)
    if len(own) == 1:
        return redirect(f"admin:{name}", quote(own[0]))
    messages.info(request, gettext("Choose the merchant first."))
    return redirect("admin:merchants_merchant_changelist")
