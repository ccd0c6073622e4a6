"""Console pages of operators.

Operators never change their own rights. Superusers give every role; administrators give those that
neither move money nor reveal personal data (payments.console.roles), and cannot change passwords or
devices of users who hold more.
"""

from typing import Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static import admin as _static  # noqa: F401  registers its page
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp import admin as _totp  # noqa: F401  registers its page
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.dataclasses import UnfoldAction
from unfold.decorators import action
from unfold.enums import ActionVariant
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from payments.console import (
    access,
    first_password,
    lockout,
    roles,
    second_factor,
    sessions,
    state_filter,
)
from payments.console.actions import Cleaned, ConfirmedAction, right_to
from payments.console.admin.operator_columns import OperatorColumns, locked_addresses
from payments.console.admin.operator_filters import ActiveFilter, RolesFilter, of_the_house
from payments.console.admin.operator_forms import NewOperatorForm, OperatorForm, RolesField
from payments.console.admin.roles import AuditedAccounts, shown_rights
from payments.console.formatting import actor, timestamp_column
from payments.console.status_tabs import Tab
from payments.core import audit
from payments.core.errors import ServiceError

RIGHTS = ["is_superuser", "groups", "user_permissions"]
LOGIN = ["password_shown", "locked"]
UNLOCK = ConfirmedAction(
    verb="unlock",
    needs_reauthentication=True,
    title=_("Unlock"),
    explanation=_(
        "Wrong passwords and codes are forgotten: the person can log in at once. Be sure who asks: "
        "another person may have been guessing."
    ),
    submit=_("Unlock"),
)
RESET = ConfirmedAction(
    verb="reset",
    needs_reauthentication=True,
    title=_("Reset the second factor"),
    explanation=_(
        "The person's device and backup codes are no longer valid, and all sessions end. At the "
        "next login a new device is set up. Be sure who asks: call back on a number that you know."
    ),
    submit=_("Reset"),
    danger=True,
)
PASSWORD = ConfirmedAction(
    verb="change",
    needs_reauthentication=True,
    title=_("Give a single-use password"),
    explanation=_(
        "The present password is no longer valid, and all sessions end. The new one is shown once, "
        "on the next page; the person chooses another at the next login, before anything else "
        "opens. Be sure who asks: call back on a number that you know."
    ),
    submit=_("Give"),
    danger=True,
)


class NotYours(ServiceError):
    code = "NOT_YOURS"
    message = gettext_noop("Ask a colleague: you cannot reset your own second factor.")


class OwnPassword(ServiceError):
    """The user's own password. The change needs the old password."""

    code = "OWN_PASSWORD"
    message = gettext_noop("Change your own password in the menu of your account.")


# One word for the menu, the list and its records, instead of Django's "users".
User._meta.verbose_name, User._meta.verbose_name_plural = _("operator"), _("operators")

# Django registered its own page before us, and django-otp its own: they would show the secrets of
# devices.
admin.site.unregister([User, TOTPDevice, StaticDevice])


