"""New secrets of endpoints, and events that are sent to them again, each once for each key."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants import services as accounts
from merchants.models import Merchant
from payments.api.idempotency import create_once, fingerprint
from payments.core import audit, clock
from payments.core.errors import ValidationFailed
from payments.core.ids import is_id
from webhooks import services
from webhooks.endpoint_models import EarlierSecret, Endpoint, EndpointAction, EndpointRequest
from webhooks.endpoints import SECRET_SHOWN_HOURS, Destination, EndpointNotFound
from webhooks.models import Event

OVERLAP_HOURS_MAX = 72
OVERLAP_HOURS = 24
RANGE_DAYS_MAX = 31


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """`is_earlier_for_contract`: which secret signs the contract's header during the overlap."""

    overlap_hours: int = OVERLAP_HOURS
    is_earlier_for_contract: bool = True
    # Of a person.
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Resend:
    """One event, or the events of a range."""

    event_id: str | None = None
    first: datetime | None = None
    last: datetime | None = None
    only_missing: bool = True


def rotate_secret(
    *,
    destination: Destination,
    rotation: Rotation,
    actor: str,
    now: datetime,
    idempotency_key: str | None = None,
) -> tuple[Destination, bool]:
    """Returns the endpoint with its new secret, and whether it was replayed.

    The old secret is valid beside the new one during the overlap; one that was valid before the
    last rotation is not. A replay has the secret for SECRET_SHOWN_HOURS, unless there is a newer.
    Raises IdempotencyKeyReused.
    """
    print_ = fingerprint(
        {
            "action": EndpointAction.ROTATE.value,
            "endpoint": destination.id,
            "overlapHours": rotation.overlap_hours,
            "earlier": rotation.is_earlier_for_contract,
        }
    )

    @transaction.atomic
    def create() -> EndpointRequest:
        secret = _replace_secret(destination, rotation, now)
        audit.record(
            actor=actor,
            action="webhook_secret.rotated",
            subject=destination.endpoint or destination.merchant,
            reason=rotation.reason,
            merchant=destination.merchant.pk,
            overlap_hours=rotation.overlap_hours,
        )
        result = {"secret_hash": _hash(secret)}
        return _request(destination, EndpointAction.ROTATE, idempotency_key, print_, now, result)

    done, is_replayed = create_once(
        print_, find=_finder(destination.merchant, idempotency_key), create=create
    )
    row = destination.endpoint or destination.merchant
    row.refresh_from_db(fields=["updated_at"])
    secret = _secret_of(destination)
    is_shown = (now - done.created_at).total_seconds() < SECRET_SHOWN_HOURS * 3600
    if not is_shown or _hash(secret) != done.result["secret_hash"]:
        return replace(destination, secret=None), is_replayed
    return replace(destination, secret=secret), is_replayed


def resend(
    *,
    destination: Destination,
    chosen: Resend,
    actor: str,
    now: datetime,
    idempotency_key: str | None = None,
) -> tuple[dict[str, Any], bool]:
    """Returns the id of the endpoint and how many events are sent again, and whether replayed.

    Raises IdempotencyKeyReused, ValidationFailed and TooManyEvents.
    """
    asked = {
        "action": EndpointAction.RESEND.value,
        "endpoint": destination.id,
        "event": chosen.event_id,
        "from": clock.iso(chosen.first),
        "to": clock.iso(chosen.last),
        "onlyMissing": chosen.only_missing,
    }
    print_ = fingerprint(asked)

    @transaction.atomic
    def create() -> EndpointRequest:
        result = {"events": _resend(destination, chosen, actor, now)}
        return _request(destination, EndpointAction.RESEND, idempotency_key, print_, now, result)

    done, is_replayed = create_once(
        print_, find=_finder(destination.merchant, idempotency_key), create=create
    )
    return {"id": destination.id, "events": done.result["events"]}, is_replayed


