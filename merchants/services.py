"""What can be done with merchants and their keys. Every act leaves an audit row.

Secrets are returned once, as plain text, by the function that makes them; nothing else can.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants import images
from merchants.models import ApiKey, Logo, Merchant, hash_secret
from payments.core import audit
from payments.core.errors import ServiceError

APPROVAL_RULE = "payout_approval_above"
# Products that let money out of an account.
OUTGOING = ("payout_enabled", "topup_enabled", "bills_enabled")


class KeyAlreadyRevoked(ServiceError):
    """Revocation is irreversible and happens once."""

    code = "KEY_ALREADY_REVOKED"
    message = _("This API key is already revoked.")


def new_webhook_secret() -> str:
    """`whsec_` + base64 of 32 random bytes (docs/gaps.md, Webhooks)."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


@transaction.atomic
def create_merchant(
    *, name: str, actor: str, reason: str = "", **fields: Any
) -> tuple[Merchant, str]:
    """Creates the account. Returns it with its webhook secret, which is shown once."""
    secret = new_webhook_secret()
    merchant = Merchant(name=name, webhook_secret=secret, **fields)
    if merchant.payout_approval_above is not None:
        merchant.payout_approval_set_by = actor
    merchant.full_clean()
    merchant.save(force_insert=True)
    audit.record(actor=actor, action="merchant.created", subject=merchant, reason=reason)
    return merchant, secret


@transaction.atomic
def update_merchant(
    *,
    merchant: Merchant,
    actor: str,
    reason: str,
    action: str = "merchant.changed",
    may_let_out: bool = True,
    **changes: Any,
) -> list[str]:
    """Writes what differs; the audit row tells old and new. Returns the names of changed fields.

    Raises ValidationError, and PermissionDenied for what lets money out when the actor may not.
    Secrets do not pass here (see regenerate_webhook_secret).
    """
    # The row is read again under its lock, so that the audit row tells what really was there.
    current = Merchant.objects.select_for_update().defer("webhook_secret").get(pk=merchant.pk)
    if not may_let_out and lets_out(current, changes):
        raise PermissionDenied
    before = {name: getattr(current, name) for name in changes}
    changed = [name for name in changes if changes[name] != before[name]]
    if not changed:
        return []
    for name in changed:
        setattr(current, name, changes[name])
    current.clean_fields(exclude={field.name for field in Merchant._meta.fields} - {*changed})
    if APPROVAL_RULE in changed:
        # Whoever sets the rule cannot approve under it.
        current.payout_approval_set_by = actor
    current.save(update_fields=[*changed, "payout_approval_set_by", "updated_at"])
    audit.record(
        actor=actor,
        action=action,
        subject=current,
        reason=reason,
        old={name: before[name] for name in changed},
        new={name: changes[name] for name in changed},
    )
    return changed


def lets_out(merchant: Merchant, changes: Mapping[str, Any]) -> list[str]:
    """Those of the changes that open the way out: a product on, the rule raised or removed."""
    names = [name for name in OUTGOING if changes.get(name) and not getattr(merchant, name)]
    rule = merchant.payout_approval_above
    above = changes.get(APPROVAL_RULE, rule)
    if rule is not None and (above is None or above > rule):
        names.append(APPROVAL_RULE)
    return names


def keep_logo(*, content: bytes) -> Logo:
    """Stores a picture under its content; the same picture is one row, whoever has it.

    Raises ValueError for what images.read does not know, and for what is too large.
    """
    picture = images.read(content)
    if picture is None or len(content) > images.MAX_BYTES:
        raise ValueError("not a logo")
    facts = {
        "media_type": picture.media_type,
        "width": picture.width,
        "height": picture.height,
        "content": content,
    }
    digest = hashlib.sha256(content).hexdigest()
    return Logo.objects.get_or_create(sha256=digest, defaults=facts)[0]


def set_active(*, merchant: Merchant, active: bool, actor: str, reason: str) -> None:
    """Opens or closes the account: a closed one gets 401 MERCHANT_NOT_ACTIVE at once."""
    action = "merchant.activated" if active else "merchant.deactivated"
    update_merchant(merchant=merchant, actor=actor, reason=reason, action=action, is_active=active)


@transaction.atomic
def issue_api_key(
    *,
    merchant: Merchant,
    actor: str,
    permissions: Sequence[str] = (),
    label: str = "",
    reason: str = "",
) -> tuple[ApiKey, str]:
    """Issues a key pair. Returns the key with its secret, which is shown once."""
    secret = f"sk_{secrets.token_urlsafe(32)}"
    key = ApiKey(
        merchant=merchant,
        public_key=f"pk_{secrets.token_hex(16)}",
        secret_hash=hash_secret(secret),
        permissions=list(permissions),
        label=label,
    )
    key.full_clean()
    key.save(force_insert=True)
    audit.record(
        actor=actor,
        action="api_key.issued",
        subject=key,
        reason=reason,
        merchant=merchant.pk,
        permissions=list(permissions),
    )
    return key, secret


@transaction.atomic
def revoke_api_key(*, key: ApiKey, now: datetime, actor: str, reason: str = "") -> None:
    """Revokes at once and for good. Raises KeyAlreadyRevoked."""
    # The UPDATE's count says who won when two people press the button.
    won = ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now)
    if not won:
        raise KeyAlreadyRevoked
    key.revoked_at = now
    audit.record(
        actor=actor,
        action="api_key.revoked",
        subject=key,
        reason=reason,
        merchant=key.merchant_id,
    )


@transaction.atomic
def regenerate_webhook_secret(*, merchant: Merchant, actor: str, reason: str = "") -> str:
    """Replaces the webhook secret and returns the new one, which is shown once."""
    merchant.webhook_secret = new_webhook_secret()
    merchant.save(update_fields=["webhook_secret", "updated_at"])
    audit.record(actor=actor, action="webhook_secret.regenerated", subject=merchant, reason=reason)
    return merchant.webhook_secret
