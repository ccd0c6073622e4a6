"""One bill is paid once by many merchants at the same instant, each on its own connection."""

from collections import Counter
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from merchants.models import Merchant
from payments.bills.models import BillPayment
from payments.core import clock
from payments.ledger import services as ledger
from payments.ledger.models import Account, Entry
from payments.outgoing import creation
from payments.providers.ports import (
    BillCheck,
    BillProduct,
    BillRequest,
    OutgoingState,
    OutgoingUpdate,
)
from payments.simulator import store
from payments.simulator.bills import SimulatorBills
from tests.support import bills as bill_requests
from tests.support.bills import FEE, FUNDS, owed, reference
from tests.support.concurrency import run_concurrently
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.outgoing_payments import refusal

pytestmark = pytest.mark.django_db(transaction=True)
CONCURRENT_REQUESTS = 16


@pytest.fixture(autouse=True)
def _quiet(settings: Any, catalogues: None) -> None:
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/m")
    settings.DOORBELL = False


@pytest.fixture
def apis(catalogues: None) -> tuple[ApiClient, ApiClient]:
    """The backends of two merchants with money."""
    found = tuple(ApiClient(MerchantFactory(name=name)) for name in ("Café Andino", "Otra Tienda"))
    for api in found:
        with transaction.atomic():
            fund(api.merchant, FUNDS)
    return found


def paying(api: ApiClient, bill: str, amount: int, key: str, **changes: Any) -> Any:
    """POST /bills/pay, to be called in any thread."""
    client = ApiClient(None, **api.headers)
    return partial(bill_requests.pay, client, bill, amount, key, **changes)


def outcomes(responses: list[Any]) -> Counter[Any]:
    for response in responses:
        assert not isinstance(response, Exception), response
    return Counter(
        (response.status_code, (response.body.get("error") or {}).get("code"))
        for response in responses
    )


def assert_charged_once(amount: int, merchants: list[Merchant]) -> BillPayment:
    payment = BillPayment.objects.get()
    assert payment.status == "COMPLETED"
    assert store.executions(payment.pk) == 1
    assert Entry.objects.filter(kind="bill_reserved").count() == 1
    assert sum(sum(balance(one)) for one in merchants) == FUNDS * len(merchants) - amount - FEE
    assert not Account.objects.filter(balance__lt=0).exists()
    assert not ledger.verify().problems
    return payment


def test_different_keys_of_two_merchants(apis: tuple[ApiClient, ApiClient]) -> None:
    bill = reference()
    (product,) = owed(apis[0], bill)
    spellings = (bill, f"{bill[:3]}-{bill[3:]}", f" {bill} ")
    acts = [
        paying(apis[n % 2], spellings[n % 3], product["amount"], f"key-{n}")
        for n in range(CONCURRENT_REQUESTS)
    ]

    found = outcomes(run_concurrently(acts))
    assert found == {(201, None): 1, (400, "NO_PENDING_BILL"): CONCURRENT_REQUESTS - 1}
    assert_charged_once(product["amount"], [api.merchant for api in apis])


def test_one_key_pays_one_bill_on_many_connections(apis: tuple[ApiClient, ApiClient]) -> None:
    """The payment with the same key is no reason to reply that nothing is owed."""
    bill, api = reference(), apis[0]
    (product,) = owed(api, bill)
    responses = run_concurrently(
        [paying(api, bill, product["amount"], "same")] * CONCURRENT_REQUESTS
    )

    assert outcomes(responses) == {(201, None): CONCURRENT_REQUESTS}
    payment = assert_charged_once(product["amount"], [api.merchant])
    assert {response.body["data"]["id"] for response in responses} == {payment.pk}
    replayed = Counter(response.headers.get("Idempotent-Replayed") for response in responses)
    assert replayed == {None: 1, "true": CONCURRENT_REQUESTS - 1}


def test_several_bills_of_one_reference_do_not_wait_for_each_other(
    apis: tuple[ApiClient, ApiClient],
) -> None:
    bill = reference("several-bills")
    acts = [
        paying(api, bill, one["amount"], f"{one['codeRecord']}-{n}", codeRecord=one["codeRecord"])
        for one in owed(apis[0], bill)
        for n, api in enumerate(apis)
    ]

    found = outcomes(run_concurrently(acts))
    assert found[(201, None)] == 3
    paid = BillPayment.objects.filter(status="COMPLETED")
    assert len({payment.code_record for payment in paid}) == 3
    assert all(store.executions(payment.pk) == 1 for payment in paid)
    refused = BillPayment.objects.exclude(status="COMPLETED")
    assert not refused.exists()


