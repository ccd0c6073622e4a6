"""Who may open the console: users with a role or a right, and superusers.

Django's `is_staff` follows from that. For users of merchants it follows from their memberships
(merchants.members).
"""

from django.contrib.auth.models import Group, Permission, User

from payments.console import roles, sessions

_LEAVING = "_console_leaving"
Holder = User | Group | Permission


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
    *, instance: Holder, action: str, pk_set: set[int] | None, **_kwargs: object
) -> None:
    """A handler of Django's signal for changes of a user's roles or rights, from either side."""
    if action == "pre_clear" and not isinstance(instance, User):
        # Kept here, because the holders are unknown after the change.
        setattr(instance, _LEAVING, list(instance.user_set.values_list("pk", flat=True)))
    if not action.startswith("post_"):
        return
    if isinstance(instance, User):
        update_staff_status(instance)
        return
    user_ids = getattr(instance, _LEAVING, []) if action == "post_clear" else pk_set or []
    for user in User.objects.filter(pk__in=user_ids):
        update_staff_status(user)
