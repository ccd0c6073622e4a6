"""The rows of the contract on the Direct API: methods, charges, refusals."""

import json
import re
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge, Order
from payments.core import clock
from payments.providers import ports
from payments.simulator.payin import SimulatorPayin
from tests.contract.answers import assert_refused
from tests.contract.openapi_document import (
    Document,
    request_schema,
    schema_of,
    validate,
)
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
# Contract, Direct API method descriptor and charge.
DESCRIPTOR = {"method", "label", "uiType", "currency", "minAmount", "requiredFields"}
FLOWS = {"pse": "redirect", "bank_redirect": "redirect", "push_wallet": "push", "breb_key": "key"}
FIELDS = {
    "pse": {"bankCode": "1007", "personType": "NATURAL"},
    "push_wallet": {"phone": "300 123 4567"},
}
ABSENT = "col_00000000000000000000000000"


def create(api: ApiClient, **changes: Any) -> str:
    response = api.post("/collect", order_body(**changes))
    assert response.status_code == 201, response.content
    return str(response.body["data"]["id"])


def body(method: str, **changes: Any) -> dict[str, Any]:
    return {"method": method, "fields": FIELDS.get(method, {}), **changes}


def pay(api: ApiClient, order_id: str, method: str = "pse", **changes: Any) -> Any:
    return api.post(f"/collect/{order_id}/pay", body(method, **changes))


def methods(api: ApiClient, order_id: str) -> list[str]:
    answer = api.get(f"/collect/{order_id}/methods")
    assert answer.status_code == 200, answer.content
    return [row["method"] for row in answer.body["data"]]


# --- Methods ----------------------------------------------------------------------------------
def test_merchant_pays_by_each_offered_method_with_its_required_fields(api: ApiClient) -> None:
    """A shop that knows nothing but the contract pays by each method that is offered."""
    order_id = create(api)
    offered = api.get(f"/collect/{order_id}/methods")
    assert offered.status_code == 200
    assert offered.body["success"] is True
    assert [row["method"] for row in offered.body["data"]] == list(FLOWS)
    for row in offered.body["data"]:
        filled_in = {
            field["key"]: field["options"][0]["value"] if "options" in field else "3001234567"
            for field in row["requiredFields"]
            if field["required"]
        }
        answer = api.post(
            f"/collect/{create(api)}/pay", {"method": row["method"], "fields": filled_in}
        )
        assert answer.status_code == 200, answer.content
        assert answer.body["data"]["flow"] == FLOWS[row["method"]]


def test_a_method_has_the_fields_of_the_contract(api: ApiClient) -> None:
    rows = api.get(f"/collect/{create(api)}/methods").body["data"]
    for row in rows:
        assert row.keys() == DESCRIPTOR
        assert row["uiType"] == ("webview" if FLOWS[row["method"]] == "redirect" else "push")
        assert row["currency"] == "COP"
        assert isinstance(row["minAmount"], int)
        assert isinstance(row["label"], str)
        for field in row["requiredFields"]:
            assert field.keys() - {"options"} == {"key", "type", "label", "required"}
            assert isinstance(field["required"], bool)
            assert ("options" in field) == (field["type"] in ("bankSelect", "select"))
            for option in field.get("options", []):
                assert option.keys() == {"value", "label"}
    kinds = {field["type"] for row in rows for field in row["requiredFields"]}
    assert kinds >= {"bankSelect", "phone"}


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"allowedMethods": ["PSE"]}, ["pse", "bank_redirect"]),
        ({"allowedMethods": ["BANK_TRANSFER"]}, ["push_wallet", "breb_key"]),
        ({"allowedMethods": ["CRYPTO"]}, []),
        ({"amount": 1000}, ["pse", "push_wallet", "breb_key"]),
        ({"amount": 4998}, list(FLOWS)),  # the payer pays the fee of 2 on top
        ({"amount": 4997}, ["pse", "push_wallet", "breb_key"]),
        ({"currency": "USDT"}, []),
    ],
)
def test_an_order_is_offered_what_can_pay_it(
    api: ApiClient, changes: dict[str, Any], expected: list[str]
) -> None:
    order_id = create(api, **changes)
    assert methods(api, order_id) == expected
    for method in set(FLOWS) - set(expected):
        assert_refused(pay(api, order_id, method), 400, "METHOD_NOT_AVAILABLE")
    assert not Charge.objects.exists()


