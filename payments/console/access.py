"""Who may open the console: whoever has a role, or a right of their own, or is a superuser.

Django's `is_staff` follows from that, by whatever way roles are given and taken. People of
merchants are let in and out with their memberships (merchants.members).
"""

from typing import Any

from django.contrib.auth.models import User

from payments.console import roles, sessions

_LEAVING = "_console_leaving"


def is_due(user: User) -> bool:
    """Whether anything that the person holds opens the console."""
    held = user.is_superuser or user.groups.exists()
    return bool(held or user.user_permissions.exists())


def follow(user: User) -> None:
    """Lets the person in, or out at once: then all sessions end."""
    if user.groups.filter(name__in=roles.OF_MERCHANTS).exists():
        return
    user.is_staff = is_due(user)
    stale = User.objects.filter(pk=user.pk).exclude(is_staff=user.is_staff)
    if stale.update(is_staff=user.is_staff) and not user.is_staff:
        sessions.end_all(user)


def after_rights_changed(
    *, instance: Any, action: str, reverse: bool, pk_set: set[int] | None, **_kwargs: Any
) -> None:
    """Django sends it when roles or rights are given and taken, from either side."""
    if action == "pre_clear" and reverse:
        # After it nobody can tell who had them.
        setattr(instance, _LEAVING, list(instance.user_set.values_list("pk", flat=True)))
    if not action.startswith("post_"):
        return
    if not reverse:
        follow(instance)
        return
    people = getattr(instance, _LEAVING, []) if action == "post_clear" else pk_set or []
    for user in User.objects.filter(pk__in=people):
        follow(user)