@admin.register(User)
class OperatorAdmin(OperatorColumns, DjangoUserAdmin, AuditedAccounts):
    """People who may log in to the console. They are deactivated, never deleted."""

    list_about = _(
        "The people of Pasarela who may log in to this console. People of merchants are in the "
        "list “Team”."
    )
    search_help_text = _("User name, name or e-mail")
    form = OperatorForm
    add_form = NewOperatorForm
    add_form_template = None
    list_display = [
        *("username", "name_shown", "email_shown", "roles_shown"),
        *("device", "is_active", "login_at"),
    ]
    login_at = timestamp_column("last_login", _("last login"))
    list_filter = [ActiveFilter, "is_superuser", ("groups", RolesFilter)]
    ordering = ["username"]
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"
    # The head of a record has what else there is.
    change_form_show_cancel_button = True
    actions_list = ["invite"]
    add_is_further = True  # an invitation is the usual way
    actions_detail = ["unlock", "give_password", "reset_second_factor"]
    has_invite_permission = right_to("add")
    has_password_permission = right_to("change")
    has_unlock_permission = right_to("unlock")
    has_reset_permission = right_to("reset")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Hides superusers from operators who are not superusers."""
        users: QuerySet[User] = super().get_queryset(request).prefetch_related("groups")
        devices = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
        users = users.annotate(has_second_factor=Exists(devices))
        return users if request.user.is_superuser else users.filter(is_superuser=False)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> Any:
        """The people of the house. Those of merchants are in the list of their teams."""
        base: Any = super().get_changelist(request, **kwargs)

        class OfTheHouse(base):
            def get_queryset(self, *args: Any, **kwargs: Any) -> QuerySet[User]:
                users: QuerySet[User] = super().get_queryset(*args, **kwargs)
                return of_the_house(users)

        return OfTheHouse

    def own_tabs(self, request: HttpRequest, changes: Any) -> list[Tab]:
        rows = of_the_house(self.get_queryset(request)).order_by("-pk")
        return state_filter.tabs(request, changes, ActiveFilter, rows)

    def get_list_filter(self, request: HttpRequest) -> Any:
        """Who sees no superuser is not asked about them."""
        offered = super().get_list_filter(request)
        return [one for one in offered if request.user.is_superuser or one != "is_superuser"]

    def get_fieldsets(self, request: HttpRequest, obj: User | None = None) -> Any:
        """Identity and roles. Only superusers see the box that makes a superuser.

        Single permissions are shown only of accounts that have some, so that they can be taken.
        """
        may_change = self.has_change_permission(request, obj)
        who = [("name", "email") if may_change or obj is None else ("name_shown", "email")]
        has_single = obj is not None and obj.user_permissions.exists()
        single = ["user_permissions"] if has_single else []
        beyond = ["is_superuser", *single] if request.user.is_superuser else []
        if obj is None:
            help_text = _(
                "A single-use password is shown on the next page. The person chooses another at "
                "the first login, before anything else opens."
            )
            given = ["groups", *beyond[:1]]
            return [
                (None, {"fields": ["username", *who]}),
                (_("Access"), {"fields": given, "description": help_text}),
            ]
        # Empty boxes would say that a superuser may do nothing.
        given = [] if obj.is_superuser else ["groups"]
        access_fields = ["is_active", *given, *(["reason"] if may_change else [])]
        about = _("This person is a superuser and may do everything, so needs no role.")
        described = {"description": about} if obj.is_superuser else {}
        sections = [
            (None, {"fields": who}),
            (_("Access"), {"fields": access_fields, **described}),
            (_("Login"), {"fields": LOGIN if locked_addresses(obj) else LOGIN[:1]}),
        ]
        if beyond:
            sections.append((_("Extra permissions"), {"fields": beyond, "classes": ["collapse"]}))
        return sections

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> list[str]:
        """A user cannot change their own rights. User names cannot be changed."""
        fixed = [*super().get_readonly_fields(request, obj), *LOGIN]
        if obj is None:
            return fixed
        # The audit log and the four-eyes rules identify people by user name: the person who set a
        # merchant's rule, or issued the key of a request, cannot approve the payout. After a change
        # of user name the same person could approve.
        fixed.append("username")
        if is_of_merchants(obj):
            return [*fixed, *RIGHTS]  # Roles at merchants are given with the membership.
        if request.user.is_superuser:
            return fixed
        fixed += ["is_superuser", "user_permissions"]
        if obj.pk == request.user.pk:
            return [*fixed, "groups", "is_active"]
        return fixed if self.may_take_over(request, obj) else [*fixed, "groups"]

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name != "groups":
            kwargs |= {"form_class": RolesField, "queryset": shown_rights()}
            return super().formfield_for_manytomany(db_field, request, **kwargs)
        offered = roles.by_power(Group.objects.exclude(name__in=roles.OF_MERCHANTS))
        if not request.user.is_superuser:
            offered = offered.filter(name__in=roles.GIVEN_BY_ADMINISTRATORS)
        return RolesField(
            queryset=offered,
            required=False,
            label=_("Roles"),
            widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        )

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """Removes Django's buttons beside the roles field."""
        field: Any = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "groups":
            field.widget = getattr(field.widget, "widget", field.widget)
        return field

    def may_take_over(self, request: HttpRequest, user: User) -> bool:
        """A new password or device must not give an operator more rights."""
        if request.user.is_superuser:
            return True
        more = user.groups.exclude(name__in=roles.GIVEN_BY_ADMINISTRATORS).exists()
        return not (user.is_superuser or more or user.user_permissions.exists())

    # Forms.

    def save_model(self, request: HttpRequest, obj: User, form: ModelForm, change: bool) -> None:
        """A new account has no password until response_add gives one."""
        if not change:
            obj.set_unusable_password()
        super().save_model(request, obj, form, change)
        if change and "is_active" in form.changed_data:
            verb = "activated" if obj.is_active else "deactivated"
            reason = form.cleaned_data.get("reason", "")
            audit.record(
                actor=actor(request), action=f"operator.{verb}", subject=obj, reason=reason
            )
            if not obj.is_active:
                sessions.end_all(obj)

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: dict[str, object] | None = None,
    ) -> HttpResponse:
        """Only one save button, because the next page shows a password to copy."""
        one = {"show_save_and_add_another": False, "show_save_and_continue": False}
        context = {**(extra_context or {}), **one}
        response: HttpResponse = super().changeform_view(request, object_id, form_url, context)
        return response

    def response_add(
        self, request: HttpRequest, obj: User, post_url_continue: str | None = None
    ) -> HttpResponse:
        return self._new_password(request, obj, gettext("Operator created"))

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        """Django's URL for a password change. Operators do not set passwords for others."""
        response: HttpResponse = self.give_password(request, id)
        return response

    def _new_password(
        self, request: HttpRequest, user: User, title: str, reason: str = ""
    ) -> HttpResponse:
        password = first_password.give(
            user=user,
            actor=actor(request),
            address=first_password.address_of(request),
            reason=reason,
        )
        return self.show_once(
            request,
            title=title,
            values=first_password.to_hand_over(request, user, password),
            is_handed_over=True,
            back_url=self.back_url(user),
        )

    def save_related(
        self, request: HttpRequest, form: ModelForm, formsets: object, change: bool
    ) -> None:
        """Records given and removed roles in the audit log by name, and updates the access."""
        before = _names(form.instance)
        super().save_related(request, form, formsets, change)
        access.update_staff_status(form.instance)
        if (after := _names(form.instance)) != before:
            audit.record(
                actor=actor(request),
                action="operator.roles_changed",
                subject=form.instance,
                reason=form.cleaned_data.get("reason", ""),
                given=sorted(after - before),
                taken=sorted(before - after),
            )

    # Actions.

    @action(
        description=_("Invite an operator"),
        icon="person_add",
        variant=ActionVariant.PRIMARY,
        permissions=["invite"],
    )
    def invite(self, request: HttpRequest) -> HttpResponse:
        return redirect(f"{reverse('admin:team_invitation_invite_operator')}?from=operators")

    def get_actions_detail(self, request: HttpRequest, object_id: str) -> list[UnfoldAction]:
        user = self.get_object(request, unquote(object_id))
        useful = set()
        if user is not None and (locked_addresses(user) or second_factor.has_wrong_codes(user)):
            useful.add("auth_user_unlock")
        if user is not None and second_factor.has_device(user):
            useful.add("auth_user_reset_second_factor")
        if user is not None and user.pk != request.user.pk and self.may_take_over(request, user):
            useful.add("auth_user_give_password")
        offered = super().get_actions_detail(request, object_id)
        return [item for item in offered if item.action_name in useful]

    @action(description=UNLOCK.title, icon="lock_open", permissions=["unlock"])
    def unlock(self, request: HttpRequest, object_id: str) -> HttpResponse:
        user: User = self.get_record(request, object_id)

        def perform(form: Cleaned) -> HttpResponse:
            lockout.unlock(user=user, actor=actor(request), reason=form["reason"])
            return self.done(request, user, UNLOCK)

        return self.confirm_first(request, user, UNLOCK, perform)

    @action(
        description=RESET.title,
        icon="phonelink_erase",
        variant=ActionVariant.DANGER,
        permissions=["reset"],
    )
    def reset_second_factor(self, request: HttpRequest, object_id: str) -> HttpResponse:
        user: User = self.get_record(request, object_id)
        if not self.may_take_over(request, user):
            raise PermissionDenied

        def perform(form: Cleaned) -> HttpResponse:
            if user.pk == request.user.pk:
                raise NotYours
            second_factor.reset(user=user, actor=actor(request), reason=form["reason"])
            return self.done(request, user, RESET)

        return self.confirm_first(request, user, RESET, perform)

    @action(
        description=PASSWORD.title,
        icon="password",
        permissions=["password"],
    )
    def give_password(self, request: HttpRequest, object_id: str) -> HttpResponse:
        user: User = self.get_record(request, object_id)
        if not self.may_take_over(request, user):
            raise PermissionDenied

        def perform(form: Cleaned) -> HttpResponse:
            if user.pk == request.user.pk:
                raise OwnPassword
            return self._new_password(request, user, str(PASSWORD.title), form["reason"])

        return self.confirm_first(request, user, PASSWORD, perform)


def is_of_merchants(user: User) -> bool:
    """Whether the person works, or has worked, for merchants.

    Such a person is never an operator.
    """
    return user.groups.filter(name__in=roles.OF_MERCHANTS).exists()


def _names(user: User) -> set[str]:
    return set(user.groups.values_list("name", flat=True))
