"""Console pages of the operators themselves, and of roles: who gives what to whom.

Nobody gives himself anything. Superusers give everything; administrators the roles that neither
move money nor reveal personal data (payments.core.roles), and they touch neither passwords nor
devices of those who hold more.
"""

from typing import Any

from django import forms
from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, Model, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.html import format_html_join
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _
from django_otp.plugins.otp_static.models import StaticDevice
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.decorators import action, display
from unfold.enums import ActionVariant
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm
from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget

from payments.core import audit, roles
from payments.core.console import (
    Act,
    ConsoleAdmin,
    actor,
    lockout,
    right_to,
    second_factor,
)
from payments.core.console import fresh as freshness
from payments.core.errors import ServiceError

RIGHTS = ["is_superuser", "groups", "user_permissions"]
UNLOCK = Act(
    verb="unlock",
    fresh=True,
    title=_("Unlock"),
    explanation=_(
        "Wrong passwords and codes are forgotten: the person can log in at once. Be sure who asks: "
        "somebody else may have been guessing."
    ),
    submit=_("Unlock"),
)
RESET = Act(
    verb="reset",
    fresh=True,
    title=_("Reset the second factor"),
    explanation=_(
        "The person's device and backup codes are good no more, and all sessions end. At the next "
        "login a new device is set up. Be sure who asks: call back on a number that you know."
    ),
    submit=_("Reset"),
    danger=True,
)


class NotYours(ServiceError):
    """A colleague has to do it."""

    code = "NOT_YOURS"
    message = gettext_noop("Ask a colleague: nobody resets their own second factor.")


class AuditedAccounts(ConsoleAdmin):
    """Operators and their groups: Django's forms, our audit log."""

    # Boxes to choose permissions from are too wide to stand beside their labels.
    compressed_fields = False
    fresh_forms = True

    def log_addition(self, request: HttpRequest, obj: Model, message: Any) -> None:
        """Django calls this in the transaction of the form."""
        self._audit(request, obj, "created", message)

    def log_change(self, request: HttpRequest, obj: Model, message: Any) -> None:
        """Also called when a password is set; values are never in `message`, only field names."""
        self._audit(request, obj, "changed", message)

    def _audit(self, request: HttpRequest, obj: Model, verb: str, message: Any) -> None:
        audit.record(
            actor=actor(request),
            action=f"{obj._meta.model_name}.{verb}",
            subject=obj,
            name=str(obj),
            changes=message if isinstance(message, list) else [str(message)],
        )


class RolesField(forms.ModelMultipleChoiceField):
    """Roles and rights by their names in the reader's language."""

    def label_from_instance(self, obj: Model) -> str:
        """See roles.label and roles.right_label."""
        if isinstance(obj, Permission):
            return roles.right_label(obj)
        return roles.label(obj) if isinstance(obj, Group) else str(obj)


class OperatorForm(UserChangeForm):
    """A person's roles fit together."""

    def clean_groups(self) -> Any:
        """See roles.check_apart, which is asked again when they are given."""
        try:
            roles.check_apart(group.name for group in self.cleaned_data["groups"])
        except ServiceError as error:
            raise forms.ValidationError(error.shown()) from error
        return self.cleaned_data["groups"]


