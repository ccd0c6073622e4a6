"""POST /bills/pay and the reads: the rows of the contract on paying bills, from the outside."""

from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.bills.models import Agreement, BillPayment, BillTerms
from payments.core import clock
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.providers import breaker
from payments.simulator import store
from tests.contract.answers import assert_refused
from tests.support import bills
from tests.support.bills import FEE, FUNDS, body_of, owed, pay, pay_owed, payment_of, reference
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import balance, fund
from tests.support.outgoing_payments import refusal


@pytest.fixture(autouse=True)
def funds(merchant: Merchant) -> None:
    fund(merchant, FUNDS)


def test_bill_is_paid_from_the_balance_with_a_ticket(api: ApiClient, merchant: Merchant) -> None:
    bill = reference()
    (product,) = owed(api, bill)
    response = pay(api, bill, product["amount"], codeRecord=product["codeRecord"])

    payment = payment_of(response)
    amount, ticket = product["amount"], response.body["data"].pop("ticket")
    assert response.body["data"] == {
        "id": payment.pk,
        "status": "completed",
        "amountCop": amount,
        "feeCop": FEE,
        "totalCop": amount + FEE,
        "reference": payment.provider_reference,
        "agreementId": bills.AGREEMENT,
        "agreementName": bills.NAME,
        "billReference": bill,
        "codeRecord": product["codeRecord"],
        "failureReason": None,
        "createdAt": clock.iso(payment.created_at),
        "completedAt": clock.iso(payment.completed_at),
    }
    assert ticket == {
        "number": payment.provider_id,
        "authorization": payment.authorization,
        "provider": "simulator",
        "issuedAt": clock.iso(payment.completed_at),
        "agreement": bills.NAME,
        "reference": bill,
        "amountCop": amount,
        "legend": "Pago de factura realizado. Conserve este comprobante.",
    }
    assert len(ticket["authorization"]) == 6
    assert payment.pk.startswith("bil_")
    assert "Idempotent-Replayed" not in response.headers
    assert balance(merchant) == (FUNDS - amount - FEE, 0)
    assert store.executions(payment.pk) == 1
    assert not ledger.verify().problems


def test_bill_payment_is_posted_with_its_fee(api: ApiClient) -> None:
    payment = payment_of(pay_owed(api, reference()))
    kinds = Entry.objects.filter(subject_id=payment.pk).values_list("kind", flat=True)
    assert sorted(kinds) == ["bill_completed", "bill_reserved"]
    entry = Entry.objects.get(subject_id=payment.pk, kind="bill_completed")
    lines = {posting.account.kind: posting.amount for posting in entry.postings.all()}
    assert lines["fees"] == FEE
    assert lines["clearing"] == payment.amount


class TestSelection:
    def test_a_single_bill_needs_no_code(self, api: ApiClient) -> None:
        assert pay_owed(api, reference()).status_code == 201

    def test_of_several_one_must_be_chosen(self, api: ApiClient, merchant: Merchant) -> None:
        bill = reference("several-bills")
        products = owed(api, bill)
        response = pay(api, bill, products[0]["amount"])

        assert refusal(response) == (400, "BILL_SELECTION_REQUIRED")
        assert response.body["error"]["details"] == {"field": "codeRecord", "products": products}
        assert balance(merchant) == (FUNDS, 0)

    def test_each_of_several_is_paid_once(self, api: ApiClient) -> None:
        bill = reference("several-bills")
        for left in (3, 2, 1):
            product, *others = owed(api, bill)
            assert len(others) == left - 1
            paid = pay(api, bill, product["amount"], codeRecord=product["codeRecord"])
            assert paid.body["data"]["status"] == "completed"
        assert owed(api, bill) == []

    def test_a_code_that_is_not_owed(self, api: ApiClient) -> None:
        bill = reference()
        (product,) = owed(api, bill)
        response = pay(api, bill, product["amount"], codeRecord="000000000000")

        assert refusal(response) == (400, "BILL_CHANGED")
        assert response.body["error"]["details"] == {"field": "codeRecord", "products": [product]}

    def test_one_of_several_that_was_paid(self, api: ApiClient) -> None:
        bill = reference("several-bills")
        paid, *others = owed(api, bill)
        pay(api, bill, paid["amount"], codeRecord=paid["codeRecord"])
        response = pay(api, bill, paid["amount"], codeRecord=paid["codeRecord"])

        assert refusal(response) == (400, "BILL_CHANGED")
        assert response.body["error"]["details"]["products"] == others


