"""Columns and fields of the people of a team."""

from django.conf import settings
from django.contrib.admin.utils import quote
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from merchants.models import Membership
from merchants.team import grants
from payments.console import roles
from payments.console.cells import two_lines
from payments.console.formatting import badge, time_element


def waiting_role() -> SafeString:
    """Asked for, and of no effect before a second person agrees."""
    name = roles.LABELS[roles.MERCHANT_APPROVER]
    return badge(gettext("%s: waits for a second person") % name, "warning")


class MemberColumns:
    @display(description=_("person"))
    def person(self, membership: Membership) -> str:
        return membership.user.get_username()

    @display(description=_("e-mail"))
    def email(self, membership: Membership) -> str:
        return membership.user.email or "-"

    @display(description=_("name"))
    def name(self, membership: Membership) -> str:
        return membership.user.get_full_name() or "-"

    @display(description=_("roles"))
    def role(self, membership: Membership) -> str | SafeString:
        held = {group.name for group in membership.user.groups.all()}
        names = [str(roles.LABELS[name]) for name in grants.OF_MERCHANTS if name in held]
        shown = ", ".join(names)
        if not getattr(membership, "role_waits", False):
            return shown
        return format_html("{} {}", shown, waiting_role())

    @display(description=_("person"), ordering="user__username")
    def named(self, membership: Membership) -> SafeString:
        """The name, and below it what the person logs in with."""
        login, mail = membership.user.get_username(), membership.user.email
        name = membership.user.get_full_name()
        below = mail or login if name else mail if mail != login else ""
        is_own = getattr(membership, "is_own", False)
        you = format_html(' <span class="desk-small">{}</span>', gettext("(you)")) if is_own else ""
        return two_lines(format_html("{}{}", name or login, you), below)

    @display(description=_("last login"))
    def last_login(self, membership: Membership) -> str | SafeString:
        return (
            time_element(membership.user.last_login)
            if membership.user.last_login
            else gettext("never")
        )

    @display(description=_("access"))
    def access(self, membership: Membership) -> SafeString:
        url = reverse("admin:merchants_membership_remove", args=[quote(membership.pk)])
        return format_html('<a class="text-red-600" href="{}">{}</a>', url, gettext("Remove"))

    @display(description=_("roles"))
    def roles_held(self, membership: Membership) -> SafeString | str:
        held = {group.name for group in membership.user.groups.all()}
        shown = [(roles.described(name),) for name in grants.OF_MERCHANTS if name in held]
        if getattr(membership, "role_waits", False):
            shown.append((waiting_role(),))
        if not shown:
            return "-"
        return format_html("<ul>{}</ul>", format_html_join("", "<li>{}</li>", shown))

    @display(description=_("second factor"))
    def device(self, membership: Membership) -> SafeString:
        if getattr(membership, "has_second_factor", False):
            return badge(pgettext("second factor", "Set up"), "success")
        return badge(gettext("Not set up"), "warning")

    @display(description=_("second factor"))
    def device_shown(self, membership: Membership) -> SafeString:
        """Whether a stolen password is enough."""
        shown: SafeString = self.device(membership)
        if getattr(membership, "has_second_factor", False):
            return shown
        hint = gettext("The password alone opens the account. Ask the person to set it up.")
        if settings.CONSOLE_SECOND_FACTOR:
            hint = gettext("It is set up at the next login, before anything else opens.")
        return format_html('{} <span class="desk-small">{}</span>', shown, hint)
