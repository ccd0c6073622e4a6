"""Creates, changes and deletes webhook endpoints. Each act leaves an audit row, without secrets.

The webhook URL of the account is the first endpoint of each merchant. It has no row: its URL,
secret and events are fields of the merchant, and its id is made of the merchant's.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypedDict, Unpack

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import translation
from django.utils.translation import gettext_noop as _

from merchants import services as accounts
from merchants import url_safety
from merchants.models import Merchant
from payments.api.idempotency import create_once, fingerprint
from payments.core import audit, jobs
from payments.core.errors import NotAllowed, NotFound, ValidationFailed
from payments.core.ids import is_id
from webhooks import catalogue
from webhooks.endpoint_models import ENDPOINTS_MAX, EarlierSecret, Endpoint
from webhooks.services import DISPATCH_TASK

PREFIX, MERCHANT_PREFIX = "whe_", "mer_"
# A caller that sends the key again may not have got the first answer.
SECRET_SHOWN_HOURS = 24


class EndpointNotFound(NotFound):
    message = _("There is no such webhook endpoint.")


class EndpointFields(TypedDict, total=False):
    url: str
    kinds: list[str]
    description: str
    is_enabled: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEndpoint:
    url: str
    kinds: list[str]
    description: str = ""
    is_enabled: bool = True
    # Of a person.
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Destination:
    """An endpoint of a merchant. `endpoint` is None for the URL of the account.

    `secret` is there when it was made, and nowhere else. `overlap` is that of `with_overlaps`.
    """

    merchant: Merchant
    endpoint: Endpoint | None = None
    secret: str | None = None
    overlap: EarlierSecret | None = None

    @property
    def key(self) -> str:
        """That of its rows in other tables."""
        return self.endpoint.pk if self.endpoint else self.merchant.pk

    @property
    def id(self) -> str:
        return self.endpoint.pk if self.endpoint else account_endpoint_id(self.merchant.pk)

    @property
    def is_account(self) -> bool:
        return self.endpoint is None

    @property
    def url(self) -> str | None:
        return (self.endpoint or _Account(self.merchant)).url or None

    @property
    def kinds(self) -> list[str]:
        taken = (self.endpoint or _Account(self.merchant)).kinds
        return [kind for kind in subscribable() if kind in taken]

    @property
    def is_enabled(self) -> bool:
        return self.endpoint.is_enabled if self.endpoint else bool(self.merchant.webhook_url)

    @property
    def description(self) -> str:
        return self.endpoint.description if self.endpoint else ""

    @property
    def created_at(self) -> datetime:
        return (self.endpoint or self.merchant).created_at

    @property
    def updated_at(self) -> datetime:
        return (self.endpoint or self.merchant).updated_at


@dataclass(frozen=True, slots=True)
class _Account:
    merchant: Merchant

    @property
    def url(self) -> str:
        return self.merchant.webhook_url

    @property
    def kinds(self) -> list[str]:
        return [*catalogue.kinds(catalogue.Sent.ALWAYS), *self.merchant.event_kinds]


def account_endpoint_id(merchant_id: str) -> str:
    return PREFIX + merchant_id.removeprefix(MERCHANT_PREFIX)


def subscribable() -> list[str]:
    """The kinds that an endpoint may take, in the order of the catalogue."""
    chosen = (catalogue.Sent.ALWAYS, catalogue.Sent.IF_ENABLED)
    return [event.kind for event in catalogue.EVENTS if event.sent in chosen]


def list_destinations(*, merchant: Merchant) -> list[Destination]:
    """The URL of the account first, then in the order of their creation."""
    rows = _of(merchant).order_by("created_at", "id")
    return [Destination(merchant=merchant), *(_known(merchant, row) for row in rows)]


def find_destination(
    *, merchant: Merchant, endpoint_id: str, or_deleted: bool = False
) -> Destination:
    """Raises EndpointNotFound, with the same error for every reason."""
    if endpoint_id == account_endpoint_id(merchant.pk):
        return Destination(merchant=merchant)
    rows = _rows(merchant) if or_deleted else _of(merchant)
    row = rows.filter(pk=endpoint_id).first() if is_id(endpoint_id, "whe") else None
    if row is None:
        raise EndpointNotFound
    return _known(merchant, row)


def with_overlaps(destinations: Iterable[Destination], *, now: datetime) -> list[Destination]:
    """Each with its earlier secret, if that is still valid."""
    given = list(destinations)
    rows = EarlierSecret.objects.filter(destination__in=[each.key for each in given], until__gt=now)
    found = {row.pk: row for row in rows.defer("secret")}
    return [replace(each, overlap=found.get(each.key)) for each in given]


def create_endpoint(
    *,
    merchant: Merchant,
    new: NewEndpoint,
    actor: str,
    now: datetime,
    idempotency_key: str | None = None,
) -> tuple[Destination, bool]:
    """Returns the endpoint with its secret, and whether it was replayed.

    A replay has the secret for SECRET_SHOWN_HOURS. Raises IdempotencyKeyReused, ValidationFailed
    and NotAllowed.
    """
    asked: dict[str, Any] = {
        "url": new.url,
        "events": sorted(set(new.kinds)),
        "description": new.description,
        "enabled": new.is_enabled,
    }
    print_ = fingerprint(asked)

    def find() -> Endpoint | None:
        if not idempotency_key:
            return None
        return Endpoint.objects.filter(merchant=merchant, idempotency_key=idempotency_key).first()

    @transaction.atomic
    def create() -> Endpoint:
        current = _lock(merchant)
        if _of(merchant).count() + 1 >= ENDPOINTS_MAX:
            raise NotAllowed(_("A merchant has at most 16 webhook endpoints."))
        endpoint = Endpoint(
            merchant=current,
            url=checked_url(new.url),
            kinds=checked_kinds(new.kinds),
            description=new.description,
            is_enabled=new.is_enabled,
            secret=accounts.new_webhook_secret(),
            idempotency_key=idempotency_key,
            fingerprint=print_,
            created_by=actor,
            created_at=now,
            updated_at=now,
        )
        endpoint.save(force_insert=True)
        _note_kinds(merchant)
        audit.record(
            actor=actor,
            action="webhook_endpoint.created",
            subject=endpoint,
            reason=new.reason,
            merchant=merchant.pk,
            **asked,
        )
        return endpoint

    endpoint, is_replayed = create_once(print_, find=find, create=create)
    is_shown = (now - endpoint.created_at).total_seconds() < SECRET_SHOWN_HOURS * 3600
    shown = endpoint.secret if is_shown and not endpoint.deleted_at else None
    return Destination(merchant=merchant, endpoint=endpoint, secret=shown), is_replayed


def change_destination(
    *,
    destination: Destination,
    actor: str,
    now: datetime,
    reason: str = "",
    **changes: Unpack[EndpointFields],
) -> Destination:
    """Writes what differs. Deliveries that wait go to the new URL. Raises ValidationFailed."""
    if destination.endpoint is None:
        return _change_account(destination.merchant, actor, reason, changes)
    with transaction.atomic():
        current, endpoint = _locked(destination.merchant, destination.endpoint)
        if "url" in changes and changes["url"] != endpoint.url:
            checked_url(changes["url"])
        if "kinds" in changes:
            changes["kinds"] = checked_kinds(changes["kinds"])
        new = {name: value for name, value in changes.items() if value != getattr(endpoint, name)}
        if not new:
            return _known(current, endpoint)
        old = {name: getattr(endpoint, name) for name in new}
        for name, value in new.items():
            setattr(endpoint, name, value)
        endpoint.updated_at = now
        endpoint.save(update_fields=[*new, "updated_at"])
        _note_kinds(current)
        details = {"merchant": current.pk, "old": old, "new": new}
        action = "webhook_endpoint.changed"
        audit.record(actor=actor, action=action, subject=endpoint, reason=reason, **details)
        # Deliveries may wait for it.
        jobs.enqueue(DISPATCH_TASK)
        return _known(current, endpoint)


@transaction.atomic
def delete_endpoint(
    *, destination: Destination, actor: str, now: datetime, reason: str = ""
) -> None:
    """Deliveries that are on their way to it fail. Does nothing if it was deleted before.

    Raises NotAllowed for the account's.
    """
    if destination.endpoint is None:
        raise NotAllowed(
            _("The endpoint of the account cannot be deleted. Set its url to null instead.")
        )
    try:
        current, endpoint = _locked(destination.merchant, destination.endpoint)
    except EndpointNotFound:
        return
    endpoint.is_enabled, endpoint.deleted_at, endpoint.updated_at = False, now, now
    endpoint.save(update_fields=["is_enabled", "deleted_at", "updated_at"])
    _note_kinds(current)
    audit.record(
        actor=actor,
        action="webhook_endpoint.deleted",
        subject=endpoint,
        reason=reason,
        merchant=current.pk,
    )
    jobs.enqueue(DISPATCH_TASK)


def checked_url(url: str) -> str:
    """Refuses what the sender would refuse. Raises ValidationFailed."""
    try:
        url_safety.check_url(url, allow_private=settings.WEBHOOK_ALLOW_PRIVATE)
    except url_safety.UnsafeUrl as error:
        with translation.override("en"):
            raise ValidationFailed({"url": str(error.message)}) from error
    return url


def checked_kinds(kinds: Collection[str]) -> list[str]:
    """Once each, in the order of the catalogue. Raises ValidationFailed."""
    known = subscribable()
    if unknown := [kind for kind in kinds if kind not in known]:
        raise ValidationFailed({"events": f"Unknown event {unknown[0]}."})
    if not kinds:
        raise ValidationFailed({"events": "Must have at least one event."})
    return [kind for kind in known if kind in kinds]


def _change_account(
    merchant: Merchant, actor: str, reason: str, changes: EndpointFields
) -> Destination:
    for name, field in (("is_enabled", "enabled"), ("description", "description")):
        if name in changes:
            raise ValidationFailed({field: _("The endpoint of the account does not have it.")})
    if (url := changes.get("url")) and url != merchant.webhook_url:
        checked_url(url)
    if "kinds" in changes:
        _check_always(changes["kinds"])
    fields = _account_fields(changes)
    accounts.update_merchant(merchant=merchant, actor=actor, reason=reason, **fields)
    merchant.refresh_from_db(fields=["webhook_url", "event_kinds", "updated_at"])
    return Destination(merchant=merchant)


def _account_fields(changes: EndpointFields) -> accounts.MerchantFields:
    fields: accounts.MerchantFields = {}
    if "url" in changes:
        fields["webhook_url"] = changes["url"]
    if "kinds" in changes:
        always = catalogue.kinds(catalogue.Sent.ALWAYS)
        fields["event_kinds"] = [
            kind for kind in checked_kinds(changes["kinds"]) if kind not in always
        ]
    return fields


def _check_always(kinds: Iterable[str]) -> None:
    always = catalogue.kinds(catalogue.Sent.ALWAYS)
    if missing := [kind for kind in always if kind not in kinds]:
        message = f"The endpoint of the account always gets {' and '.join(missing)}."
        raise ValidationFailed({"events": message})


def _of(merchant: Merchant) -> QuerySet[Endpoint]:
    return _rows(merchant).filter(deleted_at=None)


def _rows(merchant: Merchant) -> QuerySet[Endpoint]:
    # The secret is slow to decrypt.
    return Endpoint.objects.filter(merchant=merchant).defer("secret")


def _known(merchant: Merchant, endpoint: Endpoint) -> Destination:
    return Destination(merchant=merchant, endpoint=endpoint)


def _lock(merchant: Merchant) -> Merchant:
    """The row of the merchant first, then that of the endpoint."""
    rows = Merchant.objects.select_for_update(no_key=True).defer("webhook_secret")
    return rows.get(pk=merchant.pk)


def _locked(merchant: Merchant, endpoint: Endpoint) -> tuple[Merchant, Endpoint]:
    """Raises EndpointNotFound if it was deleted since."""
    current = _lock(merchant)
    row = _of(merchant).select_for_update(no_key=True).filter(pk=endpoint.pk).first()
    if row is None:
        raise EndpointNotFound
    return current, row


def _note_kinds(merchant: Merchant) -> None:
    """See Merchant.endpoint_kinds."""
    taken = Endpoint.objects.filter(merchant=merchant, is_enabled=True).values_list(
        "kinds", flat=True
    )
    union = sorted({kind for kinds in taken for kind in kinds})
    Merchant.objects.filter(pk=merchant.pk).update(endpoint_kinds=union)
