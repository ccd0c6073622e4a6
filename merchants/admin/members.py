"""Console pages of the members of merchants: their administrators' team, and the operators' view.

Only operators create accounts for others. Administrators of a merchant invite.
"""

from dataclasses import replace
from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.contrib.auth import logout
from django.db.models import Case, Exists, OuterRef, QuerySet, Subquery, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.widgets import (
    UnfoldAdminEmailInputWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from merchants import members
from merchants.admin.member_columns import MemberColumns
from merchants.models import Membership
from merchants.team import access_requests, grants, member_roles
from merchants.team.forms import RolesForm
from merchants.team.models import Invitation
from merchants.team.pages import (
    INVITE,
    InvitingAdmin,
    invitations_url,
    inviting,
    person_of,
    shown_actor,
    to_own_merchant,
)
from payments.console import first_password, person_history, roles, tenancy
from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm, right_to
from payments.console.cells import copyable
from payments.console.formatting import (
    actor,
    badge,
    link_column,
    time_element,
    timestamp_column,
    when,
)
from payments.console.inlines import ReadOnlyInline
from payments.console.model_admins import ReadOnlyAdmin
from payments.console.timeline import TimelineLine
from payments.core import clock

# Without the role that approves what others prepared.
ROLES = (roles.MERCHANT_STAFF, roles.MERCHANT_PREPARER, roles.MERCHANT_ADMINISTRATOR)


class AddMemberForm(ReasonForm):
    username = forms.CharField(
        label=_("User name"), max_length=150, widget=UnfoldAdminTextInputWidget()
    )
    role = forms.ChoiceField(
        label=_("Role"),
        choices=[(name, roles.LABELS[name]) for name in ROLES],
        widget=UnfoldAdminSelectWidget(),
        help_text=_(
            "All see everything of the merchant, ask for refunds and send webhooks again. "
            "Merchant payments also prepares payouts. Administrators prepare them, too, revoke "
            "keys, set the webhook URL, its secret and the brand."
        ),
    )
    field_order = ["username", "role", "reason"]


class CreateMemberForm(AddMemberForm):
    email = forms.EmailField(label=_("E-mail"), widget=UnfoldAdminEmailInputWidget())
    field_order = ["username", "email", "role", "reason"]


ADD = ConfirmedAction(
    verb="people",
    needs_reauthentication=True,
    title=_("Add a person"),
    explanation=_(
        "A person who has an account sees everything of this merchant from now on, and nothing "
        "of others. Operators cannot be added."
    ),
    submit=_("Add"),
    form_class=AddMemberForm,
)
CREATE = ConfirmedAction(
    verb="people",
    needs_reauthentication=True,
    title=_("Create a person"),
    explanation=_(
        "An account for a person of this merchant. A single-use password is shown once, on the "
        "next page; the person chooses another at the first login, before anything else opens."
    ),
    submit=_("Create"),
    form_class=CreateMemberForm,
)
REMOVE = ConfirmedAction(
    verb="delete",
    needs_reauthentication=True,
    title=_("Remove from the team"),
    explanation=_(
        "From now on this person sees nothing of the merchant, and all sessions end. The account "
        "stays."
    ),
    submit=_("Remove"),
    danger=True,
)
ROLES_OF = ConfirmedAction(
    verb="roles",
    needs_reauthentication=True,
    title=_("Change roles"),
    explanation=_("Roles count at once, and a role that is taken ends the person's sessions."),
    submit=_("Save"),
    form_class=RolesForm,
)


class MembershipInline(MemberColumns, ReadOnlyInline):
    """Shown on the merchant's page to operators only."""

    model = Membership
    since = timestamp_column("created_at", _("since"))
    fields = ["person", "email", "role", "since", "last_login", "access"]
    readonly_fields = fields
    verbose_name_plural = _("People")
    shown_if_empty = _("No person of the merchant can log in to the console yet.")
    add_if_empty = (_("Invite a person"), "invite_person")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        rows: QuerySet[Membership] = super().get_queryset(request)
        return rows.select_related("user").prefetch_related("user__groups").order_by("pk")


class RoleFilter(admin.SimpleListFilter):
    """By role, with the roles' readable names."""

    title = _("role")
    parameter_name = "role"

    def lookups(self, request: HttpRequest, model_admin: object) -> list[tuple[str, str]]:
        return [(name, str(roles.LABELS[name])) for name in grants.OF_MERCHANTS]

    def queryset(self, request: HttpRequest, rows: QuerySet[Membership]) -> QuerySet[Membership]:
        return rows.filter(user__groups__name=self.value()) if self.value() else rows


@admin.register(Membership)
class MembershipAdmin(MemberColumns, ReadOnlyAdmin):
    """The team of a merchant. Operators see the people of all merchants."""

    merchant_path = "merchant"
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    list_about = _(
        "The people of merchants who may log in. You invite one on the page of the merchant, and "
        "change roles or remove a person on the person's page."
    )
    list_about_for_merchants = _(
        "Who may log in for your merchant, and with which roles. Open a person to change them."
    )
    merchant_pages = frozenset({"changelist_view", "change_view"})
    merchant_actions = frozenset({"invite", "invitations", "change_roles", "remove"})
    since = timestamp_column("created_at", _("since"))
    merchant_link = link_column("merchant", _("merchant"))
    list_display = ["named", "merchant_link", "role", "last_login", "device", "invited_by"]
    list_filter = [RoleFilter]
    search_fields = ["user__username__startswith", "user__email__iexact", "merchant__id__exact"]
    search_help_text = _("User name, e-mail, or id of the merchant")
    search_help_for_merchants = _("User name or e-mail")
    ordering = ["-id"]
    fields = ["merchant_link", "roles_held", "device_shown", "approver"]
    readonly_fields = fields
    actions_list = ["invite", "invitations"]
    actions_detail = ["change_roles", "remove"]
    has_remove_permission = right_to("delete")
    has_roles_permission = right_to("roles")

    def has_invite_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Operators invite on the page of the merchant."""
        is_own = tenancy.is_merchant_user(request)
        return is_own and bool(request.user.has_perm("merchants.people_merchant"))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        rows: QuerySet[Membership] = super().get_queryset(request)
        devices = TOTPDevice.objects.filter(user=OuterRef("user"), confirmed=True)
        accepted = Invitation.objects.filter(
            accepted_by=OuterRef("user"), merchant=OuterRef("merchant")
        ).order_by("-accepted_at")
        waiting = access_requests.waiting_approvers(clock.now()).filter(
            user=OuterRef("user"), merchant=OuterRef("merchant")
        )
        rows = rows.annotate(
            has_second_factor=Exists(devices),
            role_waits=Exists(waiting),
            inviter=Subquery(accepted.values("invited_by")[:1]),
            is_own=Case(When(user=request.user.pk, then=True), default=False),
        )
        rows = rows.select_related("user", "merchant").prefetch_related("user__groups")
        return rows.defer("merchant__webhook_secret")

    def title_of(self, row: Membership) -> object:
        return row.user.get_full_name() or row.user.get_username()

    def head(self, row: Membership) -> dict[str, Any]:
        facts: list[tuple[object, object]] = [(gettext("user name"), row.user.get_username())]
        if row.user.email:
            facts.insert(0, (gettext("e-mail"), copyable(row.user.email)))
        if row.user.email == row.user.get_username():
            facts = [(gettext("e-mail, and user name"), copyable(row.user.email))]
        facts.append((gettext("last login"), self.last_login(row)))
        if (inviter := self.invited_by(row)) != "-":
            facts.append((gettext("invited by"), inviter))
        facts.append((gettext("in the team since"), time_element(row.created_at)))
        is_active = row.user.is_active
        state = (
            badge(gettext("Active"), "success") if is_active else badge(gettext("Off"), "danger")
        )
        return {"amount": self.title_of(row), "state": state, "facts": facts}

    def timeline_lines(self, row: Membership) -> list[TimelineLine]:
        return person_history.of_member(row.user, row.merchant_id)

    @display(description=_("invited by"))
    def invited_by(self, membership: Membership) -> str:
        return shown_actor(getattr(membership, "inviter", None) or "")

    @display(description=_("approver"))
    def approver(self, membership: Membership) -> str:
        """Who requested the role and who agreed, to compare with who uses it."""
        given = access_requests.approver_since(membership.merchant, membership.user)
        if given is None or given.decided_at is None:
            return "-"
        text = gettext("Requested by %(who)s, agreed by %(second)s, %(when)s")
        names = {"who": shown_actor(given.requested_by), "second": shown_actor(given.decided_by)}
        return text % {**names, "when": when(given.decided_at)}

    @action(
        description=INVITE.title,
        icon="person_add",
        permissions=["invite"],
        variant=ActionVariant.PRIMARY,
    )
    def invite(self, request: HttpRequest) -> HttpResponse:
        return to_own_merchant(request, "merchants_merchant_invite_person")

    @action(description=_("Invitations"), icon="mail", permissions=["invite"])
    def invitations(self, request: HttpRequest) -> HttpResponse:
        return redirect(invitations_url())

    @action(description=ROLES_OF.title, icon="badge", permissions=["roles"])
    def change_roles(self, request: HttpRequest, object_id: str) -> HttpResponse:
        membership: Membership = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            wanted = form["roles"]
            member_roles.change_roles(
                membership=membership,
                wanted=wanted,
                actor=person_of(request),
                reason=form["reason"],
                now=clock.now(),
            )
            waits = set(wanted) - members.roles_of(membership.user)
            text = gettext("The role of approver waits until a second person has agreed.")
            return self.done(request, membership, ROLES_OF, text if waits else None)

        confirmed = replace(ROLES_OF, initial={"roles": sorted(members.roles_of(membership.user))})
        return self.confirm_first(request, membership, confirmed, perform)

    @action(
        description=REMOVE.title,
        icon="person_remove",
        variant=ActionVariant.DANGER,
        permissions=["remove"],
    )
    def remove(self, request: HttpRequest, object_id: str) -> HttpResponse:
        membership: Membership = self.get_record(request, object_id)
        merchant = membership.merchant

        def perform(form: Cleaned) -> HttpResponse:
            member_roles.remove(
                membership=membership,
                actor=person_of(request),
                reason=form["reason"],
                now=clock.now(),
            )
            if membership.user_id == request.user.pk:
                logout(request)
                messages.info(request, gettext("You do not work for this merchant any more."))
                return redirect("admin:login")
            if tenancy.is_merchant_user(request):
                return self.done(request, None, REMOVE)
            return self.done(request, merchant, REMOVE)

        rows = [f"{membership.user} · {merchant}"]
        return self.confirm_first(request, membership, REMOVE, perform, rows=rows)


class MemberPages(InvitingAdmin):
    member_actions: ClassVar[frozenset[str]] = frozenset({"invite_person"})
    has_people_permission = right_to("people")

    @action(description=INVITE.title, icon="forward_to_inbox", permissions=["people"])
    def invite_person(self, request: HttpRequest, object_id: str) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            return self.invite(request, merchant, form, invitations_url())

        confirmed = inviting(verb="people")
        return self.confirm_first(request, merchant, confirmed, perform)

    @action(description=ADD.title, icon="person_add", permissions=["people"])
    def add_person(self, request: HttpRequest, object_id: str) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            members.add_member(merchant=merchant, actor=actor(request), **form)
            return self.done(request, merchant, ADD)

        return self.confirm_first(request, merchant, ADD, perform)

    @action(description=CREATE.title, icon="person_add", permissions=["people"])
    def create_person(self, request: HttpRequest, object_id: str) -> HttpResponse:
        merchant = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            membership, password = members.create_member(
                merchant=merchant,
                member=members.NewMember(
                    username=form["username"], email=form["email"], role=form["role"]
                ),
                actor=actor(request),
                address=first_password.address_of(request),
                reason=form["reason"],
            )
            return self.show_once(
                request,
                title=gettext("Person created"),
                values={
                    _("User name"): membership.user.username,
                    _("Single-use password"): password,
                },
                back_url=self.back_url(merchant),
            )

        return self.confirm_first(request, merchant, CREATE, perform)
