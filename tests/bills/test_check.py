"""POST /bills/check: what is owed, as the rail says; nothing is charged (contract, Bills)."""

import time
from typing import Any

import pytest

from merchants.models import Merchant
from payments.bills.models import Agreement, BillPayment
from payments.ledger.models import Entry
from payments.providers import breaker
from payments.providers.ports import BillCheck, ProviderTimeout
from payments.simulator.bills import SimulatorBills
from tests.contract.answers import assert_refused
from tests.support import bills
from tests.support.bills import ask, owed, pay_owed, reference
from tests.support.fixtures import ApiClient
from tests.support.funds import fund


def test_check_returns_the_debt_and_charges_nothing(api: ApiClient) -> None:
    bill = reference()
    response = ask(api, bill)

    assert response.status_code == 200
    data = response.body["data"]
    (product,) = data.pop("products")
    assert data == {
        "agreementId": bills.AGREEMENT,
        "agreementName": bills.NAME,
        "supplierMessage": None,
    }
    assert product.keys() == {"codeRecord", "description", "amount", "minAmount", "maxAmount"}
    assert isinstance(product["codeRecord"], str)
    assert 20_000 <= product["amount"] <= 200_000
    assert (product["minAmount"], product["maxAmount"]) == (None, None)
    assert owed(api, bill) == [product]
    assert not BillPayment.objects.exists()
    assert not Entry.objects.exists()


def test_check_returns_several_bills_of_one_reference(api: ApiClient) -> None:
    products = owed(api, reference("several-bills"))
    assert len({product["codeRecord"] for product in products}) == 3


def test_check_returns_the_range_of_an_open_amount(api: ApiClient) -> None:
    (product,) = owed(api, reference("amount-range"))
    assert product["minAmount"] < product["amount"] < product["maxAmount"]


@pytest.mark.parametrize("magic", ["nothing-owed", "expired", "unknown-reference"])
def test_nothing_to_pay_comes_with_the_billers_words(api: ApiClient, magic: str) -> None:
    data = ask(api, reference(magic)).body["data"]
    assert data["products"] == []
    assert data["supplierMessage"]


def test_nothing_to_pay_and_a_biller_of_no_words(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SimulatorBills, "check", lambda *_: BillCheck(products=()))
    data = ask(api, reference()).body["data"]
    assert (data["products"], bool(data["supplierMessage"])) == ([], True)


def test_after_it_was_paid_nothing_is_owed(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, bills.FUNDS)
    bill = reference()
    assert pay_owed(api, bill).status_code == 201

    data = ask(api, bill).body["data"]
    assert (data["products"], bool(data["supplierMessage"])) == ([], True)


def test_check_of_a_bill_needs_no_enablement(api: ApiClient) -> None:
    Merchant.objects.update(bills_enabled=False)
    assert ask(api, reference()).status_code == 200


def test_check_of_a_bill_needs_credentials(anonymous: ApiClient) -> None:
    assert_refused(ask(anonymous, "1"), 401, "MISSING_CREDENTIALS")


@pytest.mark.parametrize("magic", ["check-unavailable", "check-slow"])
def test_a_biller_that_does_not_answer(api: ApiClient, magic: str) -> None:
    with bills.impatient():
        response = ask(api, reference(magic))

    assert_refused(response, 503, "SERVICE_UNAVAILABLE")
    assert response.headers["Retry-After"]


def test_a_silent_biller_is_left_after_the_budget(api: ApiClient, settings: Any) -> None:
    settings.OUTGOING_BUDGET_SECONDS = 1
    began = time.monotonic()
    assert ask(api, reference("check-slow")).status_code == 503
    assert 0.9 < time.monotonic() - began < 9  # without the budget: ten


def test_billers_that_never_answer_are_not_asked_for_a_while(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls = []

    def check(*_: Any) -> BillCheck:
        calls.append(1)
        raise ProviderTimeout("slow")

    monkeypatch.setattr(SimulatorBills, "check", check)
    for _ in range(8):
        assert ask(api, reference()).status_code == 503
    assert len(calls) == 5
    assert not breaker.is_open("bill:simulator")  # payments may go on


def test_check_without_a_configured_provider_is_503(api: ApiClient, settings: Any) -> None:
    settings.BILLS_PROVIDER = "acme"
    Agreement.objects.update(codes={"acme": "1"})
    assert_refused(ask(api, reference()), 503, "SERVICE_UNAVAILABLE")


@pytest.mark.parametrize("agreement", [999, 2**31, 2**63 - 1])
def test_an_agreement_that_is_not_there(api: ApiClient, agreement: int) -> None:
    assert_refused(ask(api, "1", agreement), 400, "VALIDATION_ERROR", "agreementId")


def test_an_agreement_that_cannot_be_paid(api: ApiClient) -> None:
    Agreement.objects.filter(pk=bills.AGREEMENT).update(is_enabled=False)
    assert_refused(ask(api, "1"), 400, "VALIDATION_ERROR", "agreementId")
    Agreement.objects.filter(pk=bills.AGREEMENT).update(is_enabled=True, codes={})
    assert_refused(ask(api, "1"), 400, "VALIDATION_ERROR", "agreementId")
