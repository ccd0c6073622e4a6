"""Who may open the console: users with a role or a right, and superusers.

Django's `is_staff` follows from that. For users of merchants it follows from their memberships
(merchants.members).
"""

from typing import Any

from django.contrib.auth.models import User

from payments.console import roles, sessions

_LEAVING = "_console_leaving"


def may_open_console(user: User) -> bool:
    held = user.is_superuser or user.groups.exists()
    return bool(held or user.user_permissions.exists())


def update_staff_status(user: User) -> None:
    """Ends all sessions of a user who may no longer open the console."""
    if user.groups.filter(name__in=roles.OF_MERCHANTS).exists():
        return
    user.is_staff = may_open_console(user)
    stale = User.objects.filter(pk=user.pk).exclude(is_staff=user.is_staff)
    if stale.update(is_staff=user.is_staff) and not user.is_staff:
        sessions.end_all(user)


def after_rights_changed(
    *, instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_kwargs: object
) -> None:
    """Django sends it when roles or rights are given and taken, from either side."""
    if action == "pre_clear" and reverse:
        # After it the holders are unknown.
        setattr(instance, _LEAVING, list(instance.user_set.values_list("pk", flat=True)))
    if not action.startswith("post_"):
        return
    if not reverse:
        update_staff_status(instance)
        return
    user_ids = getattr(instance, _LEAVING, []) if action == "post_clear" else pk_set or []
    for user in User.objects.filter(pk__in=user_ids):
        update_staff_status(user)
