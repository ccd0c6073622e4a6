"""Invitations of people of merchants, and of operators."""

from dataclasses import replace

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants.team import forms, grants, invitations
from merchants.team.models import Invitation
from merchants.team.pages import INVITE, InvitingAdmin, count_made, person_of, shown_actor
from payments.console import roles
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.formatting import badge, link_column, timestamp_column
from payments.console.model_admins import PossibleActions
from payments.core import clock

REVOKE = ConfirmedAction(
    verb="revoke",
    title=_("Revoke the invitation"),
    explanation=_("The link opens nothing any more. The person can be invited again."),
    submit=_("Revoke"),
    danger=True,
)
RENEW = ConfirmedAction(
    verb="revoke",
    needs_reauthentication=True,
    title=_("New link"),
    explanation=_(
        "The earlier link opens nothing any more. The new one goes to the same person, with the "
        "same roles."
    ),
    submit=_("Make a new link"),
)
STYLES = {
    Invitation.State.OPEN: "info",
    Invitation.State.ACCEPTED: "success",
    Invitation.State.REVOKED: "danger",
    Invitation.State.EXPIRED: "warning",
}


@admin.register(Invitation)
class InvitationAdmin(PossibleActions, InvitingAdmin):
    """Links themselves are stored nowhere."""

    empty_text = _(
        "Invite colleagues by e-mail: each one chooses a password and has the roles that "
        "you give. The link of an invitation works once."
    )
    merchant_path = "merchant"
    merchant_pages = frozenset({"changelist_view", "change_view"})
    merchant_actions = frozenset({"revoke", "renew"})
    created = timestamp_column("created_at", _("invited at"))
    expires = timestamp_column("expires_at", _("good until"))
    merchant_link = link_column("merchant", _("merchant"), empty=_("Operators"))
    list_display = ["name", "email", "state", "roles_shown", "merchant_link", "by", "expires"]
    search_fields = ["email__iexact", "name__icontains", "merchant__id__exact"]
    search_help_text = _("E-mail, name, or id of the merchant")
    search_help_for_merchants = _("E-mail or name")
    ordering = ["-id"]
    fields = [*list_display, "created"]
    readonly_fields = fields
    actions_list = ["invite_operator"]
    actions_detail = ["renew", "revoke"]
    has_revoke_permission = right_to("revoke")
    has_invite_permission = right_to("invite")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        rows: QuerySet[Invitation] = super().get_queryset(request)
        return rows.select_related("merchant").defer("merchant__webhook_secret")

    def possible(self, row: Invitation) -> set[str]:
        ended = {Invitation.State.ACCEPTED, Invitation.State.REVOKED}
        state = row.state(clock.now())
        if state is Invitation.State.ACCEPTED:
            return set()
        return {"renew"} if state in ended else {"renew", "revoke"}

    @display(description=_("state"))
    def state(self, invitation: Invitation) -> SafeString:
        state = invitation.state(clock.now())
        return badge(state.label, STYLES[state])

    @display(description=_("roles"))
    def roles_shown(self, invitation: Invitation) -> str:
        return ", ".join(str(roles.LABELS.get(name, name)) for name in invitation.roles)

    @display(description=_("invited by"))
    def by(self, invitation: Invitation) -> str:
        return shown_actor(invitation.invited_by)

    @action(description=_("Invite an operator"), icon="person_add", permissions=["invite"])
    def invite_operator(self, request: HttpRequest) -> HttpResponse:
        offered = grants.given_by(person_of(request))
        confirmed = replace(
            INVITE,
            title=_("Invite an operator"),
            form_class=forms.invite_operator_form(offered),
        )

        def perform(form: Cleaned) -> HttpResponse:
            return self.invite(request, None, form, self.back_url(None))

        return self.confirm_first(request, None, confirmed, perform)

    @action(description=RENEW.title, icon="link", permissions=["revoke"])
    def renew(self, request: HttpRequest, object_id: str) -> HttpResponse:
        invitation: Invitation = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            count_made(request)
            invited = invitations.renew(
                invitation=invitation,
                actor=person_of(request),
                reason=form["reason"],
                now=clock.now(),
            )
            return self.show_invited(request, invited, self.back_url(None))

        return self.confirm_first(request, invitation, RENEW, perform)

    @action(
        description=REVOKE.title, icon="block", variant=ActionVariant.DANGER, permissions=["revoke"]
    )
    def revoke(self, request: HttpRequest, object_id: str) -> HttpResponse:
        invitation: Invitation = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            invitations.revoke(
                invitation=invitation,
                actor=person_of(request),
                reason=form["reason"],
                now=clock.now(),
            )
            return self.done(request, invitation, REVOKE)

        return self.confirm_first(request, invitation, REVOKE, perform)
