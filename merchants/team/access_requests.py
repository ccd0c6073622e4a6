"""Requests that a second person decides: a key for payouts, and the role that approves.

The second person is an approver of the merchant or of the service. It is never the person who
requested, nor one who had access to that person's account (payments.console.four_eyes).
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import Group, User
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext_noop as _

from merchants import members, services
from merchants.models import ApiKey, Membership, Merchant, Permission
from merchants.team import grants
from merchants.team.mailboxes import mailbox_of
from merchants.team.models import AccessRequest
from payments.console import four_eyes, roles
from payments.core import audit
from payments.core.errors import NotAllowed, ServiceError

Kind, Status = AccessRequest.Kind, AccessRequest.Status


class NotWaiting(ServiceError):
    code = "REQUEST_NOT_WAITING"
    message = _("This request was decided already, or has expired.")


class SeveralMerchants(ServiceError):
    """The role would count at the other merchants, too."""

    code = "SEVERAL_MERCHANTS"
    message = _("This person works for several merchants: only Pasarela changes the roles.")


class NotCollectable(ServiceError):
    code = "KEY_NOT_COLLECTABLE"
    message = _("The key was shown already, or the time to show it has passed.")


@transaction.atomic
def request_payout_key(
    *, merchant: Merchant, label: str, actor: User, reason: str, now: datetime
) -> AccessRequest:
    request = AccessRequest.objects.create(
        merchant=merchant,
        kind=Kind.PAYOUT_KEY,
        label=label,
        requested_by=actor.get_username(),
        reason=reason,
        created_at=now,
        expires_at=_expiry(now),
    )
    _record(request, "access.requested", actor.get_username(), reason)
    return request


@transaction.atomic
def request_approver(
    *, merchant: Merchant, user: User, actor: User, reason: str, now: datetime
) -> AccessRequest:
    """Gives the role at once if the actor may do it alone. Raises NotAllowed, SeveralMerchants."""
    if actor.pk == user.pk:
        raise NotAllowed(_("You cannot make yourself an approver."))
    alone = not grants.needs_second_person(actor, roles.MERCHANT_APPROVER)
    if not alone:
        _check_one_merchant(user)
    _end_waiting(merchant, user, actor.get_username(), now)
    request = AccessRequest.objects.create(
        merchant=merchant,
        kind=Kind.APPROVER,
        user=user,
        requested_by=actor.get_username(),
        reason=reason,
        created_at=now,
        expires_at=_expiry(now),
    )
    _record(request, "access.requested", actor.get_username(), reason)
    if alone:
        _decide(request, Status.DONE, actor.get_username(), now)
        _give_role(request, actor)
    return request


@transaction.atomic
def approve(*, request: AccessRequest, actor: User, reason: str, now: datetime) -> None:
    """Raises NotWaiting, NotAllowed, SeveralMerchants."""
    _lock_person(request)
    current = _locked(request, now)
    _check_second_person(current, actor)
    requester = User.objects.filter(username=current.requested_by).first()
    if requester is None or not grants.may_manage(requester, current.merchant):
        raise NotAllowed(_("The person who requested this does not manage the merchant any more."))
    if current.kind == Kind.APPROVER:
        _check_one_merchant(current.person)
        _decide(current, Status.DONE, actor.get_username(), now)
        _give_role(current, actor)
    else:
        _decide(current, Status.APPROVED, actor.get_username(), now)
    _record(current, "access.approved", actor.get_username(), reason)


@transaction.atomic
def reject(*, request: AccessRequest, actor: User, reason: str, now: datetime) -> None:
    """Nothing is given, so the second person is not checked. Raises NotWaiting."""
    current = _locked(request, now)
    _decide(current, Status.REJECTED, actor.get_username(), now)
    _record(current, "access.rejected", actor.get_username(), reason)


@transaction.atomic
def withdraw(*, request: AccessRequest, actor: User, reason: str, now: datetime) -> None:
    """By the person who requested it. Raises NotWaiting, NotAllowed."""
    current = _locked(request, now)
    if actor.get_username() != current.requested_by:
        raise NotAllowed(_("Only the person who requested it withdraws it."))
    _decide(current, Status.REJECTED, actor.get_username(), now)
    _record(current, "access.withdrawn", actor.get_username(), reason)


@transaction.atomic
def collect_key(
    *, request: AccessRequest, actor: User, reason: str, now: datetime
) -> tuple[ApiKey, str]:
    """Issues the approved key to the person who requested it. Its secret is returned once.

    Raises NotCollectable, NotAllowed.
    """
    current = AccessRequest.objects.select_for_update().get(pk=request.pk)
    if current.status != Status.APPROVED or current.key_id or now >= current.expires_at:
        raise NotCollectable
    if actor.get_username() != current.requested_by:
        raise NotAllowed(_("Only the person who requested the key sees its secret."))
    grants.check_manages(actor, current.merchant)
    key, secret = services.issue_api_key(
        merchant=current.merchant,
        actor=actor.get_username(),
        permissions=[Permission.PAYOUT_CREATE],
        label=current.label,
        reason=reason or current.reason,
    )
    AccessRequest.objects.filter(pk=current.pk).update(status=Status.DONE, key=key)
    return key, secret


def end_of_person(*, merchant: Merchant, user: User, actor: str, now: datetime) -> None:
    """Ends what waits for a person who leaves the merchant."""
    _end_waiting(merchant, user, actor, now)


def approver_since(merchant: Merchant, user: User) -> AccessRequest | None:
    """Who requested the person's role of approver, and who agreed."""
    given = AccessRequest.objects.filter(
        merchant=merchant, user=user, kind=Kind.APPROVER, status=Status.DONE
    )
    return given.order_by("-decided_at").first()


