"""Invitations of people of merchants, and of operators."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.auth.models import User
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant

from merchants.team import forms, grants, invitations
from merchants.team.models import Invitation
from merchants.team.pages import (
    INVITE,
    InvitingAdmin,
    count_made,
    inviting,
    person_of,
    shown_actor,
    to_own_merchant,
)
from payments.console import crumbs, roles, state_filter, tenancy
from payments.console.actions import Cleaned, ConfirmedAction, OptionalReasonForm, right_to
from payments.console.cells import copyable, two_lines
from payments.console.detail_page import NextStep
from payments.console.formatting import (
    badge,
    lines,
    link_column,
    list_url,
    time_element,
    timestamp_column,
)
from payments.console.model_admins import PossibleActions
from payments.console.state_filter import State, StateFilter
from payments.console.status_tabs import Tab
from payments.console.timeline import TimelineLine
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
    form_class=OptionalReasonForm,
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


class InvitationState(StateFilter):
    @classmethod
    def states(cls) -> dict[str, State]:
        """As Invitation.state."""
        now, waits = clock.now(), Q(accepted_at=None, revoked_at=None)
        where = {
            Invitation.State.OPEN: Invitation.is_open(now),
            Invitation.State.ACCEPTED: Q(accepted_at__isnull=False),
            Invitation.State.EXPIRED: waits & Q(expires_at__lte=now),
            Invitation.State.REVOKED: Q(revoked_at__isnull=False),
        }
        return {state.value: State(state.label, rows) for state, rows in where.items()}


@admin.register(Invitation)
class InvitationAdmin(PossibleActions, InvitingAdmin):
    """Links themselves are stored nowhere."""

    empty_text = _(
        "Invite colleagues by e-mail: each one chooses a password and has the roles that "
        "you give. The link of an invitation works once."
    )
    list_about = _(
        "Links by which people get their first access: operators, and people of merchants. You "
        "invite operators here, and a merchant's people on its page."
    )
    list_about_for_merchants = _(
        "Links by which colleagues come in. Each works once; a new link ends the earlier one."
    )
    merchant_path = "merchant"
    merchant_pages = frozenset({"changelist_view", "change_view"})
    merchant_actions = frozenset({"revoke", "renew", "invite_colleague"})
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    created = timestamp_column("created_at", _("invited at"))
    expires = timestamp_column("expires_at", _("good until"))
    merchant_link = link_column("merchant", _("merchant"), empty=_("Operators"))
    list_display = [
        *("invited", "state", "roles_shown", "merchant_link", "by", "expires", "changes"),
    ]
    list_filter = [InvitationState]
    search_fields = ["email__iexact", "name__icontains", "merchant__id__exact"]
    search_help_text = _("E-mail, name, or id of the merchant")
    search_help_for_merchants = _("E-mail or name")
    ordering = ["-id"]
    fields = ["merchant_link", "roles_held"]
    readonly_fields = fields
    actions_list = ["invite_operator", "invite_colleague"]
    actions_detail = ["renew", "revoke"]
    has_revoke_permission = right_to("revoke")
    has_invite_permission = right_to("invite")

    def has_team_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Operators invite a merchant's people on the page of the merchant."""
        is_own = tenancy.is_merchant_user(request)
        return is_own and bool(request.user.has_perm("merchants.people_merchant"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        rows: QuerySet[Invitation] = super().get_queryset(request)
        return rows.select_related("merchant").defer("merchant__webhook_secret")

    def own_tabs(self, request: HttpRequest, changes: Any) -> list[Tab]:
        return state_filter.tabs(request, changes, InvitationState)

    def possible(self, row: Invitation) -> set[str]:
        ended = {Invitation.State.ACCEPTED, Invitation.State.REVOKED}
        state = row.state(clock.now())
        if state is Invitation.State.ACCEPTED:
            return set()
        return {"renew"} if state in ended else {"renew", "revoke"}

    def title_of(self, row: Invitation) -> object:
        return row.name

    def head(self, row: Invitation) -> dict[str, Any]:
        facts = [
            (gettext("e-mail"), copyable(row.email)),
            (pgettext("invitation", "invited by"), self.by(row)),
            (pgettext("invitation", "sent at"), time_element(row.created_at)),
            (gettext("good until"), time_element(row.expires_at)),
        ]
        return {"amount": row.name, "state": self.state(row), "facts": facts}

    def timeline_lines(self, row: Invitation) -> list[TimelineLine] | None:
        """The head tells all."""
        return None

    def next_step(self, row: Invitation) -> NextStep | None:
        state = row.state(clock.now())
        if state is Invitation.State.ACCEPTED:
            return None
        if state is Invitation.State.OPEN:
            why = gettext(
                "The person has not opened the link yet. Make a new one if it was lost; revoke it "
                "if the person must not come in."
            )
            return NextStep(why=why, actions=("renew", "revoke"), is_quiet=True)
        why = gettext("The link opens nothing any more. A new one invites the same person again.")
        return NextStep(why=why, actions=("renew",))

    @display(description=_("person"), ordering="name")
    def invited(self, invitation: Invitation) -> SafeString:
        return two_lines(invitation.name, invitation.email)

    @display(description=pgettext_lazy("invitation", "actions"))
    def changes(self, invitation: Invitation) -> SafeString | str:
        """The links to its forms."""
        labels = {"renew": RENEW.title, "revoke": pgettext("invitation", "Revoke")}
        possible = self.possible(invitation)
        links = [
            (
                "desk-bad" if name == "revoke" else "",
                reverse(f"admin:team_invitation_{name}", args=[quote(invitation.pk)]),
                label,
            )
            for name, label in labels.items()
            if name in possible
        ]
        style = '<span class="{}"><a href="{}">{}</a></span>'
        if not links:
            return "-"
        whole = '<span class="whitespace-nowrap">{}</span>'
        return format_html(whole, format_html_join(" · ", style, links))

    @display(description=_("roles"))
    def roles_held(self, invitation: Invitation) -> SafeString | str:
        return lines(roles.described(name) for name in invitation.roles) or "-"

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

    @action(
        description=_("Invite an operator"),
        icon="person_add",
        variant=ActionVariant.PRIMARY,
        permissions=["invite"],
    )
    def invite_operator(self, request: HttpRequest) -> HttpResponse:
        offered = grants.given_by(person_of(request))
        confirmed = inviting(
            title=_("Invite an operator"),
            form_class=forms.invite_operator_form(offered),
        )

        back_url = self.back_url(None)
        if request.GET.get("from") == "operators":
            crumbs.stand_at(request, User)
            back_url = list_url(User)

        def perform(form: Cleaned) -> HttpResponse:
            return self.invite(request, None, form, back_url)

        return self.confirm_first(request, None, confirmed, perform, back_url=back_url)

    @action(
        description=INVITE.title,
        icon="person_add",
        variant=ActionVariant.PRIMARY,
        permissions=["team"],
    )
    def invite_colleague(self, request: HttpRequest) -> HttpResponse:
        return to_own_merchant(request, "merchants_merchant_invite_person")

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
