"""Top-ups: checked against the catalogue, reserved, sent inside the request; found and listed.

What they share with other outgoing payments is in payments.outgoing.
"""

import time
from collections.abc import Mapping
from datetime import datetime, timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from django.conf import settings

from merchants.models import ApiKey, Merchant
from payments.outgoing import creation
from payments.outgoing.errors import RailUnavailable
from payments.outgoing.terms import fee_of
from payments.providers import breaker, registry
from payments.topup.models import TopUp
from payments.topup.services import catalogue
from payments.topup.services.engine import PRODUCT, engine
from payments.topup.services.errors import TopupNotEnabled


def check_enabled(merchant: Merchant) -> None:
    """Raises TopupNotEnabled (contract, Top-ups)."""
    if not merchant.topup_enabled:
        raise TopupNotEnabled


def create_topup(
    *, merchant: Merchant, key: ApiKey, idempotency_key: str, now: datetime, **fields: Any
) -> tuple[TopUp, bool]:
    """Buys credit: holds amount and fee, and calls the rail.

    Returns the top-up, which is PROCESSING when the rail did not answer within
    OUTGOING_BUDGET_SECONDS, and whether it was replayed. One that the rail refuses is FAILED, and
    its money is free again. Raises IdempotencyKeyReused, TopupsSwitchedOff, ProviderAway,
    ValidationFailed (operator, package), AmountAboveLimit, AmountBelowMinimum, InsufficientBalance.
    """
    started = time.monotonic()
    topup, replayed = creation.create(
        PRODUCT,
        merchant=merchant,
        key=key,
        idempotency_key=idempotency_key,
        fields=fields,
        build=partial(_build, fields, now),
        now=now,
    )
    if not replayed:
        _send(topup, now, time.monotonic() - started)
    return topup, replayed


def find_topup(*, merchant: Merchant, topup_id: str) -> TopUp:
    """The merchant's top-up. Raises PaymentNotFound, the same for every reason."""
    return creation.find(PRODUCT, merchant=merchant, payment_id=topup_id, prefix="top")


def list_topups(*, merchant: Merchant, **filters: Any) -> tuple[list[TopUp], int]:
    """One page of the merchant's top-ups, newest first: see creation.page."""
    return creation.page(PRODUCT, merchant=merchant, **filters)


def _build(fields: Mapping[str, Any], now: datetime) -> TopUp:
    amount = Decimal(fields["amount"])
    offer, terms = catalogue.find_offer(fields["operator"])
    catalogue.check_amount(offer, amount)
    _check_provider()
    topup = TopUp(
        operator=offer.operator,
        operator_name=offer.operator.name,
        rail_code=str(offer.operator.codes[settings.TOPUP_PROVIDER]),
        phone=fields["phone"],
        provider=settings.TOPUP_PROVIDER,
    )
    topup.set_price(amount, fee_of(terms, amount))
    creation.begin_at_once(topup, now)
    return topup


def _check_provider() -> None:
    try:
        port = registry.topup()
    except registry.UnknownProvider as error:
        raise RailUnavailable from error
    if breaker.is_open(PRODUCT.circuit(port.code)):
        raise RailUnavailable


def _send(topup: TopUp, now: datetime, passed_seconds: float) -> None:
    """Calls the rail with what is left of the request's time, and learns what became of it.

    A request that waited too long for its balance makes no call: by then the scanner may be asking
    about the top-up, and it sends what the rail knows nothing of.
    """
    left = settings.OUTGOING_BUDGET_SECONDS - passed_seconds
    if left > engine.min_seconds_to_call():
        moment = now + timedelta(seconds=passed_seconds)
        engine.call(payment=topup, now=moment, timeout=left)
        topup.refresh_from_db()
