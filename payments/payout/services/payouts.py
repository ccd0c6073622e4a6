"""Creates payouts after pricing them and checking them against the catalogue."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from merchants.models import Merchant
from payments.core.errors import ValidationFailed
from payments.core.text import normalised_document
from payments.outgoing import creation
from payments.outgoing.creation import PaymentRequest
from payments.outgoing.models import BalanceCurrency
from payments.payout.models import Bank, Network, Payout, PayoutMethod
from payments.payout.services import approval_rules, payout_accounts
from payments.payout.services.catalogue_reading import CatalogueReading
from payments.payout.services.engine import PRODUCT
from payments.payout.services.errors import PayoutDisabled, PayoutProviderUnavailable
from payments.rates import services as rates


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPayout:
    """The body of POST /payout. `amount` in pesos; `currency` is the balance that pays."""

    amount: Decimal
    currency: str
    recipient_name: str
    recipient_doc_type: str
    recipient_doc_number: str
    network: str
    bank: str | None
    account_type: str | None
    account_number: str | None
    key_type: str | None
    key_value: str | None
    description: str
    reference: str = ""
    # JSON text.
    metadata: str = "{}"


def create_payout(
    request: PaymentRequest[NewPayout],
    *,
    now: datetime,
    check: creation.Check[Payout] | None = None,
    reading: CatalogueReading | None = None,
    fee: Decimal | None = None,
) -> tuple[Payout, bool]:
    """Creates a payout, PENDING, and holds amount and fee in the same transaction.

    `check` runs in that transaction before the payout is saved, and may hold it back. `reading` is
    shared by the payouts of one transaction. `fee`, in pesos, was agreed on before; None: the
    tariff's. Returns it and whether it was replayed. Raises
    IdempotencyKeyReused, PayoutDisabled, PayoutProviderUnavailable, PayoutMethodNotAvailable,
    AmountAboveLimit, AmountBelowMinimum, ValidationFailed (bank), StaleRate, InsufficientBalance.
    """

    def build(versions: str | None) -> Payout:
        catalogue = reading or CatalogueReading.at(versions)
        return _build(request.merchant, request.wanted, now, catalogue, fee)

    return creation.create(PRODUCT, request, build=build, now=now, check=check)


def price(*, merchant: Merchant, wanted: NewPayout, now: datetime) -> Payout:
    """The payout as create_payout would make it, not saved. Raises the same for the request."""
    return _build(merchant, wanted, now, CatalogueReading())


def _build(
    merchant: Merchant,
    new: NewPayout,
    now: datetime,
    reading: CatalogueReading,
    fee: Decimal | None = None,
) -> Payout:
    method, bank = _check_catalogue(new, reading)
    if fee is None:
        fee = method.fee_of(new.amount)
    payout = _new_payout(fee, bank, new, now)
    payout.provider = _choose_account(merchant, payout, reading)
    payout.bank_code = payout_accounts.bank_code(payout, payout.provider)
    payout.needs_approval = approval_rules.needs_operator(merchant, payout.amount)
    payout.next_action_at = None if payout.needs_approval else now
    return payout


def _check_catalogue(new: NewPayout, reading: CatalogueReading) -> tuple[PayoutMethod, Bank | None]:
    if not reading.is_enabled:
        raise PayoutDisabled
    method = reading.method_of(new.network)
    method.check_amount(new.amount)
    if method.network != Network.BANK:
        return method, None
    bank = reading.find_bank(new.bank or "")
    if bank is None or not bank.codes:
        raise _not_a_bank()
    return method, bank


def _not_a_bank() -> ValidationFailed:
    return ValidationFailed({"bankCanonicalId": "Is not a bank of GET /payout/methods."})


def _choose_account(merchant: Merchant, payout: Payout, reading: CatalogueReading) -> str:
    """The first account of the routes that carries the network, knows the bank and responds."""
    carrying = payout_accounts.carrying(payout, merchant.pk, reading.routes)
    reaching = payout_accounts.reaching(carrying, payout)
    if carrying and not reaching:
        raise _not_a_bank()
    if not reaching or reading.routes.is_down(reaching[0]):
        raise PayoutProviderUnavailable
    return reaching[0]


def _new_payout(fee: Decimal, bank: Bank | None, new: NewPayout, now: datetime) -> Payout:
    debit, rate, spread = _price(new.amount + fee, new.currency, now)
    return Payout(
        amount=new.amount,
        fee_amount=fee,
        currency=new.currency,
        debit=debit,
        rate=rate,
        spread=spread,
        recipient_name=new.recipient_name,
        recipient_doc_type=new.recipient_doc_type,
        recipient_doc_number=new.recipient_doc_number,
        recipient_document=normalised_document(new.recipient_doc_number),
        network=new.network,
        bank=bank,
        account_type=(new.account_type or "") if bank else "",
        account_number=(new.account_number or "") if bank else "",
        key_type="" if bank else new.key_type or "",
        key_value="" if bank else new.key_value or "",
        description=new.description,
        reference=new.reference,
        metadata=new.metadata,
    )


def _price(
    total: Decimal, currency: str, now: datetime
) -> tuple[Decimal, Decimal | None, Decimal | None]:
    """The debit, the rate and the spread for `total` pesos."""
    if currency == BalanceCurrency.COPM:
        return total, None, None
    quote = rates.payout_quote(amount_cop=total, currency=currency, now=now)
    return quote.debit, quote.rate, quote.spread
