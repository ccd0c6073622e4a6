"""Services of merchants and their keys. Each leaves an audit row.

A secret is returned once, as plain text, by the function that makes it.
"""

import base64
import hashlib
import secrets
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Unpack

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants import images
from merchants.models import ApiKey, Logo, Merchant, MerchantFields, hash_secret
from payments.core import audit
from payments.core.errors import ServiceError
from payments.core.products import products

APPROVAL_RULE = "payout_approval_above"
# The switches of the products that pay from an account.
OUTGOING = tuple(product.switch for product in products() if product.switch)


class KeyAlreadyRevoked(ServiceError):
    code = "KEY_ALREADY_REVOKED"
    message = _("This API key is already revoked.")


def new_webhook_secret() -> str:
    """`whsec_` + base64 of 32 random bytes (docs/gaps.md, Webhooks)."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(32)).decode()


@transaction.atomic
def create_merchant(
    *, actor: str, reason: str = "", **fields: Unpack[MerchantFields]
) -> tuple[Merchant, str]:
    """Returns the account with its webhook secret, which is shown once. Raises ValidationError."""
    secret = new_webhook_secret()
    merchant = Merchant(webhook_secret=secret, **fields)
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
    may_unlock_outgoing: bool = True,
    **changes: Unpack[MerchantFields],
) -> list[str]:
    """Writes what differs, with old and new in the audit row. Returns the names of changed fields.

    An account that is not active gets 401 MERCHANT_NOT_ACTIVE at once. Raises ValidationError, and
    PermissionDenied for an outgoing unlock that the actor may not make.
    """
    # Read again under its lock, so that the audit row has the true old values.
    current = Merchant.objects.select_for_update().defer("webhook_secret").get(pk=merchant.pk)
    if not may_unlock_outgoing and outgoing_unlocks(current, changes):
        raise PermissionDenied
    new = {name: value for name, value in changes.items() if value != getattr(current, name)}
    if not new:
        return []
    old = {name: getattr(current, name) for name in new}
    for name, value in new.items():
        setattr(current, name, value)
    current.clean_fields(exclude={field.name for field in Merchant._meta.fields} - {*new})
    if APPROVAL_RULE in new:
        # The person who sets the rule cannot approve under it.
        current.payout_approval_set_by = actor
    current.save(update_fields=[*new, "payout_approval_set_by", "updated_at"])
    action = "merchant.changed"
    if "is_active" in new:
        action = "merchant.activated" if current.is_active else "merchant.deactivated"
    audit.record(actor=actor, action=action, subject=current, reason=reason, old=old, new=new)
    return list(new)


def outgoing_unlocks(merchant: Merchant, changes: Mapping[str, Any]) -> list[str]:
    """The changes that let money out: a product enabled, the rule of approval raised or removed."""
    names = [name for name in OUTGOING if changes.get(name) and not getattr(merchant, name)]
    rule = merchant.payout_approval_above
    above = changes.get(APPROVAL_RULE, rule)
    if rule is not None and (above is None or above > rule):
        names.append(APPROVAL_RULE)
    return names


def keep_logo(*, content: bytes) -> Logo:
    """Stores the image. All merchants that use the same image share one row.

    Raises ValueError for an image that is too large, or that images.read refuses.
    """
    image = images.read(content) if len(content) <= images.MAX_BYTES else None
    if image is None or image.is_too_large:
        raise ValueError("not a logo")
    facts = {
        "media_type": image.media_type,
        "width": image.width,
        "height": image.height,
        "content": content,
    }
    digest = hashlib.sha256(content).hexdigest()
    return Logo.objects.get_or_create(sha256=digest, defaults=facts)[0]


@transaction.atomic
def issue_api_key(
    *,
    merchant: Merchant,
    actor: str,
    permissions: Sequence[str] = (),
    label: str = "",
    reason: str = "",
) -> tuple[ApiKey, str]:
    """Returns the key with its secret, which is shown once."""
    # So that a key of the sandbox is not put into a shop, or the other way round.
    world = "test_" if settings.SANDBOX else ""
    secret = f"sk_{world}{secrets.token_urlsafe(32)}"
    key = ApiKey(
        merchant=merchant,
        public_key=f"pk_{world}{secrets.token_hex(16)}",
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
def rename_api_key(*, key: ApiKey, label: str, actor: str, reason: str = "") -> None:
    """Changes the alias that people see. Raises ValidationError."""
    old, key.label = key.label, label
    key.full_clean()
    key.save(update_fields=["label"])
    audit.record(
        actor=actor,
        action="api_key.renamed",
        subject=key,
        reason=reason,
        merchant=key.merchant_id,
        old={"label": old},
        new={"label": label},
    )


@transaction.atomic
def revoke_api_key(*, key: ApiKey, now: datetime, actor: str, reason: str = "") -> None:
    """Revokes at once and for good. Raises KeyAlreadyRevoked."""
    # If two requests revoke at once, the UPDATE of one of them changes no row.
    won = ApiKey.objects.filter(pk=key.pk, revoked_at=None).update(revoked_at=now)
    if not won:
        raise KeyAlreadyRevoked
    key.revoked_at = now
    audit.record(
        actor=actor, action="api_key.revoked", subject=key, reason=reason, merchant=key.merchant_id
    )


@transaction.atomic
def regenerate_webhook_secret(*, merchant: Merchant, actor: str, reason: str = "") -> str:
    """Replaces the webhook secret and returns the new one, which is shown once."""
    merchant.webhook_secret = new_webhook_secret()
    merchant.save(update_fields=["webhook_secret", "updated_at"])
    audit.record(actor=actor, action="webhook_secret.regenerated", subject=merchant, reason=reason)
    return merchant.webhook_secret
