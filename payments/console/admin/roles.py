"""Console pages of roles, and what they share with those of operators."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.db.models import Count, Model, Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import roles
from payments.console.admin.role_areas import areas
from payments.console.formatting import actor, badge, table
from payments.console.model_admins import ConsoleAdmin, ReadOnlyAdmin
from payments.console.timeline import TimelineLine
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


# One word for the menu, the list and its records, instead of Django's "groups".
Group._meta.verbose_name, Group._meta.verbose_name_plural = _("role"), _("roles")

# Django registered its own page before us.
admin.site.unregister(Group)


@admin.register(Group)
class RoleAdmin(ReadOnlyAdmin):
    """Roles are declared by the code, and `migrate` writes them: the pages only show them."""

    list_about = _(
        "What a person may do is decided by roles. Those of operators open this console, and "
        "those of merchants the merchant's own."
    )
    list_display = ["name_shown", "whose", "summary_shown", "people_shown"]
    # A few rows need no search, and their names in the database are not those that are shown.
    search_fields = ()
    has_timeline = True
    change_form_outer_after_template = "admin/tables.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Group]:
        groups: QuerySet[Group] = super().get_queryset(request)
        return groups.annotate(people=Count("user", filter=Q(user__is_active=True)))

    def get_ordering(self, request: HttpRequest) -> list[Any]:
        return [roles.power(), "name"]

    def get_fieldsets(self, request: HttpRequest, obj: Group | None = None) -> list[Any]:
        """The head and the table have everything. Empty `fields` would be all of Django's."""
        return []

    def title_of(self, row: Group) -> object:
        return roles.label(row)

    def head(self, row: Group) -> dict[str, Any]:
        return {
            "amount": roles.label(row),
            "state": self.whose(row),
            "facts": [
                (gettext("what it is for"), self.summary_shown(row)),
                (gettext("people"), self.people_link(row)),
            ],
        }

    def related_tables(self, row: Group) -> list[dict[str, Any]]:
        headers = [_("area"), _("sees"), _("does")]
        cells = [[each.name, each.sees or "-", each.does or "-"] for each in areas(row)]
        return [table(gettext("What this role may do"), headers, cells)]

    def timeline_lines(self, row: Group) -> list[TimelineLine] | None:
        return None

    @display(description=_("of whom"))
    def whose(self, group: Group) -> SafeString | str:
        if group.name in roles.OF_MERCHANTS:
            return badge(_("Merchants"), "info")
        return badge(_("Operators"), "default") if group.name in roles.LABELS else "-"

    @display(description=_("people"), ordering="people")
    def people_shown(self, group: Group) -> str:
        return str(getattr(group, "people", "-"))

    def people_link(self, group: Group) -> SafeString | str:
        """To the list that has them: people of merchants are in the list of the teams."""
        count = getattr(group, "people", 0)
        text = ngettext("%(count)s person", "%(count)s people", count) % {"count": count}
        if not count:
            return text
        if group.name in roles.OF_MERCHANTS:
            place, query = "admin:merchants_membership_changelist", {"role": group.name}
        else:
            place = "admin:auth_user_changelist"
            query = {"groups__id__exact": str(group.pk), "state": "active"}
        return format_html('<a href="{}?{}">{}</a>', reverse(place), urlencode(query), text)

    @display(description=_("what it is for"))
    def summary_shown(self, group: Group) -> str:
        return str(roles.SUMMARIES.get(group.name, "-"))

    @display(description=_("name"), ordering="name")
    def name_shown(self, group: Group) -> str:
        return roles.label(group)
