"""Who has an instant key: asked at its rail before money goes there, and kept with its time.

A person who approves a payment sees the holder. A worker asks before the first send, and a key that
the rail does not know, or that takes no money, ends the payment unsent. A rail that does not answer
stops nothing.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from django.conf import settings
from django.utils.crypto import salted_hmac

from payments.core.text import storable
from payments.providers import breaker, registry
from payments.providers.ports import (
    KeyHolder,
    OutgoingReason,
    ProviderError,
    ProviderRefused,
    ResolvesKeys,
)
from payments.rails.models import KeyCheck
from payments.rails.services.routing import circuit, is_off

log = structlog.get_logger(__name__)
Result = KeyCheck.Result
# A holder who was found is not asked for again within this time.
FRESH = timedelta(minutes=10)
REFUSALS: dict[str, KeyCheck.Result] = {
    OutgoingReason.KEY_NOT_FOUND: Result.NOT_FOUND,
    OutgoingReason.ACCOUNT_CLOSED: Result.CLOSED,
}
REASONS = {str(result): reason for reason, result in REFUSALS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyPayment:
    """A payment to an instant key. `subject_id` is its id, `account` the rail that will send it."""

    subject_id: str
    account: str
    key_type: str
    key_value: str

    @property
    def digest(self) -> str:
        told = f"{self.account}:{self.key_type}:{self.key_value}"
        return salted_hmac("key-check", told, algorithm="sha256").hexdigest()


def last_check(payment: KeyPayment) -> KeyCheck | None:
    """Of this very key at this account."""
    return KeyCheck.objects.filter(pk=payment.subject_id, digest=payment.digest).first()


def as_seen(check: KeyCheck | None) -> dict[str, str]:
    """For the audit row of an approval."""
    if check is None:
        return {}
    return {"key": check.result, "key_holder": check.holder_name, "key_bank": check.bank_name}


def check_key(*, payment: KeyPayment, now: datetime) -> KeyCheck | None:
    """Calls the rail, so never call it inside a transaction. None if it resolves no keys."""
    adapter = _adapter(payment.account)
    if adapter is None:
        return None
    known = last_check(payment)
    if known is not None and known.result == Result.FOUND and now - known.checked_at < FRESH:
        return known
    result, holder = _ask(adapter, payment)
    if result == Result.UNRESOLVED and known is not None:
        return known  # older, but it says more
    check, _created = KeyCheck.objects.update_or_create(
        pk=payment.subject_id, defaults=_facts(payment, result, holder, now)
    )
    return check


def look_up(*, payment: KeyPayment, now: datetime) -> KeyCheck | None:
    """For a key that no payment has yet. Calls the rail, and stores nothing. None if the rail
    resolves no keys.
    """
    adapter = _adapter(payment.account)
    if adapter is None:
        return None
    return KeyCheck(pk=payment.subject_id, **_facts(payment, *_ask(adapter, payment), now))


def refusal(*, payment: KeyPayment, now: datetime) -> str:
    """The OutgoingReason for which nothing may be sent. Calls the rail. Empty: it may."""
    check = check_key(payment=payment, now=now)
    if check is None or check.result not in REASONS:
        return ""
    if check.checked_at != now:
        return ""  # the rail did not answer now, and the key may be in order again
    return REASONS[check.result]


def _facts(payment: KeyPayment, result: Result, holder: KeyHolder, now: datetime) -> dict[str, Any]:
    return {
        "account": payment.account,
        "digest": payment.digest,
        "result": result,
        "holder_name": storable(holder.name, 100),
        "bank_name": storable(holder.bank, 100),
        "checked_at": now,
    }


def _ask(adapter: ResolvesKeys, payment: KeyPayment) -> tuple[Result, KeyHolder]:
    """A defect of the adapter stops no payment either: nothing was sent."""
    unknown = KeyHolder(name="")
    try:
        with breaker.require_closed(f"{circuit('payout', payment.account)}:keys"):
            holder = adapter.resolve_key(
                payment.key_type, payment.key_value, settings.KEY_CHECK_TIMEOUT_SECONDS
            )
    except ProviderRefused as error:
        return REFUSALS.get(error.reason, Result.UNRESOLVED), unknown
    except ProviderError as error:
        log.warning("keys.unresolved", subject=payment.subject_id, error=type(error).__name__)
        return Result.UNRESOLVED, unknown
    except Exception:
        log.exception("keys.check_broke", subject=payment.subject_id)
        return Result.UNRESOLVED, unknown
    return Result.FOUND, holder


def _adapter(account: str) -> ResolvesKeys | None:
    rail = None if is_off(account) else registry.find_rail(account)
    found = rail.outgoing.get("payout") if rail else None
    return found if isinstance(found, ResolvesKeys) else None
