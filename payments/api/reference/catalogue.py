"""Every operation of the API in the order of the reference, with an example that runs.

In a path, a body or a key `<ORDER_ID>` is a value that an earlier example gives or this one sets,
and `<#AMOUNT>` the same as a number. In a value that an example sets `<now>` is new each time.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Example:
    """A request that runs unchanged after the examples in `needs`."""

    operation: str
    status: int = 200
    # Of the path, by the names in the OpenAPI document; of the query, by their own.
    path: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    # Derived from its subject, so that the same request sent again has the same key.
    idempotency_key: str = ""
    # Chosen by the caller before the request.
    sets: dict[str, str] = field(default_factory=dict)
    # NAME: its place in the response, for later examples.
    gives: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    # Error codes beyond those of every operation.
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Product:
    """A part of the API; `tag` is that of its operations."""

    tag: str
    text: str
    examples: tuple[Example, ...]

    @property
    def slug(self) -> str:
        """The anchor of its part of the page."""
        return self.tag.lower().replace(" ", "-")


_CREATE = "createCollection"
_ORDER = {"id": "<ORDER_ID>"}
_SETTLEMENT = {"id": "<SETTLEMENT_ID>"}
_JANUARY = {"from": "2026-01-01", "to": "2026-01-31", "currency": "COPM"}
_KEY = ("IDEMPOTENCY_KEY_REQUIRED", "IDEMPOTENCY_KEY_REUSED")
_LIMITS = ("AMOUNT_ABOVE_LIMIT", "AMOUNT_BELOW_MINIMUM", "INSUFFICIENT_BALANCE")
_ABSENT_ORDER = ("ORDER_NOT_FOUND",)

COLLECTIONS = Product(
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
)
DIRECT = Product(
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
REFUNDS = Product(
    "Refunds",
    "Return a completed order to its payer, in whole or in parts. The amount is held of your "
    "balance at once; an operator approves or rejects.",
    (
        Example(
            "requestRefund",
            status=201,
            path=_ORDER,
            body={"amount": 20000, "reason": "One of two pounds was sold out"},
            idempotency_key="refund-<ORDER_ID>-1",
            gives={"REFUND_ID": "data.id"},
            needs=(_CREATE, "sandboxAnswerCollection"),
            errors=(
                *_ABSENT_ORDER,
                *_KEY,
                "ORDER_NOT_REFUNDABLE",
                "AMOUNT_ABOVE_LIMIT",
                "INSUFFICIENT_BALANCE",
                "REFUND_PROVIDER_UNAVAILABLE",
            ),
        ),
        Example(
            "getRefund",
            path={**_ORDER, "refund_id": "<REFUND_ID>"},
            needs=("requestRefund",),
            errors=_ABSENT_ORDER,
        ),
        Example("listRefunds", path=_ORDER, needs=("requestRefund",), errors=_ABSENT_ORDER),
    ),
)
PAYOUTS = Product(
    "Payouts",
    "Send money from your balance to a bank account (BANK) or an instant key (BREB). A payout that "
    "is PROCESSING is with its rail: query it, or wait for its end; never send "
    "it again under another key. The account must have payouts enabled, and the key the "
    "permission payout:create.",
    (
        Example("listPayoutMethods", errors=("FORBIDDEN",)),
        Example(
            "createPayout",
            status=201,
            body={
                "amount": 100000,
                "recipientName": "Juan Pérez",
                "recipientDocType": "CC",
                "recipientDocNumber": "79123456",
                "network": "BANK",
                "bankCanonicalId": "bancolombia",
                "accountType": "SAVINGS",
                "accountNumber": "12345678901",
                "description": "Nómina",
            },
            sets={"PAYROLL": "nomina-42-<now>"},
            idempotency_key="payout-<PAYROLL>",
            gives={"PAYOUT_ID": "data.payoutId"},
            needs=("sandboxCreditBalance",),
            errors=(
                "FORBIDDEN",
                *_KEY,
                "PAYOUT_METHOD_NOT_AVAILABLE",
                *_LIMITS,
                "PAYOUT_DISABLED",
                "PAYOUT_PROVIDER_UNAVAILABLE",
            ),
        ),
        Example(
            "retrievePayout",
            path={"id": "<PAYOUT_ID>"},
            needs=("createPayout",),
            errors=("FORBIDDEN",),
        ),
        Example(
            "listPayouts", query={"limit": "2"}, needs=("createPayout",), errors=("FORBIDDEN",)
        ),
    ),
)
TOPUPS = Product(
    "Top-ups",
    "Buy credit for a Colombian mobile phone from your COPM balance.",
    (
        Example("listTopupOperators"),
        Example(
            "createTopup",
            status=201,
            body={"phone": "3001234567", "operatorCode": "claro", "amountCop": 20000},
            sets={"SALE": "venta-7-<now>"},
            idempotency_key="topup-<SALE>",
            gives={"TOPUP_ID": "data.id"},
            needs=("sandboxCreditBalance",),
            errors=("TOPUP_NOT_ENABLED", *_KEY, *_LIMITS),
        ),
        Example("retrieveTopup", path={"id": "<TOPUP_ID>"}, needs=("createTopup",)),
        Example("listTopups", query={"limit": "2"}, needs=("createTopup",)),
    ),
)
BILLS = Product(
    "Bill payments",
    "Find the agreement, query what is owed on a reference, and pay exactly that.",
    (
        Example("listBillingAgreements", query={"q": "acueducto"}),
        Example(
            "checkBill",
            body={"agreementId": 1001, "reference": "<BILL_REFERENCE>"},
            sets={"BILL_REFERENCE": "7<now>"},
            gives={
                "AMOUNT": "data.products.0.amount",
                "CODE_RECORD": "data.products.0.codeRecord",
            },
        ),
        Example(
            "payBill",
            status=201,
            body={
                "agreementId": 1001,
                "reference": "<BILL_REFERENCE>",
                "codeRecord": "<CODE_RECORD>",
                "amountCop": "<#AMOUNT>",
            },
            idempotency_key="bill-<BILL_REFERENCE>-<CODE_RECORD>",
            gives={"PAYMENT_ID": "data.id"},
            needs=("sandboxCreditBalance", "checkBill"),
            errors=(
                "BILL_PAYMENT_NOT_ENABLED",
                *_KEY,
                "NO_PENDING_BILL",
                "BILL_SELECTION_REQUIRED",
                "BILL_CHANGED",
                *_LIMITS,
            ),
        ),
        Example("retrieveBillPayment", path={"id": "<PAYMENT_ID>"}, needs=("payBill",)),
        Example("listBillPayments", query={"limit": "2"}, needs=("payBill",)),
    ),
)
BALANCE = Product(
    "Balance",
    "What you have with us, and every movement that made it so.",
    (
        Example("getBalance", needs=("sandboxCreditBalance",)),
        Example("listMovements", query={"limit": "2"}, needs=("createPayout",)),
    ),
)
SETTLEMENTS = Product(
    "Settlements",
    "Each day in Bogotá is closed after midnight, and never changes after that. Statements can be "
    "had for a closed day and for any period. The list of a new account is empty until its first "
    "midnight.",
    (
        Example("listSettlements", gives={"SETTLEMENT_ID": "data.0.id"}),
        Example("retrieveSettlement", path=_SETTLEMENT, needs=("listSettlements",)),
        Example("downloadSettlementCsv", path=_SETTLEMENT, needs=("listSettlements",)),
        Example("printSettlement", path=_SETTLEMENT, needs=("listSettlements",)),
        Example("downloadStatementCsv", query=_JANUARY),
        Example("printStatement", query=_JANUARY),
    ),
)
EVENTS = Product(
    "Events",
    "Everything that webhooks have sent, in one order without gaps. Read it to find what your "
    "receiver has missed.",
    (Example("listEvents", query={"limit": "2"}, needs=("sandboxAnswerCollection",)),),
)
SANDBOX = Product(
    "Sandbox",
    "You play the payer, the bank and the treasury. There is no sandbox where money is real.",
    (
        Example(
            "sandboxAnswerCollection",
            path=_ORDER,
            body={"status": "COMPLETED", "method": "PSE"},
            needs=(_CREATE,),
            errors=(*_ABSENT_ORDER, "ORDER_NOT_PAYABLE"),
        ),
        Example(
            "sandboxAnswerRefund",
            path={"id": "<REFUND_ID>"},
            body={"status": "COMPLETED"},
            needs=("requestRefund",),
            errors=("NOT_ALLOWED",),
        ),
        Example(
            "sandboxDisputeCollection",
            status=201,
            path=_ORDER,
            body={"kind": "CHARGEBACK", "amount": 20000, "reason": "Unknown to the payer"},
            gives={"DISPUTE_ID": "data.disputeId"},
            needs=(_CREATE, "sandboxAnswerCollection"),
            errors=(*_ABSENT_ORDER, "ORDER_NOT_DISPUTABLE", "NOT_ALLOWED"),
        ),
        Example(
            "sandboxDecideDispute",
            path={"id": "<DISPUTE_ID>"},
            body={"status": "WON"},
            needs=("sandboxDisputeCollection",),
            errors=("NOT_ALLOWED",),
        ),
        Example(
            "resolvePayout",
            path={"id": "<PAYOUT_ID>"},
            body={"status": "COMPLETED"},
            needs=("createPayout",),
            errors=("NOT_ALLOWED",),
        ),
        Example("sandboxCreditBalance", body={"currency": "COPM", "amount": 500000}),
    ),
)
PRODUCTS = (
    COLLECTIONS,
    DIRECT,
    REFUNDS,
    PAYOUTS,
    TOPUPS,
    BILLS,
    BALANCE,
    SETTLEMENTS,
    EVENTS,
    SANDBOX,
)


def served(operations: Mapping[str, object]) -> list[Product]:
    """The products that this service has: the sandbox is not mounted where money is real."""
    return [
        product
        for product in PRODUCTS
        if all(example.operation in operations for example in product.examples)
    ]


EXAMPLES = {example.operation: example for product in PRODUCTS for example in product.examples}