class TestAmount:
    @pytest.mark.parametrize("difference", [-1, 1])
    def test_another_amount_than_owed(
        self, api: ApiClient, merchant: Merchant, difference: int
    ) -> None:
        bill = reference()
        (product,) = owed(api, bill)
        response = pay(api, bill, product["amount"] + difference)

        assert refusal(response) == (400, "BILL_CHANGED")
        assert response.body["error"]["details"] == {"field": "amountCop", "products": [product]}
        assert balance(merchant) == (FUNDS, 0)
        assert not BillPayment.objects.exists()

    def test_the_debt_changed_since_the_check(self, api: ApiClient) -> None:
        """The service checks the debt freshly before charging (contract)."""
        bill = reference("changed")
        (seen,) = owed(api, bill)
        response = pay(api, bill, seen["amount"], "k-1")

        assert refusal(response) == (400, "BILL_CHANGED")
        (fresh,) = response.body["error"]["details"]["products"]
        assert fresh["amount"] != seen["amount"]
        assert pay(api, bill, fresh["amount"], "k-1").body["data"]["status"] == "completed"

    @pytest.mark.parametrize("which", ["minAmount", "maxAmount", "amount"])
    def test_amount_within_the_range_is_paid(self, api: ApiClient, which: str) -> None:
        bill = reference("amount-range")
        (product,) = owed(api, bill)
        response = pay(api, bill, int(product[which]))

        assert response.body["data"]["status"] == "completed"
        assert response.body["data"]["amountCop"] == int(product[which])

    def test_amount_outside_the_range_is_refused(self, api: ApiClient, merchant: Merchant) -> None:
        bill = reference("amount-range")
        (product,) = owed(api, bill)
        low = pay(api, bill, int(product["minAmount"]) - 1)
        high = pay(api, bill, int(product["maxAmount"]) + 1)

        assert refusal(low) == (400, "AMOUNT_BELOW_MINIMUM")
        assert low.body["error"]["details"] == {"field": "amountCop", "min": product["minAmount"]}
        assert refusal(high) == (400, "AMOUNT_ABOVE_LIMIT")
        assert high.body["error"]["details"] == {"field": "amountCop", "max": product["maxAmount"]}
        assert balance(merchant) == (FUNDS, 0)

    def test_the_limits_themselves_are_taken(self, api: ApiClient) -> None:
        for name in ("max_amount", "min_amount"):
            BillTerms.objects.update(min_amount=None, max_amount=10_000_000)
            bill = reference()
            (product,) = owed(api, bill)
            BillTerms.objects.update(**{name: product["amount"]})
            assert pay(api, bill, product["amount"]).status_code == 201

    def test_amount_above_the_cap_is_refused(self, api: ApiClient) -> None:
        response = pay(api, reference(), 10_000_001)
        assert refusal(response) == (400, "AMOUNT_ABOVE_LIMIT")
        assert response.body["error"]["details"] == {"field": "amountCop", "max": 10_000_000}

    def test_terms_are_a_row(self, api: ApiClient) -> None:
        BillTerms.objects.update(
            fee_flat=100, fee_rate=Decimal("0.01"), min_amount=20_000, max_amount=300_000
        )
        bill = reference()
        (product,) = owed(api, bill)
        expected = 100 + int((Decimal(product["amount"]) / 100).quantize(1, "ROUND_HALF_UP"))
        assert pay(api, bill, product["amount"]).body["data"]["feeCop"] == expected
        low = pay(api, bill, 19_999)
        assert refusal(low) == (400, "AMOUNT_BELOW_MINIMUM")
        assert low.body["error"]["details"]["min"] == 20_000
        assert refusal(pay(api, bill, 300_001)) == (400, "AMOUNT_ABOVE_LIMIT")


@pytest.mark.parametrize("magic", ["nothing-owed", "expired", "unknown-reference"])
def test_reference_without_debt_is_refused(api: ApiClient, merchant: Merchant, magic: str) -> None:
    response = pay(api, reference(magic), 50_000)

    assert refusal(response) == (400, "NO_PENDING_BILL")
    assert response.body["error"]["details"]["supplierMessage"]
    assert balance(merchant) == (FUNDS, 0)


