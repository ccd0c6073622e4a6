"""Every operation of the API in the order of the reference, with an example that runs.

Products declare their own parts (payments.core.products).
"""

from collections.abc import Mapping

from django.utils.module_loading import import_string

from payments.api.reference.parts import KEY_ERRORS, Example, Part
from payments.core.products import products

_CREATE = "createCollection"
_ORDER = {"id": "<ORDER_ID>"}
_LINK = {"id": "<LINK_ID>"}
# Four pixels a side.
_PICTURE = (
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAEElEQVR4nGM4IaAHRwzEcQCzoxBhZVk9nQAAAABJRU5E"
    "rkJggg=="
)
_SETTLEMENT = {"id": "<SETTLEMENT_ID>"}
_ENDPOINT = {"id": "<ENDPOINT_ID>"}
_JANUARY = {"from": "2026-01-01", "to": "2026-01-31", "currency": "COPM"}
_ABSENT_ORDER = ("ORDER_NOT_FOUND",)

COLLECTIONS = Part(
    "Collections",
    "Create an order, send the payer to its collectUrl, and wait for the signed webhook: only it "
    "confirms a payment. The payer pays the fee on top; you receive the whole amount.",
    (
        Example(
            _CREATE,
            status=201,
            body={
                "reference": "<REFERENCE>",
                "amount": 50000,
                "description": "Café de Nariño, 2 libras",
                "customerName": "María Gómez",
                "customerEmail": "maria@example.com",
                "customerDocType": "CC",
                "customerDocNumber": "1020304050",
                "metadata": {"cart": "A-7"},
            },
            sets={"REFERENCE": "PEDIDO-<now>"},
            idempotency_key="order-<REFERENCE>",
            gives={"ORDER_ID": "data.id"},
            errors=("INVALID_API_KEY", "IDEMPOTENCY_KEY_REUSED"),
        ),
        Example("getCollection", path=_ORDER, needs=(_CREATE,), errors=_ABSENT_ORDER),
        Example(
            "listCollections",
            query={"status": "PENDING", "limit": "2"},
            needs=(_CREATE,),
        ),
        Example("getCollectionStatistics", needs=(_CREATE,)),
        Example(
            "cancelCollection",
            path=_ORDER,
            needs=(_CREATE,),
            errors=(*_ABSENT_ORDER, "ORDER_NOT_CANCELLABLE"),
        ),
    ),
    magic_title="Magic values",
    magic_key="the payer's document or the order's amount",
)
DIRECT = Part(
    "Direct API",
    "Your own payment page: query which methods can pay the order and which fields each needs, "
    "then start the payment. The account must have it enabled.",
    (
        Example(
            "listCollectionMethods",
            path=_ORDER,
            needs=(_CREATE,),
            errors=(*_ABSENT_ORDER, "DIRECT_API_NOT_ENABLED"),
        ),
        Example(
            "payCollection",
            path=_ORDER,
            body={"method": "push_wallet", "fields": {"phone": "3001234567"}},
            needs=(_CREATE,),
            errors=(
                *_ABSENT_ORDER,
                "DIRECT_API_NOT_ENABLED",
                "METHOD_NOT_AVAILABLE",
                "ORDER_NOT_PAYABLE",
                "CHARGE_REFUSED",
            ),
        ),
    ),
)
REFUNDS = Part(
    "Refunds",
    "Return a completed order to its payer, in whole or in parts. The amount is held of your "
    "balance at once; an operator approves or rejects.",
    (
        Example(
            "createRefund",
            status=201,
            path=_ORDER,
            body={"amount": 20000, "reason": "One of two pounds was sold out"},
            idempotency_key="refund-<ORDER_ID>-1",
            gives={"REFUND_ID": "data.id"},
            needs=(_CREATE, "sandboxResolveCollection"),
            errors=(
                *_ABSENT_ORDER,
                *KEY_ERRORS,
                "ORDER_NOT_REFUNDABLE",
                "AMOUNT_ABOVE_LIMIT",
                "INSUFFICIENT_BALANCE",
                "REFUND_PROVIDER_UNAVAILABLE",
            ),
        ),
        Example(
            "getRefund",
            path={**_ORDER, "refund_id": "<REFUND_ID>"},
            needs=("createRefund",),
            errors=(*_ABSENT_ORDER, "NOT_FOUND"),
        ),
        Example("listRefunds", path=_ORDER, needs=("createRefund",), errors=_ABSENT_ORDER),
    ),
    magic_title="Refunds",
    magic_key="the payer's document",
)
LINKS = Part(
    "Payment links",
    "Pages on which payers make orders without code of yours: for a fixed or an open amount, once "
    "or many times. Each order is paid, reported and refunded like every other, and has `linkId`.",
    (
        Example(
            "createPaymentLink",
            status=201,
            body={
                "title": "Café de Nariño, 2 libras",
                "amount": 50000,
                "stock": 40,
                "ask": {"phone": "OPTIONAL"},
                "fields": [{"label": "¿Molido o en grano?", "required": True}],
            },
            sets={"LINK": "enlace-<now>"},
            idempotency_key="link-<LINK>",
            gives={"LINK_ID": "data.id"},
            errors=("IDEMPOTENCY_KEY_REUSED",),
        ),
        Example("getPaymentLink", path=_LINK, needs=("createPaymentLink",)),
        Example("listPaymentLinks", query={"limit": "2"}, needs=("createPaymentLink",)),
        Example(
            "updatePaymentLink",
            path=_LINK,
            body={"amount": 52000, "status": "PAUSED"},
            needs=("createPaymentLink",),
            errors=("NOT_ALLOWED",),
        ),
        Example(
            "setPaymentLinkImage",
            path=_LINK,
            body={"content": _PICTURE},
            needs=("createPaymentLink",),
            errors=("NOT_ALLOWED",),
        ),
    ),
)
BALANCE = Part(
    "Balance",
    "What you have with us, and every movement that made it so.",
    (
        Example("listBalances", needs=("sandboxCreditBalance",)),
        Example("listMovements", query={"limit": "2"}, needs=("createPayout",)),
    ),
)
SETTLEMENTS = Part(
    "Settlements",
    "Each day in Bogotá is closed after midnight, and never changes after that. You can download a "
    "statement for a closed day or any period. The list of a new account is empty until its first "
    "midnight.",
    (
        Example("listSettlements", gives={"SETTLEMENT_ID": "data.0.id"}),
        Example("getSettlement", path=_SETTLEMENT, needs=("listSettlements",)),
        Example("downloadSettlementCsv", path=_SETTLEMENT, needs=("listSettlements",)),
        Example("downloadSettlementHtml", path=_SETTLEMENT, needs=("listSettlements",)),
        Example("downloadStatementCsv", query=_JANUARY),
        Example("downloadStatementHtml", query=_JANUARY),
    ),
)
EVENTS = Part(
    "Events",
    "Everything that webhooks have sent, in one order without gaps. Read it to find what your "
    "receiver has missed.",
    (Example("listEvents", query={"limit": "2"}, needs=("sandboxResolveCollection",)),),
)
ENDPOINTS = Part(
    "Webhook endpoints",
    "Where webhooks go. The first is the webhook URL of the account; you may add others, each with "
    "its own events and secret. Changes need a key with the permission webhook:manage.",
    (
        Example(
            "createWebhookEndpoint",
            status=201,
            body={
                "url": "https://tienda.example/webhooks",
                "events": ["payment.completed", "payment.failed", "payment.refunded"],
                "description": "Tienda",
            },
            sets={"ENDPOINT": "tienda-<now>"},
            idempotency_key="endpoint-<ENDPOINT>",
            gives={"ENDPOINT_ID": "data.id"},
            errors=("IDEMPOTENCY_KEY_REUSED", "NOT_ALLOWED", "FORBIDDEN"),
        ),
        Example("listWebhookEndpoints", needs=("createWebhookEndpoint",)),
        Example("getWebhookEndpoint", path=_ENDPOINT, needs=("createWebhookEndpoint",)),
        Example(
            "updateWebhookEndpoint",
            path=_ENDPOINT,
            body={"description": "Tienda, Bogotá"},
            needs=("createWebhookEndpoint",),
            errors=("FORBIDDEN",),
        ),
        Example(
            "rotateWebhookEndpointSecret",
            status=201,
            path=_ENDPOINT,
            body={"overlapHours": 24},
            idempotency_key="rotation-<ENDPOINT_ID>-1",
            needs=("createWebhookEndpoint",),
            errors=("IDEMPOTENCY_KEY_REUSED", "FORBIDDEN"),
        ),
        Example(
            "testWebhookEndpoint",
            status=201,
            path=_ENDPOINT,
            needs=("createWebhookEndpoint",),
            errors=("NO_WEBHOOK_URL", "NOT_ALLOWED", "FORBIDDEN"),
        ),
        Example(
            "resendWebhookEvents",
            status=201,
            path=_ENDPOINT,
            body={"from": "2026-01-01T05:00:00Z", "to": "2026-01-31T05:00:00Z"},
            idempotency_key="resend-<ENDPOINT_ID>-1",
            needs=("createWebhookEndpoint",),
            errors=("IDEMPOTENCY_KEY_REUSED", "NOT_ALLOWED", "FORBIDDEN"),
        ),
        Example(
            "deleteWebhookEndpoint",
            path=_ENDPOINT,
            needs=("createWebhookEndpoint",),
            errors=("NOT_ALLOWED", "FORBIDDEN"),
        ),
    ),
)
SANDBOX = Part(
    "Sandbox",
    "You play the payer, the bank and the treasury. These endpoints do not exist in production.",
    (
        Example(
            "sandboxResolveCollection",
            path=_ORDER,
            body={"status": "COMPLETED", "method": "PSE"},
            needs=(_CREATE,),
            errors=(*_ABSENT_ORDER, "ORDER_NOT_PAYABLE", "METHOD_NOT_AVAILABLE"),
        ),
        Example(
            "sandboxResolveRefund",
            path={"id": "<REFUND_ID>"},
            body={"status": "COMPLETED"},
            needs=("createRefund",),
            errors=("NOT_ALLOWED",),
        ),
        Example(
            "sandboxCreateDispute",
            status=201,
            path=_ORDER,
            body={"kind": "CHARGEBACK", "amount": 20000, "reason": "Unknown to the payer"},
            gives={"DISPUTE_ID": "data.disputeId"},
            needs=(_CREATE, "sandboxResolveCollection"),
            errors=(*_ABSENT_ORDER, "ORDER_NOT_DISPUTABLE", "NOT_ALLOWED"),
        ),
        Example(
            "sandboxResolveDispute",
            path={"id": "<DISPUTE_ID>"},
            body={"status": "WON"},
            needs=("sandboxCreateDispute",),
            errors=("NOT_ALLOWED",),
        ),
        Example(
            "sandboxResolvePayout",
            path={"id": "<PAYOUT_ID>"},
            body={"status": "COMPLETED"},
            needs=("createPayout",),
            errors=("NOT_ALLOWED",),
        ),
        Example("sandboxCreditBalance", body={"currency": "COPM", "amount": 500000}),
        Example(
            "sandboxCloseSettlement",
            body={"currency": "COPM"},
            needs=(_CREATE, "sandboxResolveCollection"),
        ),
    ),
)
PRODUCTS = (
    COLLECTIONS,
    DIRECT,
    REFUNDS,
    LINKS,
    *(import_string(product.reference) for product in products() if product.reference),
    BALANCE,
    SETTLEMENTS,
    EVENTS,
    ENDPOINTS,
    SANDBOX,
)


def served(operations: Mapping[str, object]) -> list[Part]:
    """The products that this service has: the sandbox is not mounted where money is real."""
    return [
        product
        for product in PRODUCTS
        if all(example.operation in operations for example in product.examples)
    ]


EXAMPLES = {example.operation: example for product in PRODUCTS for example in product.examples}