@pytest.mark.parametrize("status", ["COMPLETED", "FAILED", "EXPIRED"])
def test_an_order_that_is_over_is_offered_nothing(api: ApiClient, status: str) -> None:
    order_id = create(api)
    api.post(f"/sandbox/collect/{order_id}", {"status": status})
    assert methods(api, order_id) == []
    assert_refused(pay(api, order_id), 400, "ORDER_NOT_PAYABLE")


def test_past_the_deadline_nothing_is_offered(api: ApiClient) -> None:
    order_id = create(api)
    Order.objects.update(expires_at=clock.now() - timedelta(seconds=1))
    assert methods(api, order_id) == []
    assert_refused(pay(api, order_id), 400, "ORDER_NOT_PAYABLE")


# --- Charges ----------------------------------------------------------------------------------
@pytest.mark.parametrize("method", FLOWS)
def test_a_charge_has_the_fields_of_the_contract(api: ApiClient, method: str) -> None:
    answer = pay(api, create(api), method)
    assert answer.status_code == 200, answer.content
    data = answer.body["data"]
    charge = Charge.objects.get()
    always = {"paymentUrl", "transactionId", "method", "flow"}
    assert data.keys() == (always | {"keyValue", "expiresAt"} if method == "breb_key" else always)
    assert data["transactionId"] == charge.provider_id
    assert (data["method"], data["flow"]) == (method, FLOWS[method])
    if data["flow"] == "redirect":
        assert urlsplit(data["paymentUrl"]).path == f"/simulator/bank/{charge.provider_id}"
    else:
        assert data["paymentUrl"] is None
    if data["flow"] == "key":
        assert data["keyValue"] == charge.key_value
        assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", data["expiresAt"])


@pytest.mark.parametrize(
    ("method", "status", "selected"),
    [
        ("pse", "PROCESSING", "PSE"),
        ("bank_redirect", "PROCESSING", "PSE"),
        ("push_wallet", "PROCESSING", "BANK_TRANSFER"),
        ("breb_key", "WAITING_TRANSFER", "BANK_TRANSFER"),
    ],
)
def test_the_order_keeps_to_the_contracts_three_methods(
    api: ApiClient, method: str, status: str, selected: str
) -> None:
    order_id = create(api)
    pay(api, order_id, method)
    order = api.get(f"/collect/{order_id}").body["data"]
    assert (order["status"], order["selectedMethod"]) == (status, selected)


@pytest.mark.parametrize("method", FLOWS)
def test_a_retry_is_a_new_charge(api: ApiClient, method: str) -> None:
    """Contract, Collections, rule 3."""
    order_id = create(api)
    first, second = (pay(api, order_id, method).body["data"] for _ in range(2))
    assert first["transactionId"] != second["transactionId"]
    assert Charge.objects.count() == 2


# --- Refusals ---------------------------------------------------------------------------------
def test_without_enablement_everything_is_503(api: ApiClient) -> None:
    """Before the order is looked for or the body is read, and without a promise to come back."""
    order_id = create(api)
    Merchant.objects.update(direct_api_enabled=False)
    for answer in (
        api.get(f"/collect/{order_id}/methods"),
        api.get(f"/collect/{ABSENT}/methods"),
        pay(api, order_id),
        pay(api, ABSENT),
        api.post(f"/collect/{order_id}/pay", {}),
    ):
        assert_refused(answer, 503, "DIRECT_API_NOT_ENABLED")
        assert "Retry-After" not in answer.headers
        assert "X-RateLimit-Limit" in answer.headers


def test_missing_credentials_are_refused_before_anything_else(
    anonymous: ApiClient, api: ApiClient
) -> None:
    order_id = create(api)
    Merchant.objects.update(direct_api_enabled=False)
    assert_refused(anonymous.get(f"/collect/{order_id}/methods"), 401, "MISSING_CREDENTIALS")
    assert_refused(pay(anonymous, order_id), 401, "MISSING_CREDENTIALS")


def test_an_absent_order_and_a_strangers_are_the_same_404(
    api: ApiClient, stranger_api: ApiClient
) -> None:
    order_id = create(api)
    for other in (ABSENT, "nothing", order_id):
        assert_refused(stranger_api.get(f"/collect/{other}/methods"), 404, "ORDER_NOT_FOUND")
        assert_refused(pay(stranger_api, other), 404, "ORDER_NOT_FOUND")
        assert_refused(stranger_api.post(f"/collect/{other}/pay", {}), 404, "ORDER_NOT_FOUND")


def test_a_method_that_no_merchant_has(api: ApiClient) -> None:
    order_id = create(api)
    for method in ("nequi", "PSE", "x" * 60, "😀"):
        assert_refused(pay(api, order_id, method), 400, "METHOD_NOT_AVAILABLE")


