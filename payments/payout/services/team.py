"""The people of a merchant who may approve what a colleague asked for.

A second person is not only a second account: payments.console.four_eyes tells what the service can
know. In a team two accounts with one mailbox are one person, too.
"""

from collections.abc import Iterable

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.utils.translation import gettext_noop as _

from merchants.team.mailboxes import mailbox_of
from payments.console import four_eyes
from payments.core.errors import NotAllowed

APP, DECIDE = "payout", "decide_payout"
RIGHT = f"{APP}.{DECIDE}"


def approvers(*, merchant_id: str, asked_by: str, rule_set_by: str = "") -> list[User]:
    """Those who may approve this request now."""
    return [user for user in with_right(merchant_id) if is_second(user, asked_by, rule_set_by)]


def check(*, user: User, merchant_id: str, asked_by: str, rule_set_by: str = "") -> None:
    """Raises NotAllowed unless the user is an approver of the merchant and a second person."""
    if not with_right(merchant_id).filter(pk=user.pk).exists():
        raise NotAllowed(_("Only an approver of this merchant may decide about it."))
    check_second(user=user, asked_by=asked_by, rule_set_by=rule_set_by)


def check_second(*, user: User, asked_by: str, rule_set_by: str = "") -> None:
    """Raises NotAllowed if the user is behind the request."""
    four_eyes.check(actor=user.get_username(), asked_by=asked_by, rule_set_by=rule_set_by)
    mailbox = mailbox_of(user.email)
    behind = User.objects.filter(username__in=(asked_by, rule_set_by))
    same = {one.username for one in behind if mailbox and mailbox == mailbox_of(one.email)}
    if asked_by in same:
        raise NotAllowed(
            _("Your account has the e-mail of the person who asked: that is no second person.")
        )
    if same:
        raise NotAllowed(_("Your account has the e-mail of the person who set the rule."))


def count_people(users: Iterable[User]) -> int:
    """Accounts with one mailbox are one person."""
    return len({_person(user) for user in users})


def same_person(users: Iterable[User], names: set[str]) -> set[str]:
    """Those of the users who are one of these people, with this account or another."""
    people = {_person(user) for user in User.objects.filter(username__in=names)}
    return {user.get_username() for user in users if _person(user) in people} | names


def _person(user: User) -> str:
    return mailbox_of(user.email) or user.get_username()


def with_right(merchant_id: str) -> QuerySet[User]:
    """The merchant's approvers."""
    return with_permission(merchant_id, DECIDE)


def with_permission(merchant_id: str, codename: str) -> QuerySet[User]:
    """The merchant's people with this right of the app of payouts."""
    found = User.objects.filter(
        is_active=True,
        membership__merchant=merchant_id,
        groups__permissions__content_type__app_label=APP,
        groups__permissions__codename=codename,
    )
    return found.distinct().order_by("username")


def is_second(user: User, asked_by: str, rule_set_by: str = "") -> bool:
    try:
        check_second(user=user, asked_by=asked_by, rule_set_by=rule_set_by)
    except NotAllowed:
        return False
    return True
