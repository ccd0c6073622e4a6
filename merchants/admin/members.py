"""Console pages of the members of merchants. Only operators create, add and remove members."""

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import quote
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.widgets import (
    UnfoldAdminEmailInputWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
)

from merchants import members
from merchants.models import Membership
from payments.console import first_password, roles
from payments.console.actions import Cleaned, ConfirmedAction, ReasonForm, right_to
from payments.console.formatting import actor, link_column, timestamp_column, when
from payments.console.model_admins import ConsoleAdmin, ReadOnlyAdmin, ReadOnlyInline

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
    title=_("Remove a person"),
    explanation=_("From now on this person sees nothing of the merchant. The account stays."),
    submit=_("Remove"),
    danger=True,
)


class MemberColumns:
    @display(description=_("person"))
    def person(self, membership: Membership) -> str:
        return membership.user.get_username()

    @display(description=_("e-mail"))
    def email(self, membership: Membership) -> str:
        return membership.user.email or "-"

    @display(description=_("role"))
    def role(self, membership: Membership) -> str:
        return str(roles.LABELS.get(members.role_of(membership.user), "-"))

    @display(description=_("last login"))
    def last_login(self, membership: Membership) -> str:
        return when(membership.user.last_login)

    @display(description=_("access"))
    def access(self, membership: Membership) -> SafeString:
        url = reverse("admin:merchants_membership_remove", args=[quote(membership.pk)])
        return format_html('<a class="text-red-600" href="{}">{}</a>', url, gettext("Remove"))


class MembershipInline(MemberColumns, ReadOnlyInline):
    """Shown on the merchant's page to operators only."""

    model = Membership
    since = timestamp_column("created_at", _("since"))
    fields = ["person", "email", "role", "since", "last_login", "access"]
    readonly_fields = fields
    verbose_name_plural = _("People")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        rows: QuerySet[Membership] = super().get_queryset(request)
        return rows.select_related("user").order_by("pk")


@admin.register(Membership)
class MembershipAdmin(MemberColumns, ReadOnlyAdmin):
    """For operators only. A member of a merchant has to ask an operator for a change."""

    since = timestamp_column("created_at", _("since"))
    merchant_link = link_column("merchant", _("merchant"))
    list_display = ["person", "merchant_link", "role", "email", "since", "last_login"]
    search_fields = ["user__username__startswith", "user__email__iexact", "merchant__id__exact"]
    search_help_text = _("User name, e-mail, or id of the merchant")
    ordering = ["-id"]
    fields = list_display
    readonly_fields = fields
    actions_detail = ["remove"]
    has_remove_permission = right_to("delete")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        rows: QuerySet[Membership] = super().get_queryset(request)
        return rows.select_related("user", "merchant").defer("merchant__webhook_secret")

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
            members.remove_member(
                membership=membership, actor=actor(request), reason=form["reason"]
            )
            return self.done(request, merchant, REMOVE)

        rows = [f"{membership.user} · {merchant}"]
        return self.confirm_first(request, membership, REMOVE, perform, rows=rows)


class MemberPages(ConsoleAdmin):
    has_people_permission = right_to("people")

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
