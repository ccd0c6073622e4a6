"""Each row of the table of debts, as docs/simulator.md promises it."""

import time
from dataclasses import replace

import pytest

from payments.core import ids
from payments.providers.ports import (
    OutgoingReason,
    OutgoingState,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
)
from payments.simulator import failures, fake_billers, magic, store
from payments.simulator.magic import Debt, OutgoingProduct
from tests.simulator.conftest import bill

TIMEOUT = 5
SHORT = 0.05
AGREEMENT = "1001"
REFERENCES = {found.debt: str(magic.FIRST_DEBT + n) for n, found in enumerate(magic.DEBTS)}


def owed(port, debt, more=""):
    return port.check(AGREEMENT, f"{REFERENCES[debt]}{more}", TIMEOUT).products


def pay(port, debt, product, more="", **changes):
    request = bill(
        bill_reference=f"{REFERENCES[debt]}{more}",
        **{"code_record": product.code_record, "amount": product.amount, **changes},
    )
    return port.send(request, TIMEOUT)


def test_several_bills_are_paid_one_by_one(bill_port):
    products = owed(bill_port, Debt.SEVERAL)
    assert len({product.code_record for product in products}) == fake_billers.SEVERAL == 3
    for number, product in enumerate(products):
        assert owed(bill_port, Debt.SEVERAL) == products[number:]
        assert pay(bill_port, Debt.SEVERAL, product).state is OutgoingState.COMPLETED
    assert owed(bill_port, Debt.SEVERAL) == ()


@pytest.mark.parametrize(("end", "beyond"), [("min_amount", -1), ("max_amount", 1)])
def test_a_range_includes_its_ends(bill_port, end, beyond):
    (product,) = owed(bill_port, Debt.RANGE)
    assert product.min_amount < product.amount < product.max_amount
    limit = getattr(product, end)
    with pytest.raises(ProviderRefused) as refusal:
        pay(bill_port, Debt.RANGE, product, amount=limit + beyond)
    assert refusal.value.reason == OutgoingReason.AMOUNT_NOT_ACCEPTED
    assert pay(bill_port, Debt.RANGE, product, amount=limit).amount == limit
    assert owed(bill_port, Debt.RANGE) == ()


@pytest.mark.parametrize("debt", [Debt.NOTHING, Debt.EXPIRED, Debt.UNKNOWN])
def test_nothing_can_be_paid_and_the_biller_says_why(bill_port, debt):
    answer = bill_port.check(AGREEMENT, REFERENCES[debt], TIMEOUT)
    assert (answer.products, answer.supplier_message) == ((), fake_billers.MESSAGES[debt])
    request = bill(bill_reference=REFERENCES[debt], code_record="1")
    with pytest.raises(ProviderRefused) as refusal:
        bill_port.send(request, TIMEOUT)
    assert refusal.value.reason == OutgoingReason.NOT_OWED


def test_the_debt_changes_after_the_first_check(bill_port):
    (before,) = owed(bill_port, Debt.CHANGED)
    (after,) = owed(bill_port, Debt.CHANGED)
    assert after == replace(before, amount=before.amount + fake_billers.RISE)
    assert owed(bill_port, Debt.CHANGED) == (after,)
    with pytest.raises(ProviderRefused) as refusal:
        pay(bill_port, Debt.CHANGED, before)
    assert refusal.value.reason == OutgoingReason.AMOUNT_NOT_ACCEPTED
    assert pay(bill_port, Debt.CHANGED, after).state is OutgoingState.COMPLETED
    assert owed(bill_port, Debt.CHANGED) == ()


def test_debt_of_each_reference_changes_apart(bill_port):
    (first,) = owed(bill_port, Debt.CHANGED, "1")
    owed(bill_port, Debt.CHANGED, "2")
    (again,) = owed(bill_port, Debt.CHANGED, "1")
    assert again.amount == first.amount + fake_billers.RISE
    (other,) = owed(bill_port, Debt.CHANGED, "3")
    assert pay(bill_port, Debt.CHANGED, other, "3").state is OutgoingState.COMPLETED


def test_the_check_is_unavailable(bill_port):
    for _ in range(2):
        with pytest.raises(ProviderUnreachable):
            owed(bill_port, Debt.UNAVAILABLE)


def test_the_check_is_slow(bill_port):
    began = time.monotonic()
    with pytest.raises(ProviderTimeout):
        bill_port.check(AGREEMENT, REFERENCES[Debt.SLOW], SHORT)
    assert SHORT <= time.monotonic() - began < TIMEOUT


def test_a_wait_can_be_ended(bill_port, monkeypatch):
    monkeypatch.setattr(failures, "released", failures.threading.Event())
    failures.released.set()
    began = time.monotonic()
    with pytest.raises(ProviderTimeout):
        owed(bill_port, Debt.SLOW)
    assert time.monotonic() - began < TIMEOUT


@pytest.mark.parametrize("debt", [Debt.SEVERAL, Debt.RANGE, Debt.CHANGED])
def test_what_follows_the_ten_digits_is_another_bill(bill_port, debt):
    first, second = owed(bill_port, debt), owed(bill_port, debt, "-2")
    assert len(first) == len(second)
    assert {one.code_record for one in first}.isdisjoint(one.code_record for one in second)
    pay(bill_port, debt, first[0])
    assert len(owed(bill_port, debt, "-2")) == len(second)


def test_ordinary_references_are_not_disturbed(bill_port):
    for reference in ("999900310", "1999900310", "A9999003101"):
        assert magic.for_outgoing(OutgoingProduct.BILL, reference).debt is Debt.ORDINARY
        assert len(bill_port.check(AGREEMENT, reference, TIMEOUT).products) == 1


def test_another_agreement_has_other_debts(bill_port):
    (product,) = owed(bill_port, Debt.RANGE)
    pay(bill_port, Debt.RANGE, product)
    assert len(bill_port.check("1002", REFERENCES[Debt.RANGE], TIMEOUT).products) == 1
    assert len(store.outgoing.at(OutgoingProduct.BILL, AGREEMENT, REFERENCES[Debt.RANGE])) == 1


def test_an_answer_is_lost_for_any_reference_of_its_row(bill_port):
    request = bill(bill_reference=f"9999003004-{ids.new_id('x')}")
    with pytest.raises(ProviderTimeout):
        bill_port.send(request, TIMEOUT)
    assert store.executions(request.payment_id) == 1
