"""Console pages of roles, and what they share with those of operators."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroupAdmin
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db.models import Count, Model, Q, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import roles
from payments.console.admin.operator_forms import RolesField
from payments.console.formatting import actor, badge
from payments.console.model_admins import ConsoleAdmin
from payments.core import audit


class AuditedAccounts(ConsoleAdmin):
    """Console pages of operators and roles: Django's forms with our audit log."""

    # The boxes for permissions are too wide to stand beside their labels.
    compressed_fields = False
    forms_need_reauthentication = True

    def construct_change_message(
        self, request: HttpRequest, form: Any, formsets: Any, add: bool = False
    ) -> Any:
        """The reason is no change: `_audit` keeps it beside the changes."""
        if "reason" in form.changed_data:
            form.changed_data.remove("reason")
        request.reason_of_change = form.cleaned_data.get("reason", "")  # type: ignore[attr-defined]
        return super().construct_change_message(request, form, formsets, add)

    def log_addition(self, request: HttpRequest, obj: Model, message: object) -> None:
        """Django calls this method in the transaction of the form."""
        self._audit(request, obj, "created", message)

    def log_change(self, request: HttpRequest, obj: Model, message: object) -> None:
        """Django also calls it when a password is set.

        `message` has only field names, no values.
        """
        self._audit(request, obj, "changed", message)

    def _audit(self, request: HttpRequest, obj: Model, verb: str, message: object) -> None:
        audit.record(
            actor=actor(request),
            action=f"{obj._meta.model_name}.{verb}",
            subject=obj,
            reason=getattr(request, "reason_of_change", ""),
            name=str(obj),
            changes=message if isinstance(message, list) else [str(message)],
        )


def shown_rights() -> QuerySet[Permission]:
    shown = ContentType.objects.get_for_models(*admin.site._registry).values()
    return Permission.objects.filter(content_type__in=shown).select_related("content_type")


# Django registered its own page before us.
admin.site.unregister(Group)


@admin.register(Group)
class GroupAdmin(DjangoGroupAdmin, AuditedAccounts):
    """Sets of permissions. Only superusers add groups. The code defines our own roles."""

    list_about = _(
        "What a person may do is decided by roles. Those of operators open this console, and "
        "those of merchants the merchant's own."
    )
    list_display = ["name_shown", "whose", "summary_shown", "people_shown"]
    # A few rows need no search, and their names in the database are not those that are shown.
    search_fields = ()

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        groups: QuerySet[Group] = super().get_queryset(request)
        return groups.annotate(people=Count("user", filter=Q(user__is_active=True)))

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        return [roles.power(), "name"]

    @display(description=_("of whom"))
    def whose(self, group: Group) -> SafeString | str:
        if group.name in roles.OF_MERCHANTS:
            return badge(_("Merchants"), "info")
        return badge(_("Operators"), "default") if group.name in roles.LABELS else "-"

    @display(description=_("people"), ordering="people")
    def people_shown(self, group: Group) -> str:
        return str(getattr(group, "people", "-"))

    @display(description=_("what it is for"))
    def summary_shown(self, group: Group) -> str:
        return str(roles.SUMMARIES.get(group.name, "-"))

    @display(description=_("name"), ordering="name")
    def name_shown(self, group: Group) -> str:
        return roles.label(group)

    @display(description=_("permissions"))
    def rights_shown(self, group: Group) -> str:
        rights = group.permissions.select_related("content_type")
        return format_html(
            '<span class="shell-rights">{}</span>',
            format_html_join(
                "", "<span>{}</span>", ((roles.right_label(each),) for each in rights)
            ),
        )

    def render_change_form(self, *args: Any, **options: Any) -> Any:
        """Shows the role's readable name above the page."""
        page: Any = super().render_change_form(*args, **options)
        group = options.get("obj")
        if isinstance(group, Group):
            # The name is only displayed, not saved. The permissions of this page are already
            # decided.
            group.name = page.context_data["subtitle"] = roles.label(group)
        return page

    def get_fields(self, request: HttpRequest, obj: Group | None = None) -> Any:
        if obj is not None and not self.has_change_permission(request, obj):
            return ["name_shown", "summary_shown", "people_shown", "rights_shown"]
        return super().get_fields(request, obj)

    def get_readonly_fields(self, request: HttpRequest, obj: Model | None = None) -> list[str]:
        return ["name_shown", "summary_shown", "people_shown", "rights_shown"]

    def formfield_for_manytomany(
        self, db_field: Any, request: HttpRequest | None = None, **kwargs: Any
    ) -> Any:
        return super().formfield_for_manytomany(
            db_field, request, **{**kwargs, "form_class": RolesField, "queryset": shown_rights()}
        )

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        """Our own roles cannot be changed here, because migrate would undo the change."""
        if isinstance(obj, Group) and obj.name in roles.LABELS:
            return False
        return bool(request.user.is_superuser)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.is_superuser)
