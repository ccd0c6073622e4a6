"""People of merchants: who may log in to a merchant's part of the console, and as what.

A person is of merchants or of the service, never of both. The group says what a person may do
(payments.console.roles), the membership where; the wall (payments.console.tenancy) asks here.
"""

from typing import Any

from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from merchants.models import Membership, Merchant
from payments.console import first_password, roles, sessions
from payments.core import audit
from payments.core.errors import ServiceError

Scope = frozenset[str] | None


class CannotBeMember(ServiceError):
    """The person cannot work for the merchant; the message says why."""

    code = "CANNOT_BE_MEMBER"


def scope_of(user: Any) -> Scope:
    """The ids of the merchants whose rows the person sees; None: an operator, who sees all.

    Who was of merchants once and is of none any more sees nothing: the group stays a wall.
    """
    if user.pk is None:
        return frozenset()
    merchants = frozenset(
        Membership.objects.filter(user=user.pk).values_list("merchant", flat=True)
    )
    if merchants or user.groups.filter(name__in=roles.OF_MERCHANTS).exists():
        return merchants
    return None


def names_of(merchants: frozenset[str]) -> frozenset[str]:
    """User names of those who work for any of the merchants."""
    found = Membership.objects.filter(merchant__in=sorted(merchants))
    return frozenset(found.values_list("user__username", flat=True))


def role_of(user: User) -> str:
    """The name of the person's group, empty for nobody of merchants."""
    names = user.groups.filter(name__in=roles.OF_MERCHANTS).values_list("name", flat=True)
    return max(names, key=lambda name: name == roles.MERCHANT_ADMINISTRATOR, default="")


@transaction.atomic
def add_member(
    *, merchant: Merchant, username: str, role: str, actor: str, reason: str
) -> Membership:
    """Lets a person who has an account work for the merchant. Raises CannotBeMember."""
    # Locked, so that nobody becomes an operator meanwhile.
    user = User.objects.select_for_update().filter(username=username).first()
    if user is None:
        raise CannotBeMember(gettext("Nobody has this user name."))
    _check(user, merchant, role)
    return _add(merchant, user, role, actor, reason)


@transaction.atomic
def create_member(
    *,
    merchant: Merchant,
    username: str,
    email: str,
    role: str,
    actor: str,
    reason: str,
    address: str = "",
) -> tuple[Membership, str]:
    """Makes an account for a person of the merchant.

    Returns the membership and the person's single-use password, which is shown once. Raises
    ValidationError for a name that is taken or is none.
    """
    if User.objects.filter(username__iexact=username).exists():
        raise ValidationError({"username": gettext("Somebody has this user name.")})
    user = User(username=username, email=email, is_staff=True)
    user.set_unusable_password()
    user.full_clean()
    user.save(force_insert=True)
    audit.record(actor=actor, action="user.created", subject=user, reason=reason, name=username)
    password = first_password.give(user=user, actor=actor, address=address, reason=reason)
    return _add(merchant, user, role, actor, reason), password


@transaction.atomic
def remove_member(*, membership: Membership, actor: str, reason: str) -> None:
    """The person sees nothing more of the merchant; without another one, cannot log in.

    Raises CannotBeMember when that was done already.
    """
    user, merchant = membership.user, membership.merchant
    gone, _rows = Membership.objects.filter(pk=membership.pk).delete()
    if not gone:
        raise CannotBeMember(gettext("This person does not work for the merchant any more."))
    if not Membership.objects.filter(user=user).exists():
        # The group stays: whoever lets the person log in again lets nobody see everything.
        User.objects.filter(pk=user.pk).update(is_staff=False)
        sessions.end_all(user)
    audit.record(
        actor=actor, action="member.removed", subject=merchant, reason=reason, user=user.username
    )


def _check(user: User, merchant: Merchant, role: str) -> None:
    if not user.is_active:
        raise CannotBeMember(gettext("This account is deactivated."))
    if is_operator(user):
        raise CannotBeMember(gettext("This person is an operator: nobody is both."))
    if Membership.objects.filter(user=user, merchant=merchant).exists():
        raise CannotBeMember(gettext("This person works for the merchant already."))
    if Membership.objects.filter(user=user).exists() and role_of(user) != role:
        raise CannotBeMember(gettext("A person has the same role at all merchants."))


def is_operator(user: User) -> bool:
    """Whether the person has rights that are not of merchants."""
    return (
        user.is_superuser
        or user.user_permissions.exists()
        or user.groups.exclude(name__in=roles.OF_MERCHANTS).exists()
        or (user.is_staff and scope_of(user) is None)
    )


def _add(merchant: Merchant, user: User, role: str, actor: str, reason: str) -> Membership:
    if role not in roles.OF_MERCHANTS:
        raise ValueError(f"{role!r} is no role of merchants")
    membership = Membership.objects.create(merchant=merchant, user=user)
    user.groups.set([Group.objects.get(name=role)])
    # Whatever taking earlier roles away has done.
    User.objects.filter(pk=user.pk).update(is_staff=True)
    audit.record(
        actor=actor,
        action="member.added",
        subject=merchant,
        reason=reason,
        user=user.username,
        role=role,
    )
    return membership
