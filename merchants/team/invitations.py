"""Invitations: a link by which a person sets a password that no other person ever knows.

The link is valid for a limited time and for one use, until it is revoked. Only a digest of its
secret part is stored.
"""

import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from merchants.models import Membership, Merchant
from merchants.team import grants
from merchants.team.models import Invitation
from payments.console import roles
from payments.core import audit
from payments.core.errors import ServiceError
from payments.core.models import AuditEntry
from payments.mail import outbox


class CannotInvite(ServiceError):
    code = "CANNOT_INVITE"


class InvitationEnded(ServiceError):
    """It was used, revoked or replaced."""

    code = "INVITATION_ENDED"
    message = gettext_noop("This invitation was used or revoked already.")


@dataclass(frozen=True, slots=True, kw_only=True)
class NewInvitation:
    """merchant: None for an operator."""

    email: str
    name: str
    roles: tuple[str, ...]
    merchant: Merchant | None


@dataclass(frozen=True, slots=True)
class Invited:
    """is_mailed: whether the link goes to the person by mail. Otherwise it is handed over."""

    invitation: Invitation
    link: str
    is_mailed: bool


def digest_of(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()


def link(token: str) -> str:
    return f"{settings.PUBLIC_URL}/admin/invitation/{token}/"


@transaction.atomic
def invite(*, new: NewInvitation, actor: User, reason: str, now: datetime) -> Invited:
    """Sends the link by mail, where mail is configured. An earlier open link for the address ends.

    Raises CannotInvite, and what grants.check_roles raises.
    """
    email = new.email.strip().lower()
    if new.merchant is not None:
        grants.lock_people(new.merchant)
    grants.check_manages(actor, new.merchant)
    grants.check_roles(actor, new.roles, new.merchant)
    _check_address(email, new.merchant, actor)
    open_ones = Invitation.objects.filter(
        merchant=new.merchant, email=email, accepted_at=None, revoked_at=None
    )
    for earlier in list(open_ones):
        if open_ones.filter(pk=earlier.pk).update(revoked_at=now):
            forget_link(earlier.pk)
            _record(earlier, "invitation.revoked", actor, reason)
    token = secrets.token_urlsafe(32)
    invitation = Invitation.objects.create(
        merchant=new.merchant,
        email=email,
        name=new.name.strip(),
        roles=list(new.roles),
        token_digest=digest_of(token),
        invited_by=actor.get_username(),
        created_at=now,
        expires_at=now + timedelta(hours=settings.INVITATION_HOURS),
    )
    _record(invitation, "invitation.made", actor, reason)
    _mail(invitation, link(token))
    return Invited(invitation, link(token), is_mailed=outbox.reaches_people())


@transaction.atomic
def renew(*, invitation: Invitation, actor: User, reason: str, now: datetime) -> Invited:
    """A new link in place of one that was lost or has expired. Raises InvitationEnded."""
    current = Invitation.objects.select_for_update().get(pk=invitation.pk)
    if current.accepted_at is not None:
        raise InvitationEnded
    new = NewInvitation(
        email=current.email,
        name=current.name,
        roles=tuple(current.roles),
        merchant=current.merchant,
    )
    return invite(new=new, actor=actor, reason=reason, now=now)


@transaction.atomic
def revoke(*, invitation: Invitation, actor: User, reason: str, now: datetime) -> None:
    """Raises InvitationEnded."""
    grants.check_manages(actor, invitation.merchant)
    won = Invitation.objects.filter(pk=invitation.pk, accepted_at=None, revoked_at=None).update(
        revoked_at=now
    )
    if not won:
        raise InvitationEnded
    forget_link(invitation.pk)
    _record(invitation, "invitation.revoked", actor, reason)


def forget_link(pk: str) -> None:
    """The invitation has ended, so its mail keeps no link."""
    outbox.erase_secret(key=_mail_key(pk))


def _mail_key(pk: str) -> str:
    return f"invitation:{pk}"


def invited_by(merchant: Merchant | None, user: User) -> str:
    """The user name of the person whose invitation the user accepted. Empty if there was none."""
    found = Invitation.objects.filter(accepted_by=user, merchant=merchant).order_by("-accepted_at")
    return found.values_list("invited_by", flat=True).first() or ""


def _mail(invitation: Invitation, address: str) -> None:
    """In the language of the inviting person."""
    language = translation.get_language() or settings.LANGUAGE_CODE
    with translation.override(language):
        names = [str(roles.LABELS[name]) for name in invitation.roles]
    outbox.send(
        to=invitation.email,
        template="invitation",
        context={
            "name": invitation.name,
            "merchant": invitation.merchant.name if invitation.merchant else "",
            "roles": names,
            "link": address,
            "hours": round(settings.INVITATION_HOURS),
        },
        language=language,
        key=_mail_key(invitation.pk),
        merchant_id=invitation.merchant_id or "",
        secret_until=invitation.expires_at,
    )


def _check_address(email: str, merchant: Merchant | None, actor: User) -> None:
    """Reveals no accounts beyond those that the inviting person sees anyway."""
    if merchant is not None:
        held = Membership.objects.filter(merchant=merchant, user__email__iexact=email)
        if held.exists():
            raise CannotInvite(gettext("This person works for the merchant already."))
        return
    if User.objects.filter(email__iexact=email).exists():
        text = gettext("An account has this e-mail. Change its roles under Operators.")
        raise CannotInvite(text)


def reason_of(invitation: Invitation) -> str:
    """What the inviting person typed. A renewed one has the reason of the first."""
    same = Invitation.objects.filter(
        merchant=invitation.merchant_id, email=invitation.email, accepted_at=None
    )
    made = AuditEntry.objects.filter(
        action="invitation.made", subject_id__in=[invitation.pk, *same.values_list("pk", flat=True)]
    ).exclude(reason="")
    return made.order_by("id").values_list("reason", flat=True).first() or ""


def _record(invitation: Invitation, action: str, actor: User, reason: str) -> None:
    audit.record(
        actor=actor.get_username(),
        action=action,
        subject=invitation,
        reason=reason,
        merchant=invitation.merchant_id or "",
        email=invitation.email,
        roles=invitation.roles,
    )
