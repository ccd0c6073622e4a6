"""A payer's choice becomes a charge: one attempt to pay the order over a rail.

Three steps: commit the intent, call, commit the result. Only the middle one uses the network
(charge_initiation.py). Later updates: charge_updates.py.
"""

import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext_noop as _

from merchants.models import Method
from payments.collect.models import Charge, Order
from payments.collect.services.charges import (
    charge_initiation,
    payer_facts,
    payin_accounts,
    reconciliation,
)
from payments.collect.services.errors import MethodNotAvailable, OrderNotPayable
from payments.collect.services.orders.lookup import check_not_over, lock_order, missing_amount
from payments.core import money
from payments.core.request_clock import RequestClock
from payments.providers import ports
from payments.rails.services import wire_references
from payments.rates import services as rates


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Empty where a shop's server starts the charge."""

    ip: str = ""
    user_agent: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PaymentChoice:
    """How a payer wants to pay, and the fields that the payer filled in.

    direct         the provider's own method (contract, Direct API); None: one of the page's three.
    is_new_charge  a charge of its own, whatever is open (contract, Collections, rule 3).
    accepted       the documents of the rail that the payer accepted.
    client         the payer's browser.
    account        the account whose banks and documents the payer saw; empty: any that serves.
    """

    method: str
    payer: ports.Payer
    fields: Mapping[str, str]
    return_url: str
    direct: ports.DirectMethod | None = None
    is_new_charge: bool = False
    accepted: tuple[ports.Term, ...] = ()
    client: Client = Client()
    account: str = ""

    @property
    def direct_method(self) -> str:
        return self.direct.key if self.direct else ""

    @property
    def flow(self) -> ports.Flow:
        if self.direct:
            return self.direct.flow
        return ports.Flow.REDIRECT if self.method == Method.PSE else ports.Flow.INSTRUCTIONS

    def is_of(self, charge: Charge) -> bool:
        return (
            (charge.method, charge.direct_method) == (self.method, self.direct_method)
            and charge.fields == dict(self.fields)
            and charge.payer == payer_facts.as_record(self.payer)
            and (charge.return_url == self.return_url or not self.is_new_charge)
        )


def start_charge(*, order: Order, choice: PaymentChoice, now: datetime) -> Charge:
    """Starts a charge, or returns the open charge of the same choice: a double click pays once.

    `is_new_charge` starts another one, unless the start of the last one is in doubt: then that
    start is repeated. Raises OrderNotPayable, MethodNotAvailable, TermsNotAccepted,
    PayerFactsMissing, ChargeRefused, ProviderUnavailable.
    """
    clock = RequestClock(now)
    _query_open_debits(order, choice, now)
    method = choice.direct_method or choice.method
    account = choice.account or payin_accounts.choose_account(
        order, method, choice.payer, [term.url for term in choice.accepted], choice.fields
    )
    now = clock.now()  # The queries take time, and the call begins now.
    charge, is_new = _commit_intent(order.pk, choice, account, now)
    if charge.status != Charge.Status.STARTING:
        return charge
    return charge_initiation.start_at_provider(charge=charge, now=clock.now(), is_first=is_new)


def get_open_charge(order: Order) -> Charge | None:
    charges = order.charges.filter(status__in=Charge.OPEN)
    return charges.order_by("-created_at", "-id").first()


def payer_of(order: Order) -> ports.Payer:
    """The customer that the merchant named, or that filled in the form of a payment link."""
    return ports.Payer(
        name=order.customer_name,
        email=order.customer_email,
        phone=order.customer_phone,
        document_type=order.customer_doc_type,
        document_number=order.customer_document,
    )


@transaction.atomic
def _commit_intent(
    order_id: str, choice: PaymentChoice, account: str, now: datetime
) -> tuple[Charge, bool]:
    order = lock_order(order_id)
    _check_open(order, choice.method, now)
    known = _find_same_choice(order, choice, now)
    if known is not None:
        return known, False
    _check_no_money_on_its_way(order, choice)
    if not account:
        raise MethodNotAvailable
    missing = missing_amount(order)
    charge = Charge(
        order=order,
        method=choice.method,
        direct_method=choice.direct_method,
        flow=choice.flow,
        provider=account,
        currency=order.currency,
        amount=missing,
        covers=missing,
        payer=payer_facts.as_record(choice.payer),
        fields=dict(choice.fields),
        return_url=choice.return_url,
        client=_recorded_client(choice),
        accepted_terms=_recorded_acceptance(choice, now),
        created_at=now,
        last_started_at=now,
        is_being_started=True,
        # Later than the end of the call, because the provider may not know the charge before.
        reconcile_at=now + timedelta(seconds=settings.CHARGE_SETTLING_SECONDS),
    )
    charge.wire_reference = wire_references.allocate(account=account, reference=charge.pk, now=now)
    if choice.method == Method.CRYPTO:
        _quote(charge, order, choice.fields["coin"], now)
    charge.save(force_insert=True)
    return charge, True


def _recorded_client(choice: PaymentChoice) -> dict[str, str]:
    return {name: value for name, value in asdict(choice.client).items() if value}


def _recorded_acceptance(choice: PaymentChoice, now: datetime) -> dict[str, object]:
    """A document's URL names its version."""
    documents = [{"label": str(term.label), "url": term.url} for term in choice.accepted]
    if not documents:
        return {}
    return {"at": now.isoformat(), "ip": choice.client.ip, "documents": documents}


def _check_open(order: Order, method: str, now: datetime) -> None:
    check_not_over(order, now)
    if method not in order.allowed_methods:
        raise MethodNotAvailable(
            _("%(method)s is not a method of the order. Its methods: %(allowed)s."),
            values={"method": method, "allowed": ", ".join(order.allowed_methods)},
        )
    if order.currency != money.FIAT and method != Method.CRYPTO:
        raise MethodNotAvailable(f"An order in {order.currency} is paid in coins.")


def _check_no_money_on_its_way(order: Order, choice: PaymentChoice) -> None:
    if not choice.flow.is_debit and Charge.objects.at_bank(order).exists():
        raise OrderNotPayable("A payment of this order is being authorised.")
    if Charge.objects.on_its_way(order).exists():
        raise OrderNotPayable("A payment of this order was seen and is being confirmed.")
    if order.charges.count() >= settings.COLLECT_MAX_CHARGES:
        raise OrderNotPayable("This order was tried too often. Ask the shop for a new one.")


def _query_open_debits(order: Order, choice: PaymentChoice, now: datetime) -> None:
    """Queries the rail about open debits before another charge starts.

    The debits may be paid already. It does not query before a second debit on our own page,
    because the return from the bank has queried. It does not query when a doubtful start is
    repeated.
    """
    is_again = choice.is_new_charge and _find_same_choice(order, choice, now) is not None
    if is_again or (choice.flow.is_debit and not choice.is_new_charge):
        return
    # Newest first. All queries together may take the time of one call, because the payer is
    # waiting.
    deadline = time.monotonic() + settings.PROVIDER_TIMEOUT_SECONDS
    for charge in Charge.objects.at_bank(order).order_by("-created_at", "-id"):
        reconciliation.query_provider(charge=charge, now=now)
        if time.monotonic() >= deadline:
            break


def _find_same_choice(order: Order, choice: PaymentChoice, now: datetime) -> Charge | None:
    charge = get_open_charge(order)
    if charge is None or not choice.is_of(charge):
        return None
    if choice.is_new_charge and charge.status != Charge.Status.STARTING:
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
