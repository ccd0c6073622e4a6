"""Bill payments are checked at the rail, reserved, and paid inside the request."""

import hashlib
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.conf import settings
from django.db import connection
from django.db.models import Q, QuerySet

from merchants.models import Merchant
from payments.bills.models import Agreement, BillPayment, BillTerms
from payments.bills.services import agreements, debts
from payments.bills.services.engine import PRODUCT, PROVIDERS, engine
from payments.bills.services.errors import BillPaymentNotEnabled, BillsSwitchedOff, NoPendingBill
from payments.core.catalogue_versions import KeptRows
from payments.core.request_clock import RequestClock
from payments.core.text import normalised_document
from payments.outgoing import creation
from payments.outgoing.creation import PaymentRequest
from payments.outgoing.errors import RailUnavailable
from payments.outgoing.models import OPEN
from payments.providers import breaker, ports

# The check may use this part of the request's time. The payment gets the rest.
CHECK_SHARE = 0.5
# None while bill payments are switched off.
_kept_terms: KeptRows[BillTerms | None] = KeptRows(
    lambda: BillTerms.objects.filter(is_enabled=True).first()
)


def check_enabled(merchant: Merchant) -> None:
    """Raises BillPaymentNotEnabled (contract, Bill payments)."""
    if not merchant.bills_enabled:
        raise BillPaymentNotEnabled


def check_bill(*, agreement_id: int, reference: str) -> tuple[Agreement, ports.BillCheck]:
    """What is owed on a reference. Charges nothing. Raises ValidationFailed, RailUnavailable."""
    agreement = agreements.find_agreement(agreement_id)
    return agreement, debts.check_debt(agreement, reference, settings.OUTGOING_BUDGET_SECONDS)


@dataclass(frozen=True, slots=True, kw_only=True)
class NewBillPayment:
    """The body of POST /bills/pay. `amount` in pesos."""

    agreement_id: int
    bill_reference: str
    code_record: str | None
    amount: int


def pay_bill(request: PaymentRequest[NewBillPayment], *, now: datetime) -> tuple[BillPayment, bool]:
    """Queries the debt again, holds amount and fee, and calls the rail.

    Returns the payment and whether it was replayed. It is PROCESSING if the rail did not respond
    within OUTGOING_BUDGET_SECONDS. Raises IdempotencyKeyReused, BillsSwitchedOff, RailUnavailable,
    ValidationFailed (agreement), AmountAboveLimit, AmountBelowMinimum, NoPendingBill,
    BillSelectionRequired, BillChanged, InsufficientBalance.
    """
    clock = RequestClock(now)
    attempt = _Attempt(request.wanted, clock)
    payment, is_replayed = creation.create(
        PRODUCT, request, build=attempt.build, check=attempt.claim, now=now
    )
    if not is_replayed:
        engine.call_in_request(payment, clock)
    return payment, is_replayed


class _Attempt:
    """One request to pay, with the payments of the bill that were completed before the rail was
    queried.
    """

    def __init__(self, new: NewBillPayment, clock: RequestClock) -> None:
        self.new = new
        self.clock = clock
        self.completed_before: set[str] = set()

    def build(self, versions: str | None) -> BillPayment:
        """The payment, priced and not saved. Raises all refusals that come before the hold."""
        new, amount = self.new, Decimal(self.new.amount)
        terms = _kept_terms.at(versions)
        if terms is None:
            raise BillsSwitchedOff
        agreement = agreements.find_agreement(new.agreement_id)
        terms.check_amount(amount, "amountCop")
        if breaker.is_open(PRODUCT.circuit(PROVIDERS.configured_code)):
            raise RailUnavailable
        bill_key = normalised_document(new.bill_reference)
        self.completed_before = set(_completed(agreement, bill_key))
        timeout = settings.OUTGOING_BUDGET_SECONDS * CHECK_SHARE
        debt = debts.check_debt(agreement, new.bill_reference, timeout)
        bill = debts.select_bill(debt, new.code_record, amount)
        payment = BillPayment(
            agreement=agreement,
            agreement_name=agreement.name,
            agreement_code=agreements.code_of(agreement),
            bill_reference=new.bill_reference,
            bill_key=bill_key,
            code_record=bill.code_record,
            provider=PROVIDERS.configured_code,
        )
        payment.set_price(amount, terms.fee_of(amount))
        creation.begin_at_once(payment, self.clock.now())
        return payment

    def claim(self, payment: BillPayment) -> None:
        """Runs in the transaction of the hold, so that a bill is paid once. Raises NoPendingBill.

        The rail's report may be old: another payment that is under way, or was completed after the
        query, may have paid the reported debt.
        """
        _lock_bill(payment)
        others = BillPayment.objects.filter(
            # By the rail's code: two agreements may be one biller of the rail.
            provider=payment.provider,
            agreement_code=payment.agreement_code,
            bill_key=payment.bill_key,
            code_record=payment.code_record,
        )
        just_paid = Q(status=BillPayment.Status.COMPLETED) & ~Q(pk__in=self.completed_before)
        if others.filter(Q(status__in=OPEN) | just_paid).exists():
            raise NoPendingBill


def _completed(agreement: Agreement, bill_key: str) -> QuerySet[BillPayment, str]:
    code = agreements.code_of(agreement)
    rows = BillPayment.objects.filter(
        provider=PROVIDERS.configured_code, agreement_code=code, bill_key=bill_key
    )
    return rows.filter(status=BillPayment.Status.COMPLETED).values_list("pk", flat=True)


def _lock_bill(payment: BillPayment) -> None:
    """Lets one payment of a bill at a time go on, of any merchant, until the transaction ends.

    There is no row to lock: the payment that has to wait is not written yet.
    """
    biller = (payment.provider, payment.agreement_code)
    bill = "\0".join(("bill", *biller, payment.bill_key, payment.code_record))
    number = int.from_bytes(hashlib.sha256(bill.encode()).digest()[:8], "big", signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