class RolesFilter(admin.RelatedFieldListFilter):
    """Roles by their names in the reader's language."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        """See roles.label."""
        return [(group.pk, roles.label(group)) for group in Group.objects.order_by("name")]


def _rights() -> QuerySet[Permission]:
    """The rights on what the console shows."""
    shown = ContentType.objects.get_for_models(*admin.site._registry).values()
    return Permission.objects.filter(content_type__in=shown).select_related("content_type")


# Django registered its own pages for these two before us, and django-otp its own: they would show
# the secrets of devices.
admin.site.unregister([User, Group, TOTPDevice, StaticDevice])


@admin.register(User)
class OperatorAdmin(DjangoUserAdmin, AuditedAccounts):
    """People who may log in to the console. They are deactivated, never deleted."""

    form = OperatorForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "roles_shown", "device", "is_active", "last_login"]
    list_filter = ["is_active", "is_staff", "is_superuser", ("groups", RolesFilter)]
    ordering = ["username"]
    actions_detail = ["unlock", "reset_second_factor"]
    has_unlock_permission = right_to("unlock")
    has_reset_permission = right_to("reset")

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """An operator who is not a superuser neither sees nor changes those who are."""
        users: QuerySet[User] = super().get_queryset(request).prefetch_related("groups")
        devices = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
        users = users.annotate(has_second_factor=Exists(devices))
        return users if request.user.is_superuser else users.filter(is_superuser=False)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """With what stands between this person and the console."""
        sections = list(super().get_fieldsets(request, obj))
        if obj is not None:
            sections.insert(2, (_("Login"), {"fields": ["device", "locked"]}))
        return sections

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Rights are given to others, by those who may; names stay."""
        fixed = [*super().get_readonly_fields(request, obj), "device", "locked"]
        if obj is None:
            return fixed
        # The audit log knows people by their names, and so do the rules of four eyes: who set
        # a merchant's rule, or issued the key that asked, cannot approve the payout. Under
        # another name, or after passing the own one on, the same person could.
        fixed.append("username")
        if is_of_merchants(obj):
            return [*fixed, *RIGHTS]  # roles at merchants are given with the membership
        if request.user.is_superuser:
            return fixed
        fixed += ["is_superuser", "user_permissions"]
        if obj.pk == request.user.pk:
            return [*fixed, "groups", "is_staff", "is_active"]
        return fixed if self.may_take_over(request, obj) else [*fixed, "groups", "is_staff"]

    def formfield_for_manytomany(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The roles that this person may give."""
        if db_field.name != "groups":
            kwargs |= {"form_class": RolesField, "queryset": _rights()}
            return super().formfield_for_manytomany(db_field, request, **kwargs)
        offered = Group.objects.exclude(name__in=roles.OF_MERCHANTS).order_by("name")
        if not request.user.is_superuser:
            offered = offered.filter(name__in=roles.GIVEN_BY_ADMINISTRATORS)
        return RolesField(
            queryset=offered,
            required=False,
            label=_("Roles"),
            widget=UnfoldAdminCheckboxSelectMultipleWidget(),
        )

    def may_take_over(self, request: HttpRequest, user: User) -> bool:
        """Whether a new password or device of this account would lift nobody up."""
        if request.user.is_superuser:
            return True
        more = user.groups.exclude(name__in=roles.GIVEN_BY_ADMINISTRATORS).exists()
        return not (user.is_superuser or more or user.user_permissions.exists())

    # Forms.

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Asks for one's own password before that of the new person is typed."""
        if self.has_add_permission(request):
            page = freshness.ask_again(request, carries=False)
            if page is not None:
                return page
        response: HttpResponse = super().add_view(request, form_url, extra_context)
        return response

    def user_change_password(
        self, request: HttpRequest, id: str, form_url: str = ""
    ) -> HttpResponse:
        """A new password for somebody, as add_view; and that person's sessions end."""
        user = self.get_object(request, unquote(id))
        if user is None or not self.has_change_permission(request, user):
            raise PermissionDenied
        if not self.may_take_over(request, user):
            raise PermissionDenied
        if (page := freshness.ask_again(request, carries=False)) is not None:
            return page
        response: HttpResponse = super().user_change_password(request, id, form_url)
        return response

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """What roles were given and taken is in the audit log by name."""
        before = _names(form.instance)
        super().save_related(request, form, formsets, change)
        if (after := _names(form.instance)) != before:
            audit.record(
                actor=actor(request),
                action="operator.roles_changed",
                subject=form.instance,
                given=sorted(after - before),
                taken=sorted(before - after),
            )

    # Acts.

    def get_actions_detail(self, request: HttpRequest, object_id: Any) -> Any:
        """Only what would do something now."""
        user = self.get_object(request, unquote(str(object_id)))
        useful = set()
        if user is not None and lockout.waits(user):
            useful.add("auth_user_unlock")
        if user is not None and second_factor.has_device(user):
            useful.add("auth_user_reset_second_factor")
        offered = super().get_actions_detail(request, object_id)
        return [item for item in offered if item.action_name in useful]

    @action(description=UNLOCK.title, icon="lock_open", permissions=["unlock"])
    def unlock(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """Forgets wrong passwords and codes."""
        user: User = self.found(request, object_id)

        def perform(form: dict[str, Any]) -> HttpResponse:
            lockout.unlock(user=user, actor=actor(request), reason=form["reason"])
            return self._done(request, user, UNLOCK)

        return self.ask(request, user, UNLOCK, perform)

    @action(
        description=RESET.title,
        icon="phonelink_erase",
        variant=ActionVariant.DANGER,
        permissions=["reset"],
    )
    def reset_second_factor(self, request: HttpRequest, object_id: str) -> HttpResponse:
        """For a lost device."""
        user: User = self.found(request, object_id)
        if not self.may_take_over(request, user):
            raise PermissionDenied

        def perform(form: dict[str, Any]) -> HttpResponse:
            if user.pk == request.user.pk:
                raise NotYours
            second_factor.reset(user=user, actor=actor(request), reason=form["reason"])
            return self._done(request, user, RESET)

        return self.ask(request, user, RESET, perform)

    def _done(self, request: HttpRequest, user: User, act: Act) -> HttpResponse:
        self.message_user(request, gettext("Done: %s") % act.title)
        return redirect(self.back_url(user))

    # Columns.

    @display(description=_("roles"))
    def roles_shown(self, user: User) -> str:
        """By their names."""
        names = [roles.label(group) for group in user.groups.all()]
        if user.is_superuser:
            names.insert(0, gettext("Superuser"))
        return ", ".join(names) or "-"

    @display(description=_("second factor"), boolean=True)
    def device(self, user: User) -> bool:
        """Whether one is set up."""
        return bool(getattr(user, "has_second_factor", False))

    @display(description=_("locked out"))
    def locked(self, user: User) -> str:
        """From where."""
        return ", ".join(lockout.locked_addresses(user)) or "-"


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, AuditedAccounts):
    """Sets of permissions. Only superusers add some; our own roles are as the code says."""

    list_display = ["name_shown"]

    @display(description=_("name"), ordering="name")
    def name_shown(self, group: Group) -> str:
        """See roles.label."""
        return roles.label(group)

    @display(description=_("permissions"))
    def rights_shown(self, group: Group) -> str:
        """What the role lets people do."""
        rights = group.permissions.select_related("content_type")
        return format_html_join("", "{}<br>", ((roles.right_label(each),) for each in rights))

    def render_change_form(self, *args: Any, **options: Any) -> Any:
        """With the role's name as people read it above the page."""
        page: Any = super().render_change_form(*args, **options)
        group = options.get("obj")
        if isinstance(group, Group):
            # It is shown and not saved: what may be done with it is decided by now.
            group.name = page.context_data["subtitle"] = roles.label(group)
        return page

    def get_fields(self, request: HttpRequest, obj: Group | None = None) -> Any:
        """In words, where nothing can be changed."""
        if obj is not None and not self.has_change_permission(request, obj):
            return ["name_shown", "rights_shown"]
        return super().get_fields(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> Any:
        """See get_fields."""
        return ["name_shown", "rights_shown"]

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest | None = None, **kwargs: Any
    ) -> Any:
        """Rights in words."""
        return super().formfield_for_manytomany(
            db_field, request, **{**kwargs, "form_class": RolesField, "queryset": _rights()}
        )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """See the class: migrate would undo a change of our own roles."""
        if isinstance(obj, Group) and obj.name in roles.LABELS:
            return False
        return bool(request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """See the class."""
        return bool(request.user.is_superuser)


def is_of_merchants(user: User) -> bool:
    """Whether the person works, or has worked, for merchants: never an operator."""
    return user.groups.filter(name__in=roles.OF_MERCHANTS).exists()


def _names(user: User) -> set[str]:
    return set(user.groups.values_list("name", flat=True))
