"""What the pages of operators show of a person."""

from typing import Any

from django.contrib.auth.models import User
from django.utils.safestring import SafeString
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console import first_password, lockout, person_history, roles, tenancy
from payments.console.cells import copyable
from payments.console.formatting import badge, time_element, when
from payments.console.timeline import TimelineLine


class OperatorColumns:
    def title_of(self, row: User) -> object:
        return row.get_full_name() or row.get_username()

    def head(self, row: User) -> dict[str, Any]:
        facts: list[tuple[object, object]] = [
            (gettext("logs in as"), copyable(row.get_username())),
            (gettext("second factor"), self.device(row)),
            (gettext("last login"), time_element(row.last_login)),
            (gettext("has access since"), time_element(row.date_joined)),
        ]
        state = badge(gettext("Active"), "success")
        if not row.is_active:
            state = badge(gettext("Not active"), "danger")
        return {"amount": self.title_of(row), "state": state, "facts": facts}

    def timeline_lines(self, row: User) -> list[TimelineLine] | None:
        return person_history.of_operator(row)

    @display(description=_("name"))
    def name_shown(self, user: User) -> str:
        return user.get_full_name() or "-"

    @display(description=_("e-mail"), ordering="email")
    def email_shown(self, user: User) -> str:
        return user.email or "-"

    @display(description=_("roles"))
    def roles_shown(self, user: User) -> str:
        names = [roles.label(group) for group in user.groups.all()]
        if user.is_superuser:
            names.insert(0, gettext("Superuser"))
        return ", ".join(names) or "-"

    @display(description=_("second factor"))
    def device(self, user: User) -> str | SafeString:
        if getattr(user, "has_second_factor", False):
            return badge(pgettext("second factor", "Set up"), "success")
        return badge(gettext("Not set up"), "warning")

    @display(description=_("password"))
    def password_shown(self, user: User) -> str:
        """Whether another user knows the password."""
        if (first := first_password.pending(user)) is None:
            return gettext("Chosen by the person") if user.has_usable_password() else "-"
        text = gettext("Single-use, given by %(who)s; expired %(when)s")
        if not first_password.has_expired(first):
            text = gettext("Single-use, given by %(who)s; not changed yet, good until %(when)s")
        return text % {"who": first.given_by, "when": when(first_password.expires_at(first))}

    @display(description=_("locked out"))
    def locked(self, user: User) -> str:
        return locked_addresses(user) or "-"


def locked_addresses(user: User) -> str:
    """Several parts of the page ask for them; the log of logins is read once."""
    return tenancy.read_once(
        f"locked addresses of {user.pk}", lambda: ", ".join(lockout.locked_addresses(user))
    )
