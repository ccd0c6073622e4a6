"""A second person approves live accounts, and new credentials of them.

`digest` is that of what this person was shown (digest_to_approve).
"""

import hashlib
from datetime import datetime

from django.db import transaction

from payments.console import four_eyes
from payments.core import audit, states
from payments.core.models import AuditEntry
from payments.rails.models import ProviderAccount
from payments.rails.services import accounts
from payments.rails.services.errors import NotConfirmed, NotSwitchable, RequestChanged
from payments.rails.services.route_changes import DECLARATION

Status = ProviderAccount.Status


def digest_to_approve(account: ProviderAccount) -> str:
    """Of the set that waits and of what becomes of the old one, else of the set that it has."""
    if not account.requested_credentials:
        return accounts.digest_of(account, account.credentials)
    of_set = accounts.digest_of(account, account.requested_credentials)
    return hashlib.sha256(f"{of_set}\n{account.refuses_old}".encode()).hexdigest()


@transaction.atomic
def approve(*, slug: str, digest: str, actor: str, reason: str, now: datetime) -> ProviderAccount:
    """Switches a requested account on. Raises NotSwitchable and RequestChanged.

    Also raises NotAllowed for a person who is behind the request or entered the credentials.
    """
    account = accounts.lock(slug)
    if account.status != Status.REQUESTED or account.requested_credentials:
        raise NotSwitchable
    _check(account, digest, actor, asked_by=account.requested_by)
    states.move(
        account,
        Status.ON,
        now=now,
        actor=actor,
        reason=reason,
        approved_by=actor,
        approved_digest=digest,
    )
    audit.record(
        actor=actor,
        action="rail_account.approved",
        subject=account,
        reason=reason,
        requested_by=account.requested_by,
        entered_by=account.credentials_by,
    )
    return account


@transaction.atomic
def approve_credentials(
    *, slug: str, digest: str, actor: str, reason: str, now: datetime
) -> ProviderAccount:
    """From now on the requested set counts. Raises as `approve`."""
    account = _lock_request(slug)
    if account.credentials_by == DECLARATION:
        raise NotConfirmed
    _check(account, digest, actor, asked_by=account.credentials_by)
    accounts.replace_credentials(account, now)
    account.approved_digest = accounts.digest_of(account, account.credentials)
    account.save(update_fields=["approved_digest", "updated_at"])
    audit.record(
        actor=actor,
        action="rail_account.rotated",
        subject=account,
        reason=reason,
        refuses_old=account.refuses_old,
        entered_by=account.credentials_by,
    )
    return account


@transaction.atomic
def confirm_credentials(
    *, slug: str, digest: str, actor: str, reason: str, now: datetime
) -> ProviderAccount:
    """A person stands behind the set that the deployment's declaration requests.

    Raises NotSwitchable and RequestChanged.
    """
    account = _lock_request(slug)
    if account.credentials_by != DECLARATION:
        raise NotSwitchable
    _check_digest(account, digest)
    account.credentials_by = actor
    account.save(update_fields=["credentials_by", "updated_at"])
    audit.record(
        actor=actor, action="rail_account.rotation_confirmed", subject=account, reason=reason
    )
    return account


@transaction.atomic
def reject_credentials(
    *, slug: str, digest: str, actor: str, reason: str, now: datetime
) -> ProviderAccount:
    """The requested set waits no longer, and the account keeps the one that it has.

    Also for the person who requested it. Raises NotSwitchable and RequestChanged.
    """
    account = _lock_request(slug)
    _check_digest(account, digest)
    withdraw_credentials(account, actor=actor, reason=reason)
    return account


def withdraw_credentials(account: ProviderAccount, *, actor: str, reason: str) -> None:
    """The account is locked."""
    account.requested_credentials, account.refuses_old = "", False
    account.save(update_fields=["requested_credentials", "refuses_old", "updated_at"])
    audit.record(
        actor=actor,
        action="rail_account.rotation_withdrawn",
        subject=account,
        reason=reason,
        entered_by=account.credentials_by,
    )


def warnings(account: ProviderAccount) -> list[object]:
    """Whether one person may be behind the request and the approval of what serves now."""
    rows = AuditEntry.objects.filter(subject_id=account.pk, details__has_key="entered_by")
    found: list[object] = []
    for action in ("rail_account.approved", "rail_account.rotated"):
        if (done := rows.filter(action=action).last()) is not None:
            behind = {done.details["entered_by"], done.details.get("requested_by", "")}
            found += four_eyes.warnings_of(done, behind)
    return found


def _lock_request(slug: str) -> ProviderAccount:
    """The account, whose new credentials wait for a second person."""
    account = accounts.lock(slug)
    if not account.requested_credentials:
        raise NotSwitchable
    return account


def _check(account: ProviderAccount, digest: str, actor: str, *, asked_by: str) -> None:
    four_eyes.check(actor=actor, asked_by=asked_by)
    if not accounts.is_approved(account):
        four_eyes.check(actor=actor, asked_by=account.credentials_by)
    _check_digest(account, digest)


def _check_digest(account: ProviderAccount, digest: str) -> None:
    if digest != digest_to_approve(account):
        raise RequestChanged
