"""Creates, changes, pauses and ends payment links. Each act leaves an audit row."""

from dataclasses import dataclass
from datetime import datetime
from typing import Unpack

from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants import images, services
from merchants.models import Currency, Merchant
from payments.api.idempotency import create_once, fingerprint
from payments.core import audit, states
from payments.core.errors import NotAllowed, ValidationFailed
from payments.core.ids import is_id
from payments.links.models import LinkStatus, PaymentLink
from payments.links.services import rules
from payments.links.services.errors import LinkHasEnded, LinkNotFound
from payments.links.services.rules import LinkFields


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLink:
    """A parsed request. An amount of None in `fields` is chosen by the payer."""

    fields: LinkFields
    currency: str = Currency.COP


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkFilters:
    status: str | None = None


def create_link(
    *,
    merchant: Merchant,
    new_link: NewLink,
    actor: str,
    now: datetime,
    idempotency_key: str | None = None,
) -> tuple[PaymentLink, bool]:
    """Returns the link and whether it was replayed.

    Raises IdempotencyKeyReused, and ValidationFailed.
    """
    print_ = fingerprint({**_plain(new_link.fields), "currency": new_link.currency})

    def find() -> PaymentLink | None:
        if not idempotency_key:
            return None
        return PaymentLink.objects.filter(
            merchant=merchant, idempotency_key=idempotency_key
        ).first()

    @transaction.atomic
    def create() -> PaymentLink:
        link = PaymentLink(merchant=merchant, currency=new_link.currency, **new_link.fields)
        link.created_by, link.created_at = actor, now
        link.idempotency_key, link.fingerprint = idempotency_key, print_
        rules.check(link, merchant, now)
        link.save(force_insert=True)
        audit.record(actor=actor, action="link.created", subject=link, merchant=merchant.pk)
        return link

    return create_once(print_, find=find, create=create)


@transaction.atomic
def update_link(
    *,
    link: PaymentLink,
    actor: str,
    now: datetime,
    reason: str = "",
    **changes: Unpack[LinkFields],
) -> PaymentLink:
    """Writes what differs. Orders that exist keep what they have.

    The currency never changes, and a fixed amount does not become open. Raises ValidationFailed,
    and LinkHasEnded.
    """
    current = _lock(link)
    if current.status == LinkStatus.ENDED:
        raise LinkHasEnded
    new = {name: value for name, value in changes.items() if value != getattr(current, name)}
    if not new:
        return current
    if "amount" in new and None in (new["amount"], current.amount):
        raise ValidationFailed({"amount": _("A fixed amount stays fixed, an open one open.")})
    old = {name: getattr(current, name) for name in new}
    for name, value in new.items():
        setattr(current, name, value)
    rules.check(current, current.merchant, now)
    current.save(update_fields=[*new, "updated_at"])
    details = {"old": _plain(old), "new": _plain(new)}
    audit.record(actor=actor, action="link.changed", subject=current, reason=reason, **details)
    return current


@transaction.atomic
def set_image(*, link: PaymentLink, content: bytes | None, actor: str, now: datetime) -> None:
    """None takes the image away. Raises ValidationFailed, and LinkHasEnded."""
    image_id = None
    if content is not None:
        try:
            image_id = services.keep_logo(content=images.rewritten(content)).pk
        except images.WrongPicture as error:
            raise ValidationFailed({"content": str(error)}) from error
    update_link(link=link, actor=actor, now=now, image_id=image_id)


@transaction.atomic
def change_link(
    *, link: PaymentLink, fields: LinkFields, status: str | None, actor: str, now: datetime
) -> None:
    """For the API: fields and status in one request. Raises as update_link, and NotAllowed."""
    if fields:
        update_link(link=link, actor=actor, now=now, **fields)
    if status is not None:
        _move(link, LinkStatus(status), actor, now, "")


def pause_link(*, link: PaymentLink, actor: str, now: datetime, reason: str = "") -> PaymentLink:
    """The page takes no payments until the link is resumed. Open orders can still be paid."""
    return _move(link, LinkStatus.PAUSED, actor, now, reason)


def resume_link(*, link: PaymentLink, actor: str, now: datetime, reason: str = "") -> PaymentLink:
    return _move(link, LinkStatus.ACTIVE, actor, now, reason)


def end_link(*, link: PaymentLink, actor: str, now: datetime, reason: str = "") -> PaymentLink:
    """The page takes no payments any more. Open orders can still be paid."""
    return _move(link, LinkStatus.ENDED, actor, now, reason)


def find_link(*, merchant: Merchant, link_id: str) -> PaymentLink:
    """Raises LinkNotFound, with the same error for every reason."""
    if not is_id(link_id, "lnk"):
        raise LinkNotFound
    found = PaymentLink.objects.filter(pk=link_id, merchant=merchant)
    link = found.select_related("merchant", "image").defer(*NOT_READ).first()
    if link is None:
        raise LinkNotFound
    return link


def list_links(
    *, merchant: Merchant, limit: int, offset: int, filters: LinkFilters
) -> tuple[list[PaymentLink], int]:
    """One page of the merchant's links, newest first, and how many match in all."""
    found = PaymentLink.objects.filter(merchant=merchant)
    if filters.status is not None:
        found = found.filter(status=filters.status)
    rows = found.select_related("merchant", "image").defer(*NOT_READ)
    page = rows.order_by("-created_at", "-id")[offset : offset + limit]
    return list(page), found.count()


# The secret is slow to decrypt, and the image has its own URL.
NOT_READ = ("merchant__webhook_secret", "image__content")


def _move(link: PaymentLink, to: LinkStatus, actor: str, now: datetime, reason: str) -> PaymentLink:
    """Does nothing if the link is in this state already. Raises NotAllowed."""
    with transaction.atomic():
        current = _lock(link)
        if current.status == to:
            return current
        if current.status == LinkStatus.ENDED:
            raise LinkHasEnded
        try:
            states.move(current, to, now=now, actor=actor, reason=reason)
        except states.IllegalMove as error:
            raise NotAllowed(_("The payment link does not allow this now.")) from error
        audit.record(actor=actor, action=f"link.{to.lower()}", subject=current, reason=reason)
        return current


def _lock(link: PaymentLink) -> PaymentLink:
    rows = PaymentLink.objects.select_related("merchant").defer(*NOT_READ[:1])
    return rows.select_for_update(no_key=True, of=("self",)).get(pk=link.pk)


def _plain(fields: object) -> dict[str, object]:
    """Times become text, for JSON."""
    values: dict[str, object] = dict(fields)  # type: ignore[call-overload]
    return {
        name: value.isoformat() if isinstance(value, datetime) else value
        for name, value in values.items()
    }
