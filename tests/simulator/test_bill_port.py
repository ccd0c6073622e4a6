"""The contract of BillPort, held against the simulator: what is owed, and paying it."""

import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from threading import Barrier

import pytest

from payments.core import ids
from payments.providers.ports import Known, OutgoingReason, OutgoingState, ProviderRefused
from payments.simulator import control, fake_billers, store
from tests.simulator.conftest import bill

TIMEOUT = 5
THREADS = 8
PENDING_BILL = "9999003014"


def check(port, request):
    return port.check(request.agreement_code, request.bill_reference, TIMEOUT)


def executions(request):
    return store.executions(request.payment_id)


def another(request, **changes):
    """The same bill, paid by another payer."""
    mine = {"reference": ids.new_id("bor"), "payment_id": ids.new_id("bil")}
    return replace(request, **{**mine, **changes})


def refusal(port, request):
    with pytest.raises(ProviderRefused) as refused:
        port.send(request, TIMEOUT)
    assert port.query(Known(reference=request.reference)).state is OutgoingState.UNKNOWN
    assert executions(request) == 0
    return refused.value.reason


def test_bill_that_is_owed_is_paid_at_once_with_an_authorization(bill_port, arrived_outgoing):
    (owed,) = bill_port.check("1001", "55512345", TIMEOUT).products
    assert 20_000 <= owed.amount <= 200_000
    assert owed.amount == owed.amount.to_integral_value()
    assert (owed.min_amount, owed.max_amount) == (None, None)
    request = bill(code_record=owed.code_record, amount=owed.amount)
    update = bill_port.send(request, TIMEOUT)
    assert (update.state, update.amount) == (OutgoingState.COMPLETED, owed.amount)
    assert re.fullmatch(r"[0-9]{6}", update.authorization)
    assert update.provider_id.startswith("simbi_")
    assert bill_port.query(Known(reference=request.reference)) == update
    assert executions(request) == 1
    assert arrived_outgoing == []


def test_a_paid_bill_is_owed_no_more(bill_port):
    request = bill()
    bill_port.send(request, TIMEOUT)
    answer = check(bill_port, request)
    assert (answer.products, answer.supplier_message) == ((), fake_billers.NOTHING_OWED)


def test_checking_is_repeatable_and_writes_nothing(bill_port):
    first = bill_port.check("1001", "55512345", TIMEOUT)
    assert bill_port.check("1001", "55512345", TIMEOUT) == first
    assert first.supplier_message == ""
    assert store.outgoing.all() == []


def test_bills_differ_by_agreement_and_reference(bill_port):
    places = [(agreement, str(number)) for agreement in ("1001", "1002") for number in range(50)]
    owed = [bill_port.check(*place, TIMEOUT).products for place in places]
    assert {len(products) for products in owed} == {1}
    assert len({products[0].code_record for products in owed}) == len(places)
    assert len({products[0].amount for products in owed}) > len(places) // 2


def test_spaces_and_dashes_are_not_part_of_a_reference(bill_port):
    bill_port.send(bill(bill_reference="555-123 45"), TIMEOUT)
    assert bill_port.check("1001", "55512345", TIMEOUT).products == ()


@pytest.mark.parametrize(("agreement", "reference"), [("", "555"), ("1001", ""), ("1001", " - ")])
def test_what_the_biller_does_not_know_is_an_answer(bill_port, agreement, reference):
    answer = bill_port.check(agreement, reference, TIMEOUT)
    assert (answer.products, answer.supplier_message) == ((), fake_billers.UNKNOWN)


def test_the_same_reference_is_one_payment(bill_port):
    request = bill()
    first = bill_port.send(request, TIMEOUT)
    assert bill_port.send(request, TIMEOUT) == first
    assert bill_port.send(replace(request, amount=Decimal(1), code_record="0"), TIMEOUT) == first
    assert executions(request) == 1


def test_a_bill_is_paid_under_one_reference(bill_port):
    request = bill()
    bill_port.send(request, TIMEOUT)
    assert refusal(bill_port, another(request)) == OutgoingReason.NOT_OWED


def test_a_bill_that_is_being_paid_is_owed_but_taken(bill_port):
    request = bill(bill_reference=PENDING_BILL)
    assert bill_port.send(request, TIMEOUT).state is OutgoingState.PENDING
    assert len(check(bill_port, request).products) == 1
    assert refusal(bill_port, another(request)) == OutgoingReason.NOT_OWED


@pytest.mark.parametrize("end", [OutgoingState.FAILED, OutgoingState.RETURNED])
def test_what_failed_or_came_back_is_owed_again(bill_port, arrived_outgoing, end):
    request = bill(bill_reference=PENDING_BILL)
    bill_port.send(request, TIMEOUT)
    assert control.resolve(request.reference, end) == 200
    assert [(update.state, update.authorization) for update in arrived_outgoing] == [(end, "")]
    assert len(check(bill_port, request).products) == 1
    assert bill_port.send(another(request), TIMEOUT).state is OutgoingState.PENDING


def test_eight_pay_the_same_bill_and_one_is_taken(bill_port):
    request, barrier = bill(), Barrier(THREADS)

    def pay(_):
        barrier.wait()
        try:
            return bill_port.send(another(request), TIMEOUT).state
        except ProviderRefused as error:
            return error.reason

    with ThreadPoolExecutor(THREADS) as pool:
        answers = list(pool.map(pay, range(THREADS)))
    assert answers.count(OutgoingState.COMPLETED) == 1
    assert answers.count(OutgoingReason.NOT_OWED) == THREADS - 1
    assert sum(store.executions_by_payment().values()) == 1


@pytest.mark.parametrize("code_record", ["", "000000000000"])
def test_what_is_not_owed_is_refused(bill_port, code_record):
    assert refusal(bill_port, bill(code_record=code_record)) == OutgoingReason.NOT_OWED


@pytest.mark.parametrize("difference", [-1, 1])
def test_another_amount_is_refused(bill_port, difference):
    request = bill(amount=bill().amount + difference)
    assert refusal(bill_port, request) == OutgoingReason.AMOUNT_NOT_ACCEPTED


@pytest.mark.parametrize("amount", [0, -1])
def test_nothing_is_no_payment(bill_port, amount):
    assert refusal(bill_port, bill(amount=Decimal(amount))) == OutgoingReason.INVALID_REQUEST
