"""People of merchants: who may log in to a merchant's part of the console, and as what.

A person is of merchants or of the service, never of both. The group says what a person may do
(payments.core.roles), the membership where; the wall (payments.core.console.walls) asks here.
"""

from typing import Any

from merchants.models import Membership
from payments.core import roles
from payments.core.console.walls import Scope


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