def waiting_approvers(now: datetime) -> QuerySet[AccessRequest]:
    """Roles of approver that no second person has agreed to yet."""
    return AccessRequest.objects.filter(
        kind=Kind.APPROVER, status=Status.WAITING, expires_at__gt=now
    )


def to_collect(username: str, now: datetime) -> QuerySet[AccessRequest]:
    """The person's keys that a second person has approved, and whose secret was not shown yet."""
    return AccessRequest.objects.filter(
        kind=Kind.PAYOUT_KEY,
        status=Status.APPROVED,
        requested_by=username,
        key=None,
        expires_at__gt=now,
    )


def _expiry(now: datetime) -> datetime:
    return now + timedelta(days=settings.ACCESS_REQUEST_DAYS)


def _end_waiting(merchant: Merchant, user: User, actor: str, now: datetime) -> None:
    waiting = AccessRequest.objects.filter(merchant=merchant, user=user, status=Status.WAITING)
    for request in waiting.select_for_update():
        _decide(request, Status.REJECTED, actor, now)
        _record(request, "access.rejected", actor)


def _lock_person(request: AccessRequest) -> None:
    """So that the person does not join another merchant now, where the role would count, too.

    Before the request's row: changes of roles lock the two in this order.
    """
    if request.user_id is not None:
        list(User.objects.select_for_update().filter(pk=request.user_id).only("pk"))


def _locked(request: AccessRequest, now: datetime) -> AccessRequest:
    current = (
        AccessRequest.objects.select_for_update(of=("self",))
        .select_related("merchant", "user")
        .get(pk=request.pk)
    )
    if not current.is_waiting(now):
        raise NotWaiting
    return current


def _check_second_person(request: AccessRequest, actor: User) -> None:
    """Refuses people behind the request, and people who could use what it gives."""
    name = actor.get_username()
    four_eyes.check(actor=name, asked_by=request.requested_by)
    people = [*User.objects.filter(username=request.requested_by)]
    people += [request.user] if request.user else []
    mailbox = mailbox_of(actor.email)
    if mailbox and mailbox in {mailbox_of(person.email) for person in people}:
        raise NotAllowed(
            _("Your account has the e-mail of a person of this request: that is no second person.")
        )
    if request.user is None:
        return
    if name == request.user.get_username():
        raise NotAllowed(_("You cannot make yourself an approver."))
    if four_eyes.is_behind(name, {request.user.get_username()}):
        raise NotAllowed(_("You had access to this person's account: another person decides."))


def _check_one_merchant(user: User) -> None:
    if Membership.objects.filter(user=user).count() > 1:
        raise SeveralMerchants


def _decide(
    request: AccessRequest, status: AccessRequest.Status, actor: str, now: datetime
) -> None:
    request.status, request.decided_by, request.decided_at = status, actor, now
    request.save(update_fields=["status", "decided_by", "decided_at"])


def _give_role(request: AccessRequest, actor: User) -> None:
    user = User.objects.select_for_update().get(pk=request.person.pk)
    if not Membership.objects.filter(user=user, merchant=request.merchant).exists():
        raise members.CannotBeMember(_("This person does not work for the merchant any more."))
    user.groups.add(Group.objects.get(name=roles.MERCHANT_APPROVER))
    audit.record(
        actor=actor.get_username(),
        action="member.roles_changed",
        subject=request.merchant,
        user=user.username,
        given=[roles.MERCHANT_APPROVER],
        taken=[],
        requested_by=request.requested_by,
    )


def _record(request: AccessRequest, action: str, actor: str, reason: str = "") -> None:
    audit.record(
        actor=actor,
        action=action,
        subject=request,
        reason=reason,
        merchant=request.merchant_id,
        kind=request.kind,
        person=request.user.get_username() if request.user else "",
        requested_by=request.requested_by,
    )