def end_overlap(*, destination_id: str) -> None:
    EarlierSecret.objects.filter(destination=destination_id).delete()


def forget_earlier_secrets(*, now: datetime) -> int:
    """Deletes those whose overlap is over. Returns how many."""
    return EarlierSecret.objects.filter(until__lte=now).delete()[0]


def _resend(destination: Destination, chosen: Resend, actor: str, now: datetime) -> int:
    merchant, endpoint = destination.merchant, destination.endpoint
    if chosen.event_id is not None:
        if chosen.first or chosen.last:
            raise ValidationFailed({"eventId": _("Give either an event or a range.")})
        event = Event.objects.filter(pk=chosen.event_id, merchant=merchant).first()
        if event is None or not is_id(chosen.event_id, "evt"):
            raise ValidationFailed({"eventId": _("There is no such event.")})
        services.resend_to(event=event, endpoint=endpoint, actor=actor, now=now)
        return 1
    first, last = _range(chosen)
    wanted = services.EventRange(
        merchant=merchant,
        first=first,
        last=last,
        only_missing=chosen.only_missing,
        endpoint=endpoint,
    )
    return services.resend_range(chosen=wanted, actor=actor, reason="", now=now)


def _range(chosen: Resend) -> tuple[datetime, datetime]:
    """Raises ValidationFailed."""
    first, last = chosen.first, chosen.last
    if first is None or last is None:
        missing = "from" if first is None else "to"
        raise ValidationFailed({missing: _("Is required without eventId.")})
    if last <= first:
        raise ValidationFailed({"to": _("Must be after from.")})
    if last - first > timedelta(days=RANGE_DAYS_MAX):
        raise ValidationFailed({"to": f"Must be at most {RANGE_DAYS_MAX} days after from."})
    return first, last


def _replace_secret(destination: Destination, rotation: Rotation, now: datetime) -> str:
    """Under the lock of the row, as a claim reads it."""
    row = _locked(destination)
    field = "webhook_secret" if isinstance(row, Merchant) else "secret"
    old, new = getattr(row, field), accounts.new_webhook_secret()
    setattr(row, field, new)
    if isinstance(row, Endpoint):
        row.updated_at = now
    row.save(update_fields=[field, "updated_at"])
    end_overlap(destination_id=row.pk)
    if rotation.overlap_hours:
        EarlierSecret.objects.create(
            destination=row.pk,
            secret=old,
            until=now + timedelta(hours=rotation.overlap_hours),
            signs_contract=rotation.is_earlier_for_contract,
        )
    return new


def _locked(destination: Destination) -> Merchant | Endpoint:
    if destination.endpoint is None:
        merchants = Merchant.objects.select_for_update(no_key=True)
        return merchants.get(pk=destination.merchant.pk)
    found = Endpoint.objects.select_for_update(no_key=True).filter(deleted_at=None)
    row = found.filter(pk=destination.endpoint.pk).first()
    if row is None:
        raise EndpointNotFound
    return row


def _secret_of(destination: Destination) -> str:
    if destination.endpoint is None:
        return Merchant.objects.get(pk=destination.merchant.pk).webhook_secret
    return Endpoint.objects.get(pk=destination.endpoint.pk).secret


def _hash(secret: str) -> str:
    """Of 256 random bits: it tells nothing of the secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def _finder(merchant: Merchant, key: str | None) -> Callable[[], EndpointRequest | None]:
    def find() -> EndpointRequest | None:
        if not key:
            return None
        return EndpointRequest.objects.filter(merchant=merchant, idempotency_key=key).first()

    return find


def _request(
    destination: Destination,
    action: EndpointAction,
    key: str | None,
    print_: bytes,
    now: datetime,
    result: dict[str, Any],
) -> EndpointRequest:
    return EndpointRequest.objects.create(
        merchant=destination.merchant,
        endpoint=destination.endpoint,
        action=action,
        idempotency_key=key,
        fingerprint=print_,
        result=result,
        created_at=now,
    )
