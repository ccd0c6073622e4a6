"""A payer's choice becomes a charge: one try to pay the order over a rail.

Three steps: commit the intent, call, commit the answer. Only the middle one touches the network
(starting.py). What comes of it is in outcomes.py.
"""

from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime, timedelta
from decimal import Decimal

from django.conf import settings
from django.db import transaction

from merchants.models import Method
from payments.collect.models import Charge, Order
from payments.collect.services import reconcile, starting
from payments.collect.services.errors import MethodNotAvailable, OrderNotPayable
from payments.collect.services.orders import lock_order
from payments.collect.services.unmatched import credited_so_far
from payments.core import money
from payments.providers import ports
from payments.rates import services as rates


def start_charge(
    *,
    order: Order,
    method: str,
    payer: ports.Payer,
    fields: Mapping[str, str],
    return_url: str,
    now: datetime,
) -> Charge:
    """Starts a payment at the provider and shows the payer where to go.

    The same choice again while a try is open answers that try: a double click pays once.
    Raises OrderNotPayable, MethodNotAvailable, ChargeRefused, ProviderUnavailable.
    """
    _refuse_second_payer(order, method, now)
    charge, is_new = _commit_intent(order.pk, method, payer, fields, return_url, now)
    if charge.status != Charge.Status.STARTING:
        return charge
    return starting.call_provider(charge=charge, now=now, is_first=is_new)


def open_charge(order: Order) -> Charge | None:
    """The newest try that can still turn into money, or None."""
    charges = order.charges.filter(status__in=Charge.OPEN)
    return charges.order_by("-created_at", "-id").first()


def missing_amount(order: Order) -> Decimal:
    """What still has to arrive, in the order's currency."""
    return max(order.amount - credited_so_far(order), Decimal(0))


def payer_of(order: Order) -> ports.Payer:
    """The customer that the merchant named, who usually is who pays."""
    return ports.Payer(
        name=order.customer_name,
        email=order.customer_email,
        phone="",
        document_type=order.customer_doc_type,
        document_number=order.customer_document,
    )


@transaction.atomic
def _commit_intent(
    order_id: str,
    method: str,
    payer: ports.Payer,
    fields: Mapping[str, str],
    return_url: str,
    now: datetime,
) -> tuple[Charge, bool]:
    order = lock_order(order_id)
    _check_open(order, method, now)
    known = _same_choice(order, method, payer, fields, now)
    if known is not None:
        return known, False
    _check_no_money_on_its_way(order, method)
    missing = missing_amount(order)
    charge = Charge(
        order=order,
        method=method,
        provider=settings.PAYIN_PROVIDER,
        currency=order.currency,
        amount=missing,
        covers=missing,
        payer=asdict(payer),
        fields=dict(fields),
        return_url=return_url,
        created_at=now,
        # Not while the call may still be under way: an honest "unknown" would be premature.
        reconcile_at=now + timedelta(seconds=settings.CHARGE_SETTLING_SECONDS),
    )
    if method == Method.CRYPTO:
        _quote(charge, order, fields["coin"], now)
    charge.save(force_insert=True)
    return charge, True


def _check_open(order: Order, method: str, now: datetime) -> None:
    if order.is_final or order.expires_at <= now:
        raise OrderNotPayable
    if method not in order.allowed_methods:
        raise MethodNotAvailable
    if order.currency != money.FIAT and method != Method.CRYPTO:
        raise MethodNotAvailable(f"An order in {order.currency} is paid in coins.")


def _check_no_money_on_its_way(order: Order, method: str) -> None:
    if method != Method.PSE and Charge.objects.at_bank(order).exists():
        raise OrderNotPayable("A payment of this order is being authorised.")
    if Charge.objects.on_its_way(order).exists():
        raise OrderNotPayable("A payment of this order was seen and is being confirmed.")
    if order.charges.count() >= settings.COLLECT_MAX_CHARGES:
        raise OrderNotPayable("This order was tried too often. Ask the shop for a new one.")


def _refuse_second_payer(order: Order, method: str, now: datetime) -> None:
    """Before a transfer takes the place of a bank debit, the rail is asked whether that is dead."""
    if method == Method.PSE:
        return
    for charge in Charge.objects.at_bank(order):
        reconcile.ask_provider(charge=charge, now=now)


def _same_choice(
    order: Order, method: str, payer: ports.Payer, fields: Mapping[str, str], now: datetime
) -> Charge | None:
    charge = open_charge(order)
    if charge is None or charge.method != method:
        return None
    if charge.fields != dict(fields) or charge.payer != asdict(payer):
        return None
    limits = [charge.expires_at, charge.quote_expires_at]
    if any(limit is not None and limit <= now for limit in limits):
        return None
    return charge


def _quote(charge: Charge, order: Order, coin: str, now: datetime) -> None:
    if coin == order.currency:
        return
    quote = rates.quote(amount=charge.covers, currency=order.currency, pay_with=coin, now=now)
    charge.currency, charge.amount = coin, quote.amount_in
    charge.quote_id, charge.quote_expires_at = quote.pk, quote.expires_at