@pytest.mark.parametrize("method", ["push_wallet", "breb_key"])
def test_only_a_redirect_leads_back(api: ApiClient, method: str) -> None:
    order_id = create(api)
    answer = pay(api, order_id, method, returnUrl="https://tienda.example/volver")
    assert_refused(answer, 400, "VALIDATION_ERROR", "returnUrl")
    assert pay(api, order_id, method, returnUrl=None).status_code == 200
    assert Charge.objects.get().return_url == ""


def test_a_redirect_leads_where_the_shop_says_else_to_our_page(api: ApiClient) -> None:
    order_id = create(api)
    url = "https://tienda.example/volver?pedido=7#fin"
    pay(api, order_id, returnUrl=url)
    pay(api, order_id)
    order = Order.objects.get()
    charges = order.charges.order_by("created_at")
    assert [charge.return_url for charge in charges] == [url, f"{order.collect_url}/return"]


def test_the_payer_is_the_customer_unless_the_shop_knows_better(api: ApiClient) -> None:
    order_id = create(api)
    customer = {
        "name": "María Fernanda Ñáñez",
        "email": "maria@example.com",
        "phone": "",
        "document_type": "CC",
        "document_number": "1020304050",
    }
    other = {
        "name": "Tienda Ltda.",
        "email": "caja@tienda.example",
        "phone": "+57 (310) 555-1234",
        "docType": "NIT",
        "docNumber": "890.903.938-8",
    }
    expected = {
        "name": "Tienda Ltda.",
        "email": "caja@tienda.example",
        "phone": "+573105551234",
        "document_type": "NIT",
        "document_number": "8909039388",
    }
    for given, kept in (
        ({}, customer),
        ({"payer": None}, customer),
        ({"payer": {}}, customer),
        ({"payer": {"name": "", "email": "", "phone": ""}}, customer),
        ({"payer": {"name": "Luz"}}, {**customer, "name": "Luz"}),
        ({"payer": other}, expected),
    ):
        assert pay(api, order_id, **given).status_code == 200
        assert Charge.objects.latest("created_at").payer == kept


def test_a_provider_that_is_away_is_503(api: ApiClient, monkeypatch: pytest.MonkeyPatch) -> None:
    order_id = create(api)

    def away(port: SimulatorPayin) -> None:
        raise ports.ProviderUnreachable("away")

    monkeypatch.setattr(SimulatorPayin, "direct_methods", away)
    for answer in (api.get(f"/collect/{order_id}/methods"), pay(api, order_id)):
        assert_refused(answer, 503, "SERVICE_UNAVAILABLE")
        assert int(answer.headers["Retry-After"]) > 0


@pytest.mark.parametrize(
    ("document_number", "status", "code"),
    [
        ("9999000002", 400, "CHARGE_REFUSED"),
        ("9999000005", 503, "SERVICE_UNAVAILABLE"),
        ("9999000006", 503, "SERVICE_UNAVAILABLE"),
        ("9999000007", 503, "SERVICE_UNAVAILABLE"),
    ],
)
@pytest.mark.parametrize("method", FLOWS)
def test_a_start_that_fails_leaves_the_order_as_it_was(
    api: ApiClient, method: str, document_number: str, status: int, code: str
) -> None:
    order_id = create(api, customerDocNumber=document_number)
    assert_refused(pay(api, order_id, method), status, code)
    assert api.get(f"/collect/{order_id}").body["data"]["status"] == "PENDING"


def test_only_get_and_post(api: ApiClient) -> None:
    order_id = create(api)
    for method, path in (("POST", "methods"), ("GET", "pay"), ("PUT", "pay"), ("DELETE", "pay")):
        answer = api.call(method, f"/collect/{order_id}/{path}")
        assert_refused(answer, 405, "METHOD_NOT_ALLOWED")


# --- The document -----------------------------------------------------------------------------
def test_what_is_answered_is_what_is_promised(api: ApiClient, document: Document) -> None:
    order_id = create(api)
    answer = json.loads(api.get(f"/collect/{order_id}/methods").content)
    validate(answer, schema_of(document, "get", "/collect/{id}/methods", "200"))
    for method in FLOWS:
        answer = json.loads(pay(api, create(api), method).content)
        validate(answer, schema_of(document, "post", "/collect/{id}/pay", "200"))
        schema = request_schema(document, "/collect/{id}/pay")
        validate(body(method, payer={"name": "Luz"}), schema)
        validate({**body(method), "payer": None, "returnUrl": None}, schema)