def test_a_bill_that_was_paid(api: ApiClient, merchant: Merchant) -> None:
    bill = reference()
    amount = payment_of(pay_owed(api, bill)).amount
    assert refusal(pay(api, bill, int(amount))) == (400, "NO_PENDING_BILL")
    assert balance(merchant) == (FUNDS - amount - FEE, 0)


class TestEnablement:
    def test_merchant_without_enablement_is_refused(self, api: ApiClient) -> None:
        Merchant.objects.update(bills_enabled=False)
        for response in (pay(api, reference(), 1), api.post("/bills/pay", b"{nonsense")):
            assert_refused(response, 503, "BILL_PAYMENT_NOT_ENABLED")
            assert "Retry-After" not in response.headers

    def test_enablement_is_checked_before_the_idempotency_key(self, api: ApiClient) -> None:
        Merchant.objects.update(bills_enabled=False)
        assert_refused(api.post("/bills/pay", {}), 503, "BILL_PAYMENT_NOT_ENABLED")

    def test_reads_need_no_enablement(self, api: ApiClient) -> None:
        payment = payment_of(pay_owed(api, reference()))
        Merchant.objects.update(bills_enabled=False)
        assert api.get(f"/bills/payments/{payment.pk}").status_code == 200
        assert len(api.get("/bills/payments").body["data"]) == 1

    def test_switched_off_for_all(self, api: ApiClient) -> None:
        BillTerms.objects.update(is_enabled=False)
        response = pay(api, reference(), 50_000)
        assert_refused(response, 503, "SERVICE_UNAVAILABLE")
        assert response.headers["Retry-After"]

    def test_payment_without_terms_is_503(self, api: ApiClient) -> None:
        BillTerms.objects.all().delete()
        assert refusal(pay(api, reference(), 50_000)) == (503, "SERVICE_UNAVAILABLE")

    def test_payment_of_a_bill_needs_credentials(self, anonymous: ApiClient) -> None:
        assert_refused(pay(anonymous, "1", 1), 401, "MISSING_CREDENTIALS")


class TestIdempotency:
    def test_a_key_is_required(self, api: ApiClient) -> None:
        bill = reference()
        for body in (body_of(bill, 1), {}, {"amountCop": "x"}):
            assert_refused(api.post("/bills/pay", body), 400, "IDEMPOTENCY_KEY_REQUIRED")

    def test_idempotency_key_may_come_in_the_body(self, api: ApiClient, merchant: Merchant) -> None:
        bill = reference()
        (product,) = owed(api, bill)
        body = body_of(bill, product["amount"], idempotencyKey="k-1")
        first, again = api.post("/bills/pay", body), pay(api, bill, product["amount"], "k-1")

        assert first.status_code == again.status_code == 201
        assert first.body == again.body
        assert again.headers["Idempotent-Replayed"] == "true"
        assert BillPayment.objects.count() == 1
        assert balance(merchant) == (FUNDS - product["amount"] - FEE, 0)

    def test_header_and_body_must_agree(self, api: ApiClient) -> None:
        bill = reference()
        response = pay(api, bill, 1, "a", idempotencyKey="b")
        assert_refused(response, 400, "VALIDATION_ERROR", "idempotencyKey")
        (product,) = owed(api, bill)
        same = pay(api, bill, product["amount"], "a", idempotencyKey="a")
        assert same.status_code == 201

    @pytest.mark.parametrize("key", ["", " ", "ñ", "x" * 256, "a b", 5, True, None, [], {}])
    def test_malformed_key_is_refused(self, api: ApiClient, key: Any) -> None:
        response = api.post("/bills/pay", {**body_of(reference(), 1), "idempotencyKey": key})
        code = "VALIDATION_ERROR" if key else "IDEMPOTENCY_KEY_REQUIRED"
        assert refusal(response) == (400, code)

    def test_a_replay_needs_no_rail(self, api: ApiClient, settings: Any) -> None:
        """The resource as it stands now, also after debt, switch and catalogue have changed."""
        bill = reference()
        (product,) = owed(api, bill)
        first = pay(api, bill, product["amount"], "k-1")
        BillTerms.objects.update(is_enabled=False)
        Agreement.objects.update(is_enabled=False, name="Another")
        settings.BILLS_PROVIDER = ""

        again = pay(api, bill, product["amount"], "k-1")
        assert again.status_code == 201
        assert again.body == first.body

    @pytest.mark.parametrize(
        "change",
        [{"amountCop": 5}, {"reference": "another"}, {"agreementId": 1002}, {"codeRecord": "1"}],
    )
    def test_another_request_is_refused(self, api: ApiClient, change: dict[str, Any]) -> None:
        bill = reference()
        (product,) = owed(api, bill)
        pay(api, bill, product["amount"], "k-1")
        body = {**body_of(bill, product["amount"]), **change}
        response = api.post("/bills/pay", body, headers={"Idempotency-Key": "k-1"})

        assert refusal(response) == (400, "IDEMPOTENCY_KEY_REUSED")
        assert BillPayment.objects.count() == 1

    def test_keys_of_two_merchants_do_not_meet(
        self, api: ApiClient, stranger_api: ApiClient, stranger: Merchant
    ) -> None:
        fund(stranger, FUNDS)
        mine, theirs = (payment_of(pay_owed(who, reference(), "k")) for who in (api, stranger_api))
        assert mine.pk != theirs.pk

    def test_a_key_of_a_payout_is_another(self, api: ApiClient) -> None:
        api.post("/payout", payout_body(), headers={"Idempotency-Key": "k"})
        assert pay_owed(api, reference(), "k").status_code == 201


