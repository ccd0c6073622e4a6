"""What happened to a person's access, from the audit log: who did what, when."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib.auth.models import User
from django.utils.translation import gettext

from payments.console import roles, tenancy
from payments.console.formatting import admin_url
from payments.console.timeline import ROWS_MAX, TimelineLine, act_reason, action_words, who
from payments.core.models import AuditEntry

# What people of a merchant see of a colleague's login, beside what concerns the team.
OF_LOGIN = frozenset(
    {
        *("user.created", "operator.first_password_given", "operator.password_chosen"),
        *("operator.second_factor_set", "operator.second_factor_reset"),
        *("operator.locked_out", "operator.unlocked"),
    }
)


def of_operator(user: User) -> list[TimelineLine] | None:
    """None for who may not read the audit log."""
    if not tenancy.may_open(AuditEntry):
        return None
    return [_line(entry, href=admin_url(entry)) for entry in _newest(_about(user))]


def of_member(user: User, merchant_id: str) -> list[TimelineLine]:
    """Of this merchant's team, and of the login. Operators also open the rows."""
    of_team = AuditEntry.objects.filter(
        subject_type="merchant",
        subject_id=merchant_id,
        action__startswith="member.",
        details__user=user.get_username(),
    )
    found = [*_newest(of_team), *_newest(_about(user).filter(action__in=OF_LOGIN))]
    may_open = not tenancy.current_user_is_merchant() and tenancy.may_open(AuditEntry)
    found.sort(key=lambda entry: (entry.at, entry.pk))
    return [_line(entry, href=admin_url(entry) if may_open else None) for entry in found]


def _about(user: User) -> Any:
    return AuditEntry.objects.filter(subject_type="user", subject_id=str(user.pk))


def _newest(entries: Any) -> Iterable[AuditEntry]:
    """The oldest of them first."""
    return reversed(entries.order_by("-id")[:ROWS_MAX])


def _line(entry: AuditEntry, *, href: str | None) -> TimelineLine:
    return TimelineLine(
        at=entry.at,
        what=action_words(entry.action) or entry.action,
        who=who(entry.actor),
        detail=" · ".join(_parts(entry)),
        kind="trouble" if entry.action == "operator.locked_out" else "person",
        href=href,
    )


def _parts(entry: AuditEntry) -> Iterator[str]:
    """Roles that were given and taken, and the reason, where the reader may know it."""
    details = entry.details if isinstance(entry.details, dict) else {}
    given = details.get("given") or [
        each for each in (details.get("role") or "").split(", ") if each
    ]
    if given:
        yield gettext("Given: %s") % _named(given)
    if taken := details.get("taken"):
        yield gettext("Taken: %s") % _named(taken)
    is_own = entry.actor in tenancy.colleagues() or not tenancy.current_user_is_merchant()
    reason = act_reason(entry.reason)
    # That an invitation led to it is no person's reason, so merchants may read it.
    if reason and (is_own or reason != entry.reason):
        yield reason


def _named(names: Iterable[str]) -> str:
    return ", ".join(str(roles.LABELS.get(name, name)) for name in names)
