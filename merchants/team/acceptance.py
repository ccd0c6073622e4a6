"""What happens when an invited person follows the link.

A new account gets the person's own password. An existing account is never taken over: its owner
logs in first, and only then becomes a member.
"""

from datetime import datetime

from django.contrib.auth.models import Group, User
from django.contrib.auth.password_validation import validate_password
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop as _

from merchants import members
from merchants.models import Membership, Merchant
from merchants.team import access_requests, grants
from merchants.team.invitations import digest_of, forget_link, reason_of
from merchants.team.models import Invitation
from payments.console import roles
from payments.core import audit
from payments.core.errors import ServiceError

MAX_NAME = 150  # of a user name


class NotValid(ServiceError):
    """The link opens nothing. `state` says why; None if no invitation has it."""

    status = 410
    code = "INVITATION_NOT_VALID"
    message = _("This invitation is not valid any more.")

    def __init__(self, state: Invitation.State | None) -> None:
        super().__init__()
        self.state = state


class AccountExists(ServiceError):
    """The person has to log in first."""

    code = "ACCOUNT_EXISTS"
    message = _("There is an account with this e-mail. Log in to accept.")


class OfAnotherPerson(ServiceError):
    code = "INVITATION_OF_ANOTHER"
    message = _("This invitation is for another e-mail address than that of your account.")


class CannotAccept(ServiceError):
    code = "CANNOT_ACCEPT"
    message = _("Your account cannot accept this invitation. Tell the person who invited you.")


class OtherRoles(ServiceError):
    code = "OTHER_ROLES"
    message = _(
        "Your account works for another merchant with other roles. Ask for an invitation to "
        "another e-mail address, or ask an operator."
    )


def open_invitation(token: str, now: datetime, *, lock: bool = False) -> Invitation:
    """Raises NotValid, also if the inviting person may not invite any more."""
    rows = Invitation.objects.select_related("merchant").defer("merchant__webhook_secret")
    rows = rows.select_for_update(of=("self",)) if lock else rows
    invitation = rows.filter(token_digest=digest_of(token)).first()
    if invitation is None:
        raise NotValid(None)
    if (state := invitation.state(now)) is not Invitation.State.OPEN:
        raise NotValid(state)
    if not _giver_still_may(invitation):
        raise NotValid(Invitation.State.REVOKED)
    return invitation


def accounts_of(invitation: Invitation) -> list[User]:
    """Accounts with the invitation's address, as e-mail or as user name."""
    named = User.objects.filter(username__iexact=invitation.email)
    return list(named.union(User.objects.filter(email__iexact=invitation.email)))


def waiting_roles(invitation: Invitation) -> frozenset[str]:
    """Those that count only after a second person has agreed."""
    if invitation.merchant is None:
        return frozenset()
    giver = _giver(invitation)
    return frozenset(r for r in invitation.roles if grants.needs_second_person(giver, r))


@transaction.atomic
def accept_as_new(*, token: str, password: str, address: str, now: datetime) -> User:
    """Creates the account. Raises NotValid, AccountExists, ValidationError for the password."""
    invitation = open_invitation(token, now, lock=True)
    if accounts_of(invitation):
        raise AccountExists
    user = User(
        username=invitation.email[:MAX_NAME],
        email=invitation.email,
        first_name=invitation.name,
        is_staff=True,
    )
    validate_password(password, user)
    user.set_password(password)
    user.full_clean()
    try:
        with transaction.atomic():
            user.save(force_insert=True)
    except IntegrityError:
        raise AccountExists from None
    # The inviting person may have opened the link in the person's place: payments.console.four_eyes
    # counts that person as one who had access to the account.
    audit.record(
        actor=invitation.invited_by,
        action="user.created",
        subject=user,
        name=user.username,
        invitation=invitation.pk,
    )
    _let_in(invitation, user, now)
    _end(invitation, user, address, now)
    return user


@transaction.atomic
def accept_as_existing(*, token: str, user: User, address: str, now: datetime) -> None:
    """`user` has just logged in. Raises NotValid, OfAnotherPerson, CannotAccept, OtherRoles."""
    invitation = open_invitation(token, now, lock=True)
    person = User.objects.select_for_update().get(pk=user.pk)
    if invitation.email not in (person.email.lower(), person.username.lower()):
        raise OfAnotherPerson
    if invitation.merchant is None or not person.is_active or members.is_operator(person):
        raise CannotAccept
    if Membership.objects.filter(user=person, merchant=invitation.merchant).exists():
        raise CannotAccept(_("You work for this merchant already."))
    if Membership.objects.filter(user=person).exists():
        _check_same_roles(invitation, person)
    _let_in(invitation, person, now)
    _end(invitation, person, address, now)


def _check_same_roles(invitation: Invitation, person: User) -> None:
    """Roles are of the account, and count at every merchant that the person works for."""
    held = members.roles_of(person)
    if held != frozenset(invitation.roles):
        raise OtherRoles
    if any(grants.needs_second_person(_giver(invitation), role) for role in held):
        raise OtherRoles


def _let_in(invitation: Invitation, user: User, now: datetime) -> None:
    giver = _giver(invitation)
    reason = f"invitation {invitation.pk}"
    if invitation.merchant is None:
        user.groups.set(Group.objects.filter(name__in=invitation.roles))
        audit.record(
            actor=giver.username,
            action="operator.roles_changed",
            subject=user,
            reason=reason,
            given=sorted(invitation.roles),
            taken=[],
        )
        return
    is_known = Membership.objects.filter(user=user).exists()
    asked = frozenset() if is_known else waiting_roles(invitation)
    given = set(invitation.roles) - asked
    members.join(
        merchant=invitation.merchant,
        user=user,
        # Until a second person agrees, the person only sees and helps.
        roles=given or {roles.MERCHANT_STAFF},
        actor=giver.username,
        reason=reason,
    )
    if roles.MERCHANT_APPROVER in invitation.roles:
        access_requests.request_approver(
            merchant=invitation.merchant,
            user=user,
            actor=giver,
            reason=reason_of(invitation) or reason,
            now=now,
        )


def _end(invitation: Invitation, user: User, address: str, now: datetime) -> None:
    Invitation.objects.filter(pk=invitation.pk).update(accepted_at=now, accepted_by=user)
    forget_link(invitation.pk)
    audit.record(
        actor=user.username,
        action="invitation.accepted",
        subject=invitation,
        address=address,
        invited_by=invitation.invited_by,
        merchant=invitation.merchant_id or "",
    )


def _giver(invitation: Invitation) -> User:
    return User.objects.get(username=invitation.invited_by)


def _giver_still_may(invitation: Invitation) -> bool:
    giver = User.objects.filter(username=invitation.invited_by).first()
    merchant: Merchant | None = invitation.merchant
    if giver is None or not grants.may_manage(giver, merchant):
        return False
    try:
        grants.check_roles(giver, invitation.roles, merchant)
    except ServiceError:
        return False
    return True
