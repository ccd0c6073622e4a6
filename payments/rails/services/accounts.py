"""Provider accounts: enter, rotate, switch. Every step leaves an audit row.

The credentials of a live account count only after a second person has approved this very set. So
its digest is stored with the approval, and asked for with it (approvals.py).
"""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext
from django.views.decorators.debug import sensitive_variables

from payments.core import audit, clock, states
from payments.providers import registry
from payments.providers.account import Credential, InvalidCredentials, Mode, RailAccount
from payments.providers.declaration import RailDeclaration
from payments.providers.rail_type import RailType, rail_types
from payments.rails.models import SLUG_PATTERN, ProviderAccount
from payments.rails.services.addresses import check_address
from payments.rails.services.errors import (
    AddressRefused,
    CredentialRefused,
    NameTaken,
    NotSwitchable,
    OtherContract,
    PrivateKeyRefused,
    UnknownRail,
)
from payments.rails.services.private_keys import is_private

log = structlog.get_logger(__name__)
Status = ProviderAccount.Status


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAccount:
    slug: str
    provider: str
    label: str
    mode: str
    base_url: str = ""
    credentials: Mapping[str, str] = field(default_factory=dict, repr=False)


@transaction.atomic
def create_account(*, new: NewAccount, actor: str, reason: str, now: datetime) -> ProviderAccount:
    """The account is switched off at first.

    Raises NameTaken, UnknownRail, CredentialRefused, AddressRefused and ValidationError.
    """
    if new.slug in registry.rails():
        raise NameTaken  # payments and callbacks of the name belong to that rail
    _refuse_private(label=new.label, base_url=new.base_url, reason=reason)
    _check_address(new)
    account = ProviderAccount(
        slug=new.slug,
        provider=new.provider,
        label=new.label,
        mode=new.mode,
        base_url=new.base_url,
        credentials=stored_form(new.provider, new.credentials, account=new),
        credentials_by=actor,
        created_at=now,
    )
    account.full_clean()
    account.save(force_insert=True)
    audit.record(
        actor=actor,
        action="rail_account.created",
        subject=account,
        reason=reason,
        provider=new.provider,
        mode=new.mode,
        base_url=new.base_url,
    )
    return account


@transaction.atomic
def rotate_credentials(
    *,
    slug: str,
    credentials: Mapping[str, str],
    actor: str,
    reason: str,
    now: datetime,
    refuses_old: bool = False,
) -> ProviderAccount:
    """Callbacks may be signed with the old ones for a while, unless `refuses_old`.

    Calls use the new ones at once, but those of a live account wait for a second person. Raises
    CredentialRefused and OtherContract.
    """
    account = lock(slug)
    _refuse_private(reason=reason)
    entered = stored_form(account.provider, credentials, account=account)
    _refuse_other_contract(account, json.loads(entered))
    account.credentials_by, account.refuses_old = actor, refuses_old
    account.requested_credentials = entered
    waits = account.mode == Mode.LIVE and is_approved(account)
    if waits:
        account.save()
    else:
        _end_request(account, actor, now)
        replace_credentials(account, now)
    action = "rotation_requested" if waits else "rotated"
    audit.record(
        actor=actor,
        action=f"rail_account.{action}",
        subject=account,
        reason=reason,
        refuses_old=refuses_old,
    )
    return account


def replace_credentials(account: ProviderAccount, now: datetime) -> None:
    """Puts the requested ones in the place of the old ones.

    Old ones that no second person has approved verify no callback, now or later.
    """
    is_known = is_approved(account) and not account.refuses_old
    kept = account.credentials if is_known else ""
    account.previous_credentials = kept
    overlap = timedelta(seconds=settings.RAIL_ROTATION_SECONDS)
    account.previous_until = now + overlap if kept else None
    account.credentials, account.requested_credentials = account.requested_credentials, ""
    account.save()


@transaction.atomic
def switch_on(*, slug: str, actor: str, reason: str, now: datetime) -> ProviderAccount:
    """A live account waits for a second person. Raises NotSwitchable and AddressRefused."""
    account = lock(slug)
    if account.status != Status.OFF:
        raise NotSwitchable
    _check_address(account)
    target = Status.REQUESTED if account.mode == Mode.LIVE else Status.ON
    states.move(account, target, now=now, actor=actor, reason=reason, requested_by=actor)
    action = "requested" if target == Status.REQUESTED else "switched_on"
    audit.record(actor=actor, action=f"rail_account.{action}", subject=account, reason=reason)
    return account


@transaction.atomic
def switch_off(*, slug: str, actor: str, reason: str, now: datetime) -> ProviderAccount:
    """New payments stop. Callbacks and queries of older payments continue. Raises NotSwitchable."""
    account = lock(slug)
    if account.status == Status.OFF:
        raise NotSwitchable
    cleared = {"requested_by": "", "approved_by": ""}
    states.move(account, Status.OFF, now=now, actor=actor, reason=reason, **cleared)
    audit.record(actor=actor, action="rail_account.switched_off", subject=account, reason=reason)
    return account


