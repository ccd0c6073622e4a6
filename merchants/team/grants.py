"""Who may give which role, and whether a second person has to agree.

The role that approves payouts decides about other people's money. An administrator who gave it
alone could give it to a second account of their own, and act as two persons.
"""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop as _

from merchants import members
from merchants.models import Merchant
from payments.console import roles
from payments.core.errors import NotAllowed, ServiceError

# In the order of forms.
OF_MERCHANTS = (
    roles.MERCHANT_STAFF,
    roles.MERCHANT_PREPARER,
    roles.MERCHANT_APPROVER,
    roles.MERCHANT_ADMINISTRATOR,
)
OF_OPERATORS = (
    roles.VIEWER,
    roles.SUPPORT,
    roles.FINANCE,
    roles.APPROVER,
    roles.ADMINISTRATOR,
)


class UnknownRoles(ServiceError):
    code = "UNKNOWN_ROLES"
    message = _("Choose at least one role.")


def may_manage(user: User, merchant: Merchant | None) -> bool:
    """Whether the person invites and changes the people of the merchant; None: operators."""
    if not user.is_active:
        return False
    if merchant is None:
        return user.has_perm("auth.add_user") and members.scope_of(user) is None
    scope = members.scope_of(user)
    is_inside = scope is None or merchant.pk in scope
    return is_inside and bool(user.has_perm("merchants.people_merchant"))


def lock_people(merchant: Merchant) -> None:
    """So that two administrators do not take each other's roles at once.

    NO KEY, because new rows that refer to the merchant need not wait.
    """
    Merchant.objects.select_for_update(no_key=True).only("pk").get(pk=merchant.pk)


def fresh(user: User) -> User:
    """Read again, because Django keeps the rights of an object that was asked for them."""
    return User.objects.get(pk=user.pk)


def check_manages(user: User, merchant: Merchant | None) -> None:
    """Raises NotAllowed. Called after the row of the merchant was locked."""
    if not may_manage(fresh(user), merchant):
        raise NotAllowed(_("You do not manage these people any more."))


def needs_second_person(giver: User, role: str) -> bool:
    """Holders of the right that lets money out may give every role alone, as they issue keys."""
    return role == roles.MERCHANT_APPROVER and not giver.has_perm("merchants.outgoing_merchant")


def given_by(giver: User) -> tuple[str, ...]:
    """The roles of operators that the person may give."""
    if giver.is_superuser:
        return OF_OPERATORS
    return tuple(role for role in OF_OPERATORS if role in roles.GIVEN_BY_ADMINISTRATORS)


def check_roles(giver: User, wanted: Iterable[str], merchant: Merchant | None) -> None:
    """Raises UnknownRoles, NotAllowed, RolesApart."""
    names = set(wanted)
    known = OF_OPERATORS if merchant is None else OF_MERCHANTS
    if not names or names - set(known):
        raise UnknownRoles
    if merchant is None:
        if names - set(given_by(giver)):
            raise NotAllowed(_("Only a main administrator of Pasarela gives these roles."))
        roles.check_apart(names)
