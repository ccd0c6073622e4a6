"""One key is one request: whatever field the second differs in, it is refused (docs/gaps.md, F1).

The fields are those of the serializers. A field, or an operation with a key, that comes later fails
here until this file has another value of it.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from django.http import HttpResponse

from payments.api import idempotency
from payments.api.component_names import component_name
from payments.api.reference.document import document
from payments.bills.api import BillPay
from payments.bills.models import BillPayment
from payments.collect.api.orders import OrderCreate
from payments.collect.api.refunds import RefundCreate
from payments.collect.models import Order, Refund
from payments.links.api import Ask, LinkCreate
from payments.links.models import PaymentLink
from payments.payout.api import NEEDED, PayoutCreate
from payments.payout.models import Network, Payout
from payments.payout_batches.api import PayoutBatchCreate, PayoutBatchLineCreate
from payments.payout_batches.models import PayoutBatch
from payments.topup.api import TopupCreate
from payments.topup.models import TopUp
from tests.support import bills
from tests.support.factories import key_payout_body, order_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.outgoing_payments import refusal
from tests.support.refunds import paid
from tests.support.topups import topup_body
from tests.webhooks.conftest import publish
from webhooks.endpoint_api import WebhookEndpointCreate, WebhookResend, WebhookSecretRotate
from webhooks.endpoint_models import Endpoint, EndpointRequest

# The key itself is no part of what is asked.
NOT_ASKED = {"idempotencyKey"}
FUNDS = 5_000_000


@dataclass(frozen=True, slots=True)
class Operation:
    """A POST that takes a key.

    first   path and body of the first request.
    others  another value of each field; it is valid beside the rest of the body.
    """

    create: Any
    model: Any
    first: Callable[[ApiClient, str], tuple[str, dict[str, Any]]]
    others: dict[str, Any]

    @property
    def fields(self) -> list[str]:
        """Those of the request that a caller may set."""
        return sorted(set(self.create().fields) - NOT_ASKED)


def _order(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    return "/collect", order_body()


def _payout(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    """A field that only one network needs is changed in a payout over that network."""
    to_key = key_payout_body(key_type="ID", key_value="3001234567")
    whole = {**to_key, **payout_body()}
    return "/payout", {**whole, "network": "BREB"} if field in NEEDED[Network.BREB] else whole


def _topup(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    return "/topup", topup_body()


def _bill(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    bill = bills.reference()
    (product,) = bills.owed(api, bill)
    whole = bills.body_of(bill, product["amount"], codeRecord=product["codeRecord"])
    return "/bills/pay", whole


def _refund(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    return f"/collect/{paid(api).pk}/refunds", {"amount": 1000, "reason": "Cold"}


def _link(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    """Bounds are for a link whose payer chooses the amount."""
    amount = None if field in ("minAmount", "maxAmount") else 50000
    return "/links", {"title": "Café de Nariño", "amount": amount}


def _endpoint(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    return "/webhook-endpoints", {"url": "https://tienda.example/h", "events": ["payment.failed"]}


def _rotation(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    path, body = _endpoint(api, field)
    return f"{path}/{api.post(path, body).body['data']['id']}/rotate-secret", {}


def _resend(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    """One event, or a range."""
    path = "/webhook-endpoints"
    path = f"{path}/{api.get(path).body['data'][0]['id']}/resend"
    if field == "eventId":
        return path, {"eventId": _event(api)}
    return path, {"from": "2026-01-02T00:00:00Z", "to": "2026-01-03T00:00:00Z"}


def _event(api: ApiClient) -> str:
    assert api.merchant is not None
    return publish(api.merchant).pk


def _batch(api: ApiClient, field: str) -> tuple[str, dict[str, Any]]:
    return "/payout/batches", {"lines": [payout_body()]}


OPERATIONS = {
    "order": Operation(
        OrderCreate,
        Order,
        _order,
        {
            "reference": "OTRA-1",
            "amount": 50001,
            "currency": "USDT",
            "description": "Café de Huila",
            "customerName": "María Fernanda Núñez",
            "customerEmail": "otra@example.com",
            "customerDocType": "CE",
            "customerDocNumber": "1.020.304.051",
            "expirationMinutes": 61,
            "callbackUrl": "https://tienda.example/otra",
            "allowedMethods": ["PSE"],
            "metadata": {"caja": 2},
        },
    ),
    "payout": Operation(
        PayoutCreate,
        Payout,
        _payout,
        {
            "amount": 100001,
            "currency": "USDT",
            "recipientName": "Juana Pérez",
            "recipientDocType": "CE",
            "recipientDocNumber": "79.123.457",
            "network": "BREB",
            "bankCanonicalId": "davivienda",
            "accountType": "CHECKING",
            "accountNumber": "12345678902",
            "keyType": "PHONE",
            "keyValue": "3001234568",
            "description": "Prima",
            "reference": "NOMINA-8",
            "metadata": {"lote": 2},
        },
    ),
    "topup": Operation(
        TopupCreate,
        TopUp,
        _topup,
        {"phone": "3001234568", "operatorCode": "tigo", "amountCop": 20001},
    ),
    "bill": Operation(
        BillPay,
        BillPayment,
        _bill,
        {"agreementId": 1002, "reference": "99", "codeRecord": "7", "amountCop": 20001},
    ),
    "refund": Operation(RefundCreate, Refund, _refund, {"amount": 1001, "reason": "Late"}),
    "link": Operation(
        LinkCreate,
        PaymentLink,
        _link,
        {
            "title": "Café de Huila",
            "description": "Molido, 500 g",
            "amount": 50001,
            "minAmount": 2000,
            "maxAmount": 90000,
            "currency": "USDT",
            "ask": {"phone": "REQUIRED"},
            "fields": [{"label": "Mesa"}],
            "maxUses": 30,
            "stock": 20,
            "expiresAt": "2099-12-31T23:59:59.000Z",
            "callbackUrl": "https://tienda.example/otra",
        },
    ),
    "batch": Operation(
        PayoutBatchCreate,
        PayoutBatch,
        _batch,
        {
            "name": "Prima",
            "currency": "USDT",
            "lines": [payout_body(), payout_body(reference="N-2")],
        },
    ),
    "endpoint": Operation(
        WebhookEndpointCreate,
        Endpoint,
        _endpoint,
        {
            "url": "https://otra.example/h",
            "events": ["payment.completed"],
            "description": "Otra",
            "enabled": False,
        },
    ),
    "rotation": Operation(
        WebhookSecretRotate,
        EndpointRequest,
        _rotation,
        {"overlapHours": 1, "contractSignature": "NEW"},
    ),
    "resend": Operation(
        WebhookResend,
        EndpointRequest,
        _resend,
        {
            "eventId": "evt_00000000000000000000000001",
            "from": "2026-01-01T00:00:00Z",
            "to": "2026-01-04T00:00:00Z",
            "onlyMissing": False,
        },
    ),
}


EACH_FIELD = [(name, field) for name, each in OPERATIONS.items() for field in each.fields]


@pytest.fixture
def funded(api: ApiClient) -> ApiClient:
    """Café Andino can pay all of them, in pesos and in USDT."""
    assert api.merchant is not None
    fund(api.merchant, FUNDS)
    fund(api.merchant, FUNDS, "USDT")
    return api


def send(api: ApiClient, path: str, body: dict[str, Any]) -> HttpResponse:
    return api.post(path, body, headers={idempotency.HEADER: "same"})


@pytest.mark.parametrize(("name", "field"), EACH_FIELD)
def test_a_key_with_another_value_of_any_field_is_refused(
    funded: ApiClient, name: str, field: str
) -> None:
    operation = OPERATIONS[name]
    assert field in operation.others, f"Say above how another {field} of a {name} looks."
    path, body = operation.first(funded, field)
    first = send(funded, path, body)
    assert first.status_code == 201, first.content
    before = operation.model.objects.count()

    another = {**body, field: operation.others[field]}
    assert another != body
    # Or else a refusal of the value would pass for one of the key.
    assert operation.create(data=another).is_valid()
    assert refusal(send(funded, path, another)) == (400, "IDEMPOTENCY_KEY_REUSED")
    # What made them differ is that field, and neither is the first request spoilt.
    again = send(funded, path, body)
    assert (again.status_code, again.headers["Idempotent-Replayed"]) == (201, "true")
    assert operation.model.objects.count() == before


@pytest.mark.parametrize("field", sorted(set(PayoutBatchLineCreate().fields)))
def test_a_key_with_another_value_of_any_field_of_a_line_is_refused(
    funded: ApiClient, field: str
) -> None:
    others = {**OPERATIONS["payout"].others, "reference": "N-2"}
    _path, line = _payout(funded, field)
    assert send(funded, "/payout/batches", {"lines": [line]}).status_code == 201

    another = {**line, field: others[field]}
    assert PayoutBatchLineCreate(data=another).is_valid()
    answer = send(funded, "/payout/batches", {"lines": [another]})
    assert refusal(answer) == (400, "IDEMPOTENCY_KEY_REUSED")


@pytest.mark.parametrize("name", Ask().fields)
def test_a_key_with_another_question_to_the_payer_is_refused(funded: ApiClient, name: str) -> None:
    path, body = _link(funded, "ask")
    assert send(funded, path, body).status_code == 201
    answer = send(funded, path, {**body, "ask": {name: "OPTIONAL"}})
    assert refusal(answer) == (400, "IDEMPOTENCY_KEY_REUSED")


def test_a_refund_of_another_order_is_another_request(funded: ApiClient) -> None:
    path, body = _refund(funded, "")
    other, _ = _refund(funded, "")
    assert send(funded, path, body).status_code == 201
    assert refusal(send(funded, other, body)) == (400, "IDEMPOTENCY_KEY_REUSED")


def test_every_operation_that_takes_a_key_is_among_these() -> None:
    found = set()
    for methods in document()["paths"].values():
        for operation in methods.values():
            taken = {parameter["name"] for parameter in operation.get("parameters", [])}
            if idempotency.HEADER in taken:
                content = operation["requestBody"]["content"]["application/json"]
                found.add(content["schema"]["$ref"].rpartition("/")[2])
    known = {component_name(operation.create.__name__) for operation in OPERATIONS.values()}
    assert found == {f"{name}Request" for name in known}
