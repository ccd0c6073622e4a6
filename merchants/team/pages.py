"""What the console's pages of people share: inviting, and showing the link once."""

from dataclasses import replace
from typing import Any
from urllib.parse import quote as urlquote
from urllib.parse import urlencode

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
from payments.console import roles, tenancy
from payments.console.actions import Cleaned, ConfirmedAction
from payments.console.formatting import actor, list_url, when
from payments.console.model_admins import ConsoleAdmin
from payments.core import clock
from payments.core.text import one_stop
from payments.mail import outbox

INVITE = ConfirmedAction(
    verb="invite",
    needs_reauthentication=True,
    title=_("Invite a person"),
    explanation="",
    submit=_("Invite"),
    form_class=forms.InviteForm,
    menu="merchants.membership",
)


def inviting(**changed: Any) -> ConfirmedAction:
    """Says truly who brings the link to the person."""
    if outbox.reaches_people():
        text = gettext(
            "We send the person a link by e-mail. With it they choose a password of their own. You "
            "can revoke the link until it is used."
        )
    elif outbox.is_configured():
        text = gettext(
            "In development the e-mail is only written to the log and listed under Mails: the next "
            "page shows you a link to pass on. With it the person chooses a password of their own. "
            "You can revoke the link until it is used."
        )
    else:
        text = gettext(
            "This service sends no e-mail: the next page shows you a link to pass on. With it the "
            "person chooses a password of their own. You can revoke the link until it is used."
        )
    return replace(INVITE, explanation=text, **changed)


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
        made = invited.invitation
        if invited.is_mailed:
            sent = gettext("We e-mail the link to %(email)s. It is good until %(until)s.")
            named = {"email": made.email, "until": when(made.expires_at)}
            self.message_user(request, one_stop(sent % named))
            return redirect(back_url)
        note = gettext("No e-mail was sent: pass the link on to %s yourself. It works once.")
        if outbox.is_configured():
            note = gettext(
                "The e-mail is only in the log of development and under Mails: pass the link on to "
                "%s yourself. It works once."
            )
        names = [str(roles.LABELS.get(name, name)) for name in made.roles]
        return self.show_once(
            request,
            title=gettext("Link for %s") % made.name,
            values={_("Link"): invited.link},
            back_url=back_url,
            subject=made.merchant,
            notes=[note % made.name],
            facts=[
                (_("E-mail"), made.email),
                (_("Good until"), when(made.expires_at)),
                (_("Roles"), ", ".join(names)),
            ],
            ways=_ways_to_send(invited),
            done_label=_("Done"),
        )


def _ways_to_send(invited: Invited) -> list[dict[str, object]]:
    """Both open the person's own program with the text; nothing is sent from here."""
    made = invited.invitation
    where = made.merchant.name if made.merchant else gettext("Pasarela")
    text = gettext("Hello %(name)s, this is your link to %(where)s. It works once: %(link)s")
    text %= {"name": made.name, "where": where, "link": invited.link}
    subject = gettext("Your invitation to %s") % where
    mail = urlencode({"subject": subject, "body": text}, quote_via=urlquote)
    return [
        {
            "label": _("Send by WhatsApp"),
            "icon": "send",
            "address": f"https://wa.me/?{urlencode({'text': text}, quote_via=urlquote)}",
            "is_outside": True,
        },
        {
            "label": _("Send by e-mail"),
            "icon": "mail",
            "address": f"mailto:{urlquote(made.email)}?{mail}",
        },
    ]


def shown_actor(name: str) -> str:
    """Names of operators are not for users of merchants."""
    if not name or not tenancy.current_user_is_merchant():
        return name or "-"
    return tenancy.colleagues().get(name, "Pasarela")


def invitations_url() -> str:
    return list_url(Invitation)


def to_own_merchant(request: HttpRequest, name: str) -> HttpResponse:
    """The action's page of the only merchant of the person, or the list of them."""
    own = tenancy.merchants(request)
    if len(own) == 1:
        return redirect(f"admin:{name}", quote(own[0]))
    messages.info(request, gettext("Choose the merchant first."))
    return redirect("admin:merchants_merchant_changelist")