@transaction.atomic
def change_address(
    *, slug: str, base_url: str, actor: str, reason: str, now: datetime
) -> ProviderAccount:
    """Of the rail. Raises AddressRefused, ValidationError, and NotSwitchable for a live account in
    use. One whose address is refused today is switched off, and two persons switch it on again.
    """
    account = lock(slug)
    if account.mode == Mode.LIVE and account.approved_digest:
        if _has_safe_address(account):
            raise NotSwitchable  # another address is another rail, which no second person approved
        _end_request(account, actor, now)
    _refuse_private(base_url=base_url, reason=reason)
    account.base_url = base_url
    _check_address(account)
    account.full_clean()
    account.save(update_fields=["base_url", "updated_at"])
    audit.record(
        actor=actor,
        action="rail_account.address_changed",
        subject=account,
        reason=reason,
        base_url=base_url,
    )
    return account


def to_rail_account(account: ProviderAccount, now: datetime) -> RailAccount:
    overlaps = account.previous_until is not None and now < account.previous_until
    return RailAccount(
        slug=account.slug,
        mode=Mode(account.mode),
        credentials=json.loads(account.credentials),
        previous=json.loads(account.previous_credentials or "{}") if overlaps else {},
        base_url=account.base_url,
    )


def find_rail(slug: str) -> RailDeclaration | None:
    """The rail of an account, on or off, because older payments still need it."""
    if not SLUG_PATTERN.match(slug):
        return None
    account = ProviderAccount.objects.filter(pk=slug).first()
    return rail_of(account) if account is not None else None


def rail_of(account: ProviderAccount) -> RailDeclaration | None:
    """
    None for an account of the other environment: play money and real money never share a
    ledger. None also for a live account whose credentials only one person has seen: they verify
    no callback and answer no query. None for a live account whose address was entered before the
    rules for addresses, or is a fake's: real credentials would go there.
    """
    if (account.mode == Mode.SANDBOX) != settings.SANDBOX:
        return None
    if not is_approved(account) or not _has_safe_address(account):
        return None
    return get_rail_type(account.provider).declare(to_rail_account(account, clock.now()))


def _has_safe_address(account: ProviderAccount) -> bool:
    if account.mode == Mode.SANDBOX:
        return True
    try:
        _check_address(account)
    except AddressRefused:
        log.error("rails.address_refused", account=account.slug)
        return False
    return True


def _check_address(account: NewAccount | ProviderAccount) -> None:
    """Raises AddressRefused and UnknownRail."""
    is_own_node = get_rail_type(account.provider).is_own_node
    check_address(mode=account.mode, base_url=account.base_url, is_own_node=is_own_node)


@sensitive_variables("texts")
def _refuse_private(**texts: str) -> None:
    for name, text in texts.items():
        if is_private(text, is_prose=True):
            raise PrivateKeyRefused(details={"field": name})


def get_rail_type(provider: str) -> RailType:
    """Raises UnknownRail."""
    try:
        return rail_types()[provider]
    except KeyError:
        raise UnknownRail from None


def digest_of(account: ProviderAccount, credentials: str) -> str:
    """Of a set with the address that it is used at."""
    return hashlib.sha256(f"{account.slug}\n{account.base_url}\n{credentials}".encode()).hexdigest()


def is_approved(account: ProviderAccount) -> bool:
    """Whether the credentials that it has now count."""
    if account.mode == Mode.SANDBOX:
        return True
    return account.approved_digest == digest_of(account, account.credentials)


def _end_request(account: ProviderAccount, actor: str, now: datetime) -> None:
    """A request was about other credentials than those that come now."""
    if account.mode == Mode.LIVE and account.status != Status.OFF:
        states.move(account, Status.OFF, now=now, actor=actor, requested_by="", approved_by="")


def _refuse_other_contract(account: ProviderAccount, entered: Mapping[str, str]) -> None:
    known = json.loads(account.credentials)
    for one in get_rail_type(account.provider).credentials:
        if one.is_identity and entered[one.name] != known.get(one.name, ""):
            raise OtherContract(values={"label": one.label}, details={"field": one.name})


def lock(slug: str) -> ProviderAccount:
    return ProviderAccount.objects.select_for_update().get(pk=slug)


@sensitive_variables("credentials", "given")
def stored_form(
    provider: str, credentials: Mapping[str, str], *, account: NewAccount | ProviderAccount
) -> str:
    """The credentials in the stored form. Raises CredentialRefused."""
    rail_type = get_rail_type(provider)
    known = {one.name: one.label for one in rail_type.credentials}
    given = {
        one.name: credentials.get(one.name, one.default).strip() for one in rail_type.credentials
    }
    try:
        for one in rail_type.credentials:
            _check_value(one, given[one.name])
        rail_type.check_credentials(
            RailAccount(
                slug=account.slug,
                mode=Mode(account.mode),
                credentials=given,
                base_url=account.base_url,
            )
        )
    except InvalidCredentials as error:
        values = {"label": known[error.field], "problem": str(error)}
        raise CredentialRefused(values=values, details={"field": error.field}) from error
    return json.dumps(given)


@sensitive_variables("value")
def _check_value(credential: Credential, value: str) -> None:
    """Raises InvalidCredentials."""
    if is_private(value):
        raise InvalidCredentials(credential.name, PrivateKeyRefused().shown())
    if not credential.is_possible(value):
        raise InvalidCredentials(credential.name, gettext("This is none of the choices."))


def is_same_provider(one: str, other: str) -> bool:
    """Whether both slugs are accounts of the same provider. The simulator is no account."""
    found = ProviderAccount.objects.in_bulk([one, other])
    return len(found) == 2 and found[one].provider == found[other].provider
