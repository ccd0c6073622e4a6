"""One bill is paid once, whoever asks, at the same instant and on connections of their own."""

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
from payments.providers.simulator import outgoing_books
from payments.providers.simulator.bills import SimulatorBills
from tests.bills import scene
from tests.bills.scene import FEE, FUNDS, owed, reference
from tests.factories import MerchantFactory
from tests.faults.crowd import at_once
from tests.fixtures import ApiClient
from tests.funds import balance, fund
from tests.outgoing.stories import refusal

pytestmark = pytest.mark.django_db(transaction=True)
CROWD = 16


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
    return partial(scene.pay, client, bill, amount, key, **changes)


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
    assert outgoing_books.executions(payment.pk) == 1
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
        paying(apis[n % 2], spellings[n % 3], product["amount"], f"key-{n}") for n in range(CROWD)
    ]

    found = outcomes(at_once(acts))
    assert found == {(201, None): 1, (400, "NO_PENDING_BILL"): CROWD - 1}
    assert_charged_once(product["amount"], [api.merchant for api in apis])


def test_one_key_pays_one_bill_on_many_connections(apis: tuple[ApiClient, ApiClient]) -> None:
    """Nobody is told that nothing is owed because of the payment with the very same key."""
    bill, api = reference(), apis[0]
    (product,) = owed(api, bill)
    responses = at_once([paying(api, bill, product["amount"], "same")] * CROWD)

    assert outcomes(responses) == {(201, None): CROWD}
    payment = assert_charged_once(product["amount"], [api.merchant])
    assert {response.body["data"]["id"] for response in responses} == {payment.pk}
    replayed = Counter(response.headers.get("Idempotent-Replayed") for response in responses)
    assert replayed == {None: 1, "true": CROWD - 1}


def test_several_bills_of_one_reference_do_not_wait_for_each_other(
    apis: tuple[ApiClient, ApiClient],
) -> None:
    bill = reference("several-bills")
    acts = [
        paying(api, bill, one["amount"], f"{one['codeRecord']}-{n}", codeRecord=one["codeRecord"])
        for one in owed(apis[0], bill)
        for n, api in enumerate(apis)
    ]

    found = outcomes(at_once(acts))
    assert found[(201, None)] == 3
    paid = BillPayment.objects.filter(status="COMPLETED")
    assert len({payment.code_record for payment in paid}) == 3
    assert all(outgoing_books.executions(payment.pk) == 1 for payment in paid)
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
                scene.pay(other, bill, product["amount"], "o").body["data"]["status"] == "completed"
            )
        return found

    monkeypatch.setattr(SimulatorBills, "check", overtaking)
    response = scene.pay(mine, bill, product["amount"], "m")

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
            first[0] = scene.pay(api, bill, product["amount"], "same")
        return check(self, *args)

    monkeypatch.setattr(SimulatorBills, "check", overtaking)
    response = scene.pay(api, bill, product["amount"], "same")

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

    found = outcomes(at_once([paying(poor, bill, amount, bill) for bill in bills]))
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
        paid = scene.pay(apis[0], bill, 30_000, f"part-{number}")
        assert paid.body["data"]["status"] == "completed"


def test_the_database_itself_keeps_a_bill_from_being_under_way_twice(
    apis: tuple[ApiClient, ApiClient],
) -> None:
    """For whoever goes around the lock."""
    with scene.impatient():
        payment = scene.payment_of(scene.pay_owed(apis[0], reference("pending")))
    payment.pk, payment.provider_reference = "bil_" + "0" * 26, "bor_" + "0" * 26
    payment.idempotency_key = "another"
    creation.begin_at_once(payment, clock.now())
    with pytest.raises(IntegrityError, match="bill_under_way_once"):
        payment.save(force_insert=True)