class TestARefusalBurnsNothing:
    """A refusal before anything was held leaves the key as it was."""

    def test_key_is_free_again_after_a_refusal_for_funds(
        self, api: ApiClient, stranger_api: ApiClient, stranger: Merchant
    ) -> None:
        bill = reference()
        (product,) = owed(stranger_api, bill)
        fund(stranger, product["amount"] + FEE - 1)  # the amount is there, the fee is not
        refused = pay(stranger_api, bill, product["amount"], "k-1")

        assert refusal(refused) == (400, "INSUFFICIENT_BALANCE")
        assert refused.body["error"]["details"] == {
            "required": product["amount"] + FEE,
            "available": product["amount"] + FEE - 1,
        }
        assert not BillPayment.objects.exists()
        fund(stranger, 1)
        assert pay(stranger_api, bill, product["amount"], "k-1").status_code == 201
        assert balance(stranger) == (0, 0)

    def test_merchant_without_balance_cannot_pay_a_bill(self, stranger_api: ApiClient) -> None:
        response = pay_owed(stranger_api, reference())
        assert refusal(response) == (400, "INSUFFICIENT_BALANCE")
        assert response.body["error"]["details"]["available"] == 0

    def test_key_is_free_again_after_a_refusal_for_the_choice(self, api: ApiClient) -> None:
        bill = reference("several-bills")
        product = owed(api, bill)[1]
        refused = pay(api, bill, product["amount"], "k-1")
        assert refusal(refused) == (400, "BILL_SELECTION_REQUIRED")
        chosen = pay(api, bill, product["amount"], "k-1", codeRecord=product["codeRecord"])
        assert chosen.status_code == 201

    def test_key_is_free_again_after_a_refusal_for_the_amount(self, api: ApiClient) -> None:
        bill = reference()
        (product,) = owed(api, bill)
        assert pay(api, bill, 1, "k-1").status_code == 400
        assert pay(api, bill, product["amount"], "k-1").status_code == 201

    def test_key_is_free_again_after_a_refusal_for_the_rail(self, api: ApiClient) -> None:
        with bills.impatient():
            for magic in ("check-unavailable", "check-slow"):
                response = pay(api, reference(magic), 50_000, "k-1")
                assert_refused(response, 503, "SERVICE_UNAVAILABLE")
                assert response.headers["Retry-After"]
        assert pay_owed(api, reference(), "k-1").status_code == 201

    def test_open_circuit_refuses_before_money_is_held(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        bill = reference()
        (product,) = owed(api, bill)
        for _ in range(5):
            breaker.record("bill:simulator", False)
        response = pay(api, bill, product["amount"], "k-1")
        assert_refused(response, 503, "SERVICE_UNAVAILABLE")
        assert response.headers["Retry-After"]
        assert balance(merchant) == (FUNDS, 0)
        breaker.record("bill:simulator", True)
        assert pay(api, bill, product["amount"], "k-1").status_code == 201

    def test_payment_without_a_configured_provider_is_503(
        self, api: ApiClient, settings: Any
    ) -> None:
        settings.BILLS_PROVIDER = ""
        Agreement.objects.update(codes={"": "1"})
        assert_refused(pay(api, reference(), 50_000), 503, "SERVICE_UNAVAILABLE")
