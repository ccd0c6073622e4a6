"""Console pages of the kernel: the audit log, transitions, and the operators themselves."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.admin import UserAdmin as DjangoUserAdmin
from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from payments.core import audit, jsontext
from payments.core.console import ConsoleAdmin, DaysFilter, ReadOnlyAdmin, actor, moment
from payments.core.console.exports import pages as _exports  # noqa: F401  registers the page
from payments.core.console.exports.columns import Column
from payments.core.console.exports.columns import fields as columns
from payments.core.models import AuditEntry, Transition


@admin.register(AuditEntry)
class AuditEntryAdmin(ReadOnlyAdmin):
    """Who did what, when, and why."""

    when = moment("at", _("when"))
    list_display = ["when", "actor", "action", "subject_type", "subject_id", "reason"]
    list_filter = ["action", "subject_type", ("at", DaysFilter)]
    search_fields = ["subject_id__exact", "actor__exact"]
    search_help_text = _("Id of the record, or who acted")
    ordering = ["-id"]
    fields = ["when", "actor", "action", "subject_type", "subject_id", "reason", "details_text"]
    readonly_fields = fields
    export_columns = [
        Column("id", lambda entry: str(entry.pk)),
        *columns(at="at", actor="actor", action="action", subjectType="subject_type"),
        *columns(subjectId="subject_id", reason="reason"),
        Column("details", lambda entry: jsontext.dumps(entry.details)),
    ]

    @display(description=_("details"))
    def details_text(self, entry: AuditEntry) -> str:
        """The details as JSON text."""
        return jsontext.dumps(entry.details)


@admin.register(Transition)
class TransitionAdmin(ReadOnlyAdmin):
    """Every move of every state."""

    when = moment("at", _("when"))
    list_display = [
        "when",
        "subject_type",
        "subject_id",
        "from_state",
        "to_state",
        "actor",
        "reason",
    ]
    list_filter = ["subject_type", "to_state", ("at", DaysFilter)]
    search_fields = ["subject_id__exact"]
    search_help_text = _("Id of the record")
    ordering = ["-id"]
    fields = list_display
    readonly_fields = fields


class AuditedAccounts(ConsoleAdmin):
    """Operators and their groups: Django's forms, our audit log."""

    # Boxes to choose permissions from are too wide to stand beside their labels.
    compressed_fields = False

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


# Django registered its own pages for these two before us.
admin.site.unregister([User, Group])


@admin.register(User)
class OperatorAdmin(DjangoUserAdmin, AuditedAccounts):
    """People who may log in to the console. They are deactivated, never deleted."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ["username", "email", "is_active", "is_staff", "is_superuser", "last_login"]
    list_filter = ["is_active", "is_staff", "is_superuser"]
    ordering = ["username"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """An operator who is not a superuser neither sees nor changes those who are."""
        users: QuerySet[User] = super().get_queryset(request)
        return users if request.user.is_superuser else users.filter(is_superuser=False)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Rights are given by superusers only: nobody lifts himself up. Names stay."""
        fixed = list(super().get_readonly_fields(request, obj))
        if obj is not None:
            # The audit log knows people by their names, and so do the rules of four eyes: who set
            # a merchant's rule, or issued the key that asked, cannot approve the payout. Under
            # another name, or after passing the own one on, the same person could.
            fixed.append("username")
        if request.user.is_superuser:
            return fixed
        return [*fixed, "is_superuser", "groups", "user_permissions"]


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, AuditedAccounts):
    """Sets of permissions. Only superusers change them."""

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """See the class."""
        return bool(request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """See the class."""
        return bool(request.user.is_superuser)
