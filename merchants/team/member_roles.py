"""Roles and removals of the people of a merchant, by its administrators or by operators.

A person never changes their own roles. A merchant that has an administrator keeps one.
"""

from collections.abc import Collection
from datetime import datetime

from django.contrib.auth.models import Group, User
from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants import members
from merchants.models import Membership, Merchant
from merchants.team import access_requests, grants
from payments.console import roles, sessions
from payments.core import audit
from payments.core.errors import NotAllowed, ServiceError


class LastAdministrator(ServiceError):
    code = "LAST_ADMINISTRATOR"
    message = _("You are the last administrator: make another person one first.")


@transaction.atomic
def change_roles(
    *, membership: Membership, wanted: Collection[str], actor: User, reason: str, now: datetime
) -> None:
    """The role of approver waits for a second person. Ends the sessions if a role is taken.

    Raises NotAllowed, UnknownRoles, SeveralMerchants.
    """
    user, merchant = _locked(membership, actor)
    if user.pk == actor.pk:
        raise NotAllowed(_("You cannot change your own roles."))
    grants.check_roles(actor, wanted, merchant)
    is_alone = Membership.objects.filter(user=user).count() == 1
    if not is_alone and not actor.is_superuser:
        raise access_requests.SeveralMerchants
    held = members.roles_of(user)
    asked = {roles.MERCHANT_APPROVER} & (set(wanted) - held)
    new = (set(wanted) - asked) or {roles.MERCHANT_STAFF}
    given, taken = sorted(new - held), sorted(held - new)
    if given or taken:
        user.groups.set(Group.objects.filter(name__in=new))
        audit.record(
            actor=actor.get_username(),
            action="member.roles_changed",
            subject=merchant,
            reason=reason,
            user=user.username,
            given=given,
            taken=taken,
        )
    if asked:
        access_requests.request_approver(
            merchant=merchant, user=user, actor=actor, reason=reason, now=now
        )
    if taken:
        sessions.end_all(user)


@transaction.atomic
def remove(*, membership: Membership, actor: User, reason: str, now: datetime) -> None:
    """Raises LastAdministrator, NotAllowed, CannotBeMember."""
    user, merchant = _locked(membership, actor)
    if user.pk == actor.pk and members.administrators_of(merchant) <= {user.pk}:
        raise LastAdministrator
    name = actor.get_username()
    access_requests.end_of_person(merchant=merchant, user=user, actor=name, now=now)
    members.remove_member(membership=membership, actor=name, reason=reason)


def _locked(membership: Membership, actor: User) -> tuple[User, Merchant]:
    merchant = membership.merchant
    grants.lock_people(merchant)
    grants.check_manages(actor, merchant)
    return User.objects.select_for_update().get(pk=membership.user_id), merchant
