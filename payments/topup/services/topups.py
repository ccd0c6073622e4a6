"""Top-ups are checked against the catalogue, reserved, and sent inside the request."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from functools import partial

from merchants.models import Merchant
from payments.core.request_clock import RequestClock
from payments.outgoing import creation
from payments.outgoing.creation import PaymentRequest
from payments.outgoing.errors import RailUnavailable
from payments.providers import breaker, registry
from payments.topup.models import TopUp
from payments.topup.services import catalogue
from payments.topup.services.engine import PRODUCT, PROVIDERS, engine
from payments.topup.services.errors import TopupNotEnabled


def check_enabled(merchant: Merchant) -> None:
    """Raises TopupNotEnabled (contract, Top-ups)."""
    if not merchant.topup_enabled:
        raise TopupNotEnabled


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTopUp:
    """The body of POST /topup. `amount` in pesos, `phone` as ten digits."""

    phone: str
    operator: str
    amount: int


def create_topup(request: PaymentRequest[NewTopUp], *, now: datetime) -> tuple[TopUp, bool]:
    """Buys credit: holds amount and fee, and calls the rail.

    Returns the top-up and whether it was replayed. It is PROCESSING if the rail did not respond
    within OUTGOING_BUDGET_SECONDS, and FAILED, without a hold, if the rail refused it. Raises
    IdempotencyKeyReused, TopupsSwitchedOff, RailUnavailable, ValidationFailed (operator, package),
    AmountAboveLimit, AmountBelowMinimum, InsufficientBalance.
    """
    clock = RequestClock(now)
    build = partial(_build, request.wanted, now)
    topup, is_replayed = creation.create(PRODUCT, request, build=build, now=now)
    if not is_replayed:
        engine.call_in_request(topup, clock)
    return topup, is_replayed


def _build(new: NewTopUp, now: datetime, versions: str | None) -> TopUp:
    amount = Decimal(new.amount)
    offer, terms = catalogue.find_offer(new.operator, versions=versions)
    catalogue.check_amount(offer, amount)
    _check_provider()
    topup = TopUp(
        operator=offer.operator,
        operator_name=offer.operator.name,
        rail_code=str(offer.operator.codes[PROVIDERS.configured_code]),
        phone=new.phone,
        provider=PROVIDERS.configured_code,
    )
    topup.set_price(amount, terms.fee_of(amount))
    creation.begin_at_once(topup, now)
    return topup


def _check_provider() -> None:
    try:
        port = PROVIDERS.configured()
    except registry.UnknownProvider as error:
        raise RailUnavailable from error
    if breaker.is_open(PRODUCT.circuit(port.code)):
        raise RailUnavailable