def test_paid_between_the_check_and_the_hold(
    apis: tuple[ApiClient, ApiClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rail said that it is owed; by the time we hold money another request has paid it all."""
    mine, other = apis
    bill = reference()
    (product,) = owed(mine, bill)
    check = SimulatorBills.check
    overtaken = []

    def overtaking(self: Any, *args: Any) -> Any:
        found = check(self, *args)
        if not overtaken:
            overtaken.append(1)
            assert (
                bill_requests.pay(other, bill, product["amount"], "o").body["data"]["status"]
                == "completed"
            )
        return found

    monkeypatch.setattr(SimulatorBills, "check", overtaking)
    response = bill_requests.pay(mine, bill, product["amount"], "m")

    assert refusal(response) == (400, "NO_PENDING_BILL")
    assert balance(mine.merchant) == (FUNDS, 0)
    assert_charged_once(product["amount"], [api.merchant for api in apis])


def test_the_same_key_paid_while_this_request_asked(
    apis: tuple[ApiClient, ApiClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check says that nothing is owed, because the first request with this key has paid it."""
    api, _ = apis
    bill = reference()
    (product,) = owed(api, bill)
    check, first = SimulatorBills.check, []

    def overtaking(self: Any, *args: Any) -> Any:
        if not first:
            first.append(None)
            first[0] = bill_requests.pay(api, bill, product["amount"], "same")
        return check(self, *args)

    monkeypatch.setattr(SimulatorBills, "check", overtaking)
    response = bill_requests.pay(api, bill, product["amount"], "same")

    assert response.status_code == 201
    assert response.headers["Idempotent-Replayed"] == "true"
    assert response.body == first[0].body
    assert_charged_once(product["amount"], [api.merchant])


def taking(api: ApiClient, amount: int, count: int) -> list[str]:
    """References of bills that may be paid with this amount."""
    found: list[str] = []
    while len(found) < count:
        bill = reference("amount-range")
        (product,) = owed(api, bill)
        if product["minAmount"] <= amount <= product["maxAmount"]:
            found.append(bill)
    return found


def test_a_balance_for_three_bills_pays_three(apis: tuple[ApiClient, ApiClient]) -> None:
    poor, amount = ApiClient(MerchantFactory(name="Sin Plata")), 60_000
    with transaction.atomic():
        fund(poor.merchant, 3 * (amount + FEE))
    bills = taking(poor, amount, 10)

    found = outcomes(run_concurrently([paying(poor, bill, amount, bill) for bill in bills]))
    assert found == {(201, None): 3, (400, "INSUFFICIENT_BALANCE"): 7}
    assert balance(poor.merchant) == (0, 0)
    assert not ledger.verify().problems


def test_what_is_owed_again_after_a_part_was_paid(
    apis: tuple[ApiClient, ApiClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A payment that was done before we asked is in the answer already: the rest may be paid."""
    rest = BillProduct(
        code_record="1",
        description="Cuota",
        amount=Decimal(90_000),
        min_amount=Decimal(1),
        max_amount=Decimal(90_000),
    )

    def send(_: Any, request: BillRequest, timeout: float) -> OutgoingUpdate:
        return OutgoingUpdate(
            reference=request.reference,
            provider_id="x",
            state=OutgoingState.COMPLETED,
            occurred_at=clock.now(),
        )

    monkeypatch.setattr(SimulatorBills, "check", lambda *_: BillCheck(products=(rest,)))
    monkeypatch.setattr(SimulatorBills, "send", send)
    bill = reference()
    for number in range(3):
        paid = bill_requests.pay(apis[0], bill, 30_000, f"part-{number}")
        assert paid.body["data"]["status"] == "completed"


def test_the_database_itself_keeps_a_bill_from_being_under_way_twice(
    apis: tuple[ApiClient, ApiClient],
) -> None:
    """For code that goes around the lock."""
    with bill_requests.impatient():
        payment = bill_requests.payment_of(bill_requests.pay_owed(apis[0], reference("pending")))
    payment.pk, payment.provider_reference = "bil_" + "0" * 26, "bor_" + "0" * 26
    payment.idempotency_key = "another"
    creation.begin_at_once(payment, clock.now())
    with pytest.raises(IntegrityError, match="bill_under_way_once"):
        payment.save(force_insert=True)
