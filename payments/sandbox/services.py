"""Plays the payer and the rail: what happens goes through the provider's own callback."""

from datetime import datetime
from decimal import Decimal

from django.db import transaction

from merchants.models import Merchant, Method
from payments.collect.models import Charge, Order
from payments.collect.services import charges, orders
from payments.collect.services.errors import OrderNotPayable
from payments.core import money
from payments.core.ids import new_id
from payments.ledger import recipes
from payments.ledger import services as ledger
from payments.outgoing.errors import NotAllowed
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers import ports
from payments.providers.simulator import control, outgoing_control

ACTOR = "sandbox"
# What a payout can be made to become, by its state now.
REACHABLE: dict[str, tuple[str, ...]] = {
    Payout.Status.PENDING: ("COMPLETED", "FAILED", "REFUNDED"),
    Payout.Status.PROCESSING: ("COMPLETED", "FAILED", "REFUNDED"),
    Payout.Status.COMPLETED: ("REFUNDED",),
}
PAYOUT_STATES = {
    "COMPLETED": ports.OutgoingState.COMPLETED,
    "FAILED": ports.OutgoingState.FAILED,
    "REFUNDED": ports.OutgoingState.RETURNED,
}
DEFAULT_FIELDS = {
    Method.PSE: {"bankCode": "1007", "personType": "NATURAL"},
    Method.BANK_TRANSFER: {},
    Method.CRYPTO: {"coin": "USDT"},
}


def answer_order(
    *,
    order: Order,
    status: str,
    now: datetime,
    method: str | None = None,
    amount: Decimal | None = None,
) -> None:
    """Brings the order to `status` as its rail would (docs/gaps.md, Sandbox).

    `amount`, in the order's currency, is what arrives; the default is what is missing. Raises
    OrderNotPayable for a move that is not allowed, and what start_charge raises.
    """
    if order.is_final:
        raise OrderNotPayable(f"The order is {order.status} already.")
    if status == Order.Status.EXPIRED:
        _expire(order, now)
        return
    charge = _charge(order, method, now)
    if status == Order.Status.FAILED:
        _resolve(charge, ports.ChargeStatus.FAILED)
    else:
        _resolve(charge, ports.ChargeStatus.SUCCEEDED, charge.received + _due(charge, amount))


def answer_payout(*, payout: Payout, status: str, now: datetime) -> None:
    """Brings the payout to `status` as its rail would. Raises NotAllowed; then nothing changed."""
    if status not in REACHABLE.get(payout.status, ()):
        raise NotAllowed(f"A payout that is {payout.status} cannot become {status}.")
    if payout.needs_approval:
        raise NotAllowed("The payout waits for approval.")
    if payout.status == Payout.Status.PENDING:
        engine.send(payment_id=payout.pk, now=now)
        payout.refresh_from_db()
        if payout.status not in REACHABLE:
            raise NotAllowed(f"The rail made the payout {payout.status} at once.")
    try:
        outgoing_control.resolve(payout.provider_reference, PAYOUT_STATES[status])
    except (control.NotPossible, outgoing_control.UnknownPayment) as error:
        raise NotAllowed(f"The rail does not do this: {error}.") from error


def credit_balance(*, merchant: Merchant, currency: str, amount: Decimal, now: datetime) -> Decimal:
    """Credits play money; returns what is available now."""
    with transaction.atomic():
        recipes.sandbox_credited(
            merchant_id=merchant.pk,
            currency=currency,
            amount=amount,
            reference=new_id("sbx"),
            now=now,
        )
    return ledger.balances(merchant.pk)[currency]["available"]


def _expire(order: Order, now: datetime) -> None:
    if Charge.objects.on_its_way(order).exists():
        raise OrderNotPayable("A payment of this order was seen and is being confirmed.")
    for charge in order.charges.filter(status__in=[Charge.Status.PENDING]):
        _resolve(charge, ports.ChargeStatus.ABANDONED)
    with transaction.atomic():
        locked = orders.lock_order(order.pk)
        if locked.is_final:
            raise OrderNotPayable(f"The order is {locked.status} already.")
        orders.expire_order(order=locked, now=now, actor=ACTOR, reason="asked for by the merchant")


def _resolve(charge: Charge, status: ports.ChargeStatus, received: Decimal | None = None) -> None:
    try:
        control.resolve(charge.pk, status, received=received)
    except (control.NotPossible, control.UnknownCharge) as error:
        raise OrderNotPayable(f"The rail does not do this: {error}.") from error


def _charge(order: Order, method: str | None, now: datetime) -> Charge:
    """The open try of that method, or a new one by the customer of the order."""
    known = charges.open_charge(order)
    if known is not None and method in (None, known.method):
        return known
    is_coin = order.currency != money.FIAT
    method = method or (Method.CRYPTO if is_coin else order.allowed_methods[0])
    fields = dict(DEFAULT_FIELDS[Method(method)])
    if is_coin and method == Method.CRYPTO:
        fields["coin"] = order.currency
    return charges.start_charge(
        order=order,
        method=method,
        payer=charges.payer_of(order),
        fields=fields,
        return_url=order.collect_url,
        now=now,
    )


def _due(charge: Charge, amount: Decimal | None) -> Decimal:
    """`amount` of the order's currency in the currency of the charge."""
    if amount is None:
        return charge.amount - charge.received
    if charge.quote_id is None:
        return amount
    return money.quantize(charge.amount * amount / charge.covers, charge.currency)
