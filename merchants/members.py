"""Members of merchants, who may log in to the merchants' part of the console.

A person is a member of merchants or an operator, never both. The group gives the rights
(payments.console.roles), the membership the tenant scope (payments.console.tenancy).
"""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass

from django.contrib.auth.models import AnonymousUser, Group, User
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext

from merchants.models import Membership, Merchant
from payments.console import first_password, roles, sessions
from payments.console.roles import OF_MERCHANTS
from payments.core import audit
from payments.core.errors import ServiceError

Scope = frozenset[str] | None


class CannotBeMember(ServiceError):
    code = "CANNOT_BE_MEMBER"


def scope_of(user: User | AnonymousUser) -> Scope:
    """The ids of the merchants whose rows the person sees. None for an operator, who sees all.

    Empty for a person who has a role of members but no membership.
    """
    if user.pk is None:
        return frozenset()
    merchants = frozenset(
        Membership.objects.filter(user=user.pk).values_list("merchant", flat=True)
    )
    if merchants or user.groups.filter(name__in=roles.OF_MERCHANTS).exists():
        return merchants
    return None


def names_of(merchants: frozenset[str]) -> dict[str, str]:
    """{user name: how colleagues call the person}. Two people of one name have it beside theirs."""
    found = Membership.objects.filter(merchant__in=sorted(merchants)).select_related("user")
    users = {row.user.get_username(): row.user for row in found}
    count = Counter(user.get_full_name() for user in users.values())
    return {name: _called(user, count) for name, user in users.items()}


def _called(user: User, count: Counter[str]) -> str:
    full, name = user.get_full_name(), user.get_username()
    if not full:
        return name
    return full if count[full] == 1 else f"{full} ({name})"


def roles_of(user: User) -> frozenset[str]:
    """The names of the person's groups. Empty if the person never was a member."""
    names = user.groups.filter(name__in=roles.OF_MERCHANTS).values_list("name", flat=True)
    return frozenset(names)


def administrators_of(merchant: Merchant) -> frozenset[int]:
    """Ids of the users who can log in and manage the merchant's people."""
    found = User.objects.filter(
        membership__merchant=merchant, is_active=True, groups__name=roles.MERCHANT_ADMINISTRATOR
    )
    return frozenset(found.values_list("pk", flat=True))


@transaction.atomic
def add_member(
    *, merchant: Merchant, username: str, role: str, actor: str, reason: str
) -> Membership:
    """Adds a person who has an account. Raises CannotBeMember."""
    # Locked, so that the person does not become an operator during the checks.
    user = User.objects.select_for_update().filter(username=username).first()
    if user is None:
        raise CannotBeMember(gettext("No account has this user name."))
    _check(user, merchant, role)
    return join(merchant=merchant, user=user, roles={role}, actor=actor, reason=reason)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewMember:
    username: str
    email: str
    role: str


@transaction.atomic
def create_member(
    *, merchant: Merchant, member: NewMember, actor: str, reason: str, address: str = ""
) -> tuple[Membership, str]:
    """Creates the person's account. `address` is the client's IP address, for the log.

    Returns the membership and the single-use password, which is shown once. Raises ValidationError.
    """
    username = member.username
    if User.objects.filter(username__iexact=username).exists():
        raise ValidationError({"username": gettext("This user name is taken.")})
    user = User(username=username, email=member.email, is_staff=True)
    user.set_unusable_password()
    user.full_clean()
    user.save(force_insert=True)
    audit.record(actor=actor, action="user.created", subject=user, reason=reason, name=username)
    password = first_password.give(user=user, actor=actor, address=address, reason=reason)
    joined = join(merchant=merchant, user=user, roles={member.role}, actor=actor, reason=reason)
    return joined, password


@transaction.atomic
def remove_member(*, membership: Membership, actor: str, reason: str) -> None:
    """A person without another membership cannot log in any more. Raises CannotBeMember."""
    user, merchant = membership.user, membership.merchant
    gone, _rows = Membership.objects.filter(pk=membership.pk).delete()
    if not gone:
        raise CannotBeMember(gettext("This person does not work for the merchant any more."))
    if not Membership.objects.filter(user=user).exists():
        # The person keeps the group. If the account is enabled again, it still has no tenant scope.
        User.objects.filter(pk=user.pk).update(is_staff=False)
    sessions.end_all(user)
    audit.record(
        actor=actor, action="member.removed", subject=merchant, reason=reason, user=user.username
    )


def _check(user: User, merchant: Merchant, role: str) -> None:
    if not user.is_active:
        raise CannotBeMember(gettext("This account is deactivated."))
    if is_operator(user):
        raise CannotBeMember(gettext("This person is an operator, and works for no merchant."))
    if Membership.objects.filter(user=user, merchant=merchant).exists():
        raise CannotBeMember(gettext("This person works for the merchant already."))
    if Membership.objects.filter(user=user).exists() and roles_of(user) != {role}:
        raise CannotBeMember(gettext("A person has the same role at all merchants."))


def is_operator(user: User) -> bool:
    """Whether the person has more rights than members have."""
    return (
        user.is_superuser
        or user.user_permissions.exists()
        or user.groups.exclude(name__in=roles.OF_MERCHANTS).exists()
        or (user.is_staff and scope_of(user) is None)
    )


def join(
    *, merchant: Merchant, user: User, roles: Collection[str], actor: str, reason: str
) -> Membership:
    """The caller has checked who may do it. The roles replace those that the person had."""
    if not roles or set(roles) - OF_MERCHANTS:
        raise ValueError(f"{sorted(roles)!r} are no roles of merchants")
    membership = Membership.objects.create(merchant=merchant, user=user)
    user.groups.set(Group.objects.filter(name__in=roles))
    # An earlier removal may have taken the access to the console away.
    User.objects.filter(pk=user.pk).update(is_staff=True)
    names = sorted(roles)
    audit.record(
        actor=actor,
        action="member.added",
        subject=merchant,
        reason=reason,
        user=user.username,
        role=", ".join(names),
    )
    return membership
