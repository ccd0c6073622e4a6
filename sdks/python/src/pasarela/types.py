"""Generated from the OpenAPI document by `make sdks`: do not change it by hand."""

from __future__ import annotations
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
from decimal import Decimal


AccountType: TypeAlias = Literal["SAVINGS", "CHECKING"]


BalanceAccount: TypeAlias = Literal["available", "held"]


BalanceCurrency: TypeAlias = Literal["COPM", "USDT", "USDC", "BTC", "ETH"]


class Bill(TypedDict):
    """Element of data.products (contract, Bill check result)."""

    codeRecord: str
    description: str
    amount: Decimal
    minAmount: Decimal | None
    maxAmount: Decimal | None


class BillCheckRequest(TypedDict):
    """Body of POST /bills/check."""

    agreementId: int
    reference: str
    """The payer's reference; what it is, the agreement's referenceLabel says."""


class BillCheckResult(TypedDict):
    """Answer of POST /bills/check (contract, Bill check result)."""

    agreementId: int
    agreementName: str
    supplierMessage: str | None
    """The biller's own words, for the payer."""
    products: list[Bill]


class BillCheckResultResponse(TypedDict):
    success: bool
    """Always true."""
    data: BillCheckResult


class BillPaymentCreateRequest(TypedDict):
    """Body of POST /bills/pay."""

    agreementId: int
    reference: str
    """The payer's reference; what it is, the agreement's referenceLabel says."""
    codeRecord: NotRequired[str | None]
    """Of POST /bills/check. Optional when there is a single bill."""
    amountCop: int
    """Whole pesos."""
    idempotencyKey: NotRequired[str | None]
    """Alternative to the header Idempotency-Key."""


BillPaymentStatus: TypeAlias = Literal["processing", "completed", "failed", "refunded"]


class BillTicket(TypedDict):
    """What proves the payment to the payer (docs/gaps.md, Bill payments)."""

    number: str | None
    """The rail's own number."""
    authorization: str | None
    """The rail's approval code, where it has them."""
    provider: str
    issuedAt: str
    agreement: str
    reference: str
    amountCop: int
    legend: str
    """A line to print, for the payer."""


class BillingAgreement(TypedDict):
    """Element of data.items (contract, Billing agreement)."""

    agreementId: int
    name: str
    referenceLabel: str
    type: str


class BillingAgreementPage(TypedDict):
    """Answer of GET /bills/agreements."""

    items: list[BillingAgreement]
    total: int


class BillingAgreementPageResponse(TypedDict):
    success: bool
    """Always true."""
    data: BillingAgreementPage


BrebKeyType: TypeAlias = Literal["PHONE", "EMAIL", "ALPHANUMERIC", "ID", "BCODE"]


ChargeFlow: TypeAlias = Literal["redirect", "push", "key"]


class CollectionStatistics(TypedDict):
    """Answer of GET /collect/stats (contract, Collection statistics)."""

    total: int
    pending: int
    completed: int
    failed: int
    totalCollected: str | Literal[0]
    collectedByCurrency: dict[str, str]
    """The same sum apart by currency, since pesos and bitcoin do not add up."""


class CollectionStatisticsResponse(TypedDict):
    success: bool
    """Always true."""
    data: CollectionStatistics


class CreditedBalance(TypedDict):
    """What is available after the credit."""

    currency: BalanceCurrency
    available: Decimal


class CreditedBalanceResponse(TypedDict):
    success: bool
    """Always true."""
    data: CreditedBalance


CustomerDocumentType: TypeAlias = Literal["CC", "CE", "NIT", "PP", ""]


class DirectCharge(TypedDict):
    """Answer of POST /collect/{id}/pay (contract, Direct API charge)."""

    paymentUrl: str | None
    transactionId: str
    method: str
    flow: ChargeFlow
    keyValue: NotRequired[str]
    """Only for the flow key."""
    expiresAt: NotRequired[str]
    """Only for the flow key."""


class DirectChargeResponse(TypedDict):
    success: bool
    """Always true."""
    data: DirectCharge


class DirectMethodFieldOption(TypedDict):
    """One entry of a list to choose from."""

    value: str
    label: str


DirectMethodFieldType: TypeAlias = Literal["bankSelect", "select", "phone", "text"]


class DirectMethodTerm(TypedDict):
    """A document of the rail to accept before paying."""

    url: str
    label: str


DirectMethodUiType: TypeAlias = Literal["webview", "push"]


Email: TypeAlias = str


DisputeKind: TypeAlias = Literal["DISPUTE", "CHARGEBACK"]


DisputeOutcome: TypeAlias = Literal["WON", "LOST"]


class DisputeOutcomeRequest(TypedDict):
    """Body of POST /sandbox/dispute/{id}."""

    status: DisputeOutcome


DisputeStatus: TypeAlias = Literal["OPEN", "WON", "LOST"]


DocumentType: TypeAlias = Literal["CC", "CE", "NIT", "PP"]


class Details(TypedDict):
    field: NotRequired[str]
    """The first offending field, as a path."""
    fields: NotRequired[dict[str, str]]
    """Every offending field with what is wrong with it."""


class ErrorBody(TypedDict):
    """error (contract, Errors)."""

    code: str
    message: str
    details: NotRequired[Details]


class ErrorResponse(TypedDict):
    """The envelope of every error."""

    success: bool
    """Always false."""
    error: ErrorBody


MovementKind: TypeAlias = Literal[
    "collect_settled",
    "payout_reserved",
    "payout_released",
    "payout_completed",
    "payout_returned",
    "topup_reserved",
    "topup_released",
    "topup_completed",
    "topup_returned",
    "bill_reserved",
    "bill_released",
    "bill_completed",
    "bill_returned",
    "refund_reserved",
    "refund_released",
    "refund_completed",
    "refund_returned",
    "dispute_opened",
    "dispute_won",
    "dispute_lost",
    "unmatched_credited",
    "bank_line_credited",
    "bank_line_reversed",
    "sandbox_credited",
]


OrderCurrency: TypeAlias = Literal["COP", "USDT", "USDC", "BTC", "ETH"]


OrderStatus: TypeAlias = Literal[
    "PENDING", "PROCESSING", "WAITING_TRANSFER", "COMPLETED", "FAILED", "EXPIRED"
]


PaymentLinkAskRule: TypeAlias = Literal["NONE", "OPTIONAL", "REQUIRED"]


class PaymentLinkAskUpdateRequest(TypedDict):
    """What is left out stays."""

    name: NotRequired[PaymentLinkAskRule]
    email: NotRequired[PaymentLinkAskRule]
    document: NotRequired[PaymentLinkAskRule]
    phone: NotRequired[PaymentLinkAskRule]


PaymentLinkAvailability: TypeAlias = Literal[
    "PAYABLE", "PAUSED", "ENDED", "EXPIRED", "USED_UP", "SOLD_OUT", "BUSY", "MERCHANT_NOT_ACTIVE"
]


class PaymentLinkField(TypedDict):
    """A question of your own."""

    label: str
    """What the payer reads."""
    required: NotRequired[bool]


class PaymentLinkFieldRequest(TypedDict):
    """A question of your own."""

    label: str
    """What the payer reads."""
    required: NotRequired[bool]


class PaymentLinkImageRequest(TypedDict):
    """Body of POST /links/{id}/image."""

    content: str | None
    """A PNG, JPEG or WebP picture in base64: at most 48,000 bytes before it, and 1024 pixels a side. Null takes the image away."""


class PaymentLinkPayload(TypedDict):
    """The order that a payer of the link has paid, and the link."""

    id: str
    reference: str
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    status: OrderStatus
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    linkCode: str
    """The end of its address."""
    linkTitle: str
    linkUrl: str


class PaymentLinkStatistics(TypedDict):
    """Figures of a link so far."""

    visits: int
    """Browsers, each once a day."""
    orders: int
    open: int
    """Orders that may still be paid."""
    paid: int
    collected: Decimal
    """What you received, in the link's currency."""


PaymentLinkStatus: TypeAlias = Literal["ACTIVE", "PAUSED", "ENDED"]


class PaymentLinkUpdateRequest(TypedDict):
    """Body of PATCH /links/{id}. What is left out stays. `status` moves the link."""

    title: NotRequired[str]
    description: NotRequired[str]
    amount: NotRequired[Decimal | int | None]
    """A fixed amount stays fixed, an open one open."""
    minAmount: NotRequired[Decimal | int | None]
    maxAmount: NotRequired[Decimal | int | None]
    ask: NotRequired[PaymentLinkAskUpdateRequest]
    fields: NotRequired[list[PaymentLinkFieldRequest]]
    maxUses: NotRequired[int | None]
    """Null: any."""
    stock: NotRequired[int | None]
    """Pieces in all, with those that are sold. Null: any."""
    expiresAt: NotRequired[str | None]
    callbackUrl: NotRequired[str | None]
    status: NotRequired[PaymentLinkStatus]
    """PAUSED, ACTIVE again, or ENDED for ever. Open orders can still be paid."""


PaymentMethod: TypeAlias = Literal["PSE", "BANK_TRANSFER", "CRYPTO"]


class PayoutBank(TypedDict):
    """A bank that the method reaches."""

    bankCanonicalId: str
    name: str


class PayoutBatchLineCreateRequest(TypedDict):
    """A payout of a batch: the fields of POST /payout, and a reference of yours."""

    amount: Decimal | int
    """What the beneficiary gets, in COP."""
    recipientName: str
    recipientDocType: DocumentType
    recipientDocNumber: str
    network: NotRequired[str]
    """BANK or BREB."""
    bankCanonicalId: NotRequired[str | None]
    accountType: NotRequired[AccountType | None]
    accountNumber: NotRequired[str | None]
    keyType: NotRequired[BrebKeyType | None]
    keyValue: NotRequired[str | None]
    description: NotRequired[str]
    reference: NotRequired[str]
    """Yours. No two lines of a batch have the same."""


PayoutBatchLineStatus: TypeAlias = Literal[
    "WRONG",
    "WAITING",
    "REFUSED",
    "CANCELLED",
    "PENDING",
    "PROCESSING",
    "COMPLETED",
    "FAILED",
    "REFUNDED",
]


PayoutBatchSource: TypeAlias = Literal["FILE", "API"]


PayoutBatchStatus: TypeAlias = Literal[
    "CHECKING",
    "REFUSED",
    "CHECKED",
    "WAITING_APPROVAL",
    "RUNNING",
    "PAUSED",
    "DONE",
    "CANCELLED",
    "REJECTED",
    "DISCARDED",
]


class PayoutBeneficiary(TypedDict):
    """Who gets the money, masked. The names are those of POST /payout."""

    name: str
    """The initials."""
    documentType: str
    documentNumber: str | None
    bankCanonicalId: str | None
    """Null for a key."""
    accountType: str | None
    """SAVINGS, CHECKING; null for a key."""
    accountNumber: str | None
    keyType: str | None
    """Such as PHONE; null for an account."""
    keyValue: str | None


PayoutCurrency: TypeAlias = Literal["COPM", "USDT"]


class PayoutMethodField(TypedDict):
    """A field that POST /payout needs for the method."""

    key: str
    required: bool
    type: str
    enum: NotRequired[list[str]]


class PayoutMethodLimits(TypedDict):
    """Per transaction."""

    maxAmountCop: Decimal


PayoutNetwork: TypeAlias = Literal["BANK", "BREB"]


PayoutOutcome: TypeAlias = Literal["COMPLETED", "FAILED", "REFUNDED"]


class PayoutOutcomeRequest(TypedDict):
    """Body of POST /sandbox/payout/{id}."""

    status: PayoutOutcome


class PayoutQrCodeRequest(TypedDict):
    """Body of POST /payout/qr."""

    qr: str
    """What a scanner reads from the picture: `000201...`."""


PayoutQrNetwork: TypeAlias = Literal["BREB"]


PayoutStatus: TypeAlias = Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED", "REFUNDED"]


class RefundCreateRequest(TypedDict):
    """Body of POST /collect/{id}/refunds."""

    amount: NotRequired[Decimal | int | None]
    """In the order's currency. Default: all that remains."""
    reason: str
    """For the operator who decides."""


RefundOutcome: TypeAlias = Literal["APPROVED", "REJECTED", "COMPLETED", "FAILED", "REFUNDED"]


class RefundOutcomeRequest(TypedDict):
    """Body of POST /sandbox/refund/{id}."""

    status: RefundOutcome
    """APPROVED and REJECTED: what our operator decides. The others: what the rail reports; a refund that waits is approved first."""


class RefundPayload(TypedDict):
    """The order, and what this refund has to do with it."""

    id: str
    reference: str
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    status: OrderStatus
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    refundId: str
    refundedAmount: Decimal
    """By this refund."""
    remainingAmount: Decimal
    """What no refund has brought back so far."""
    totalRefunded: Decimal
    """What all refunds have brought back so far."""
    reason: str
    requestedAt: str
    approvedAt: NotRequired[str]
    rejectedAt: NotRequired[str]
    completedAt: NotRequired[str]


class RefundRejectedEvent(TypedDict):
    event: Literal["refund.rejected"]
    data: RefundPayload
    timestamp: str


class RefundRequestedEvent(TypedDict):
    event: Literal["refund.requested"]
    data: RefundPayload
    timestamp: str


RefundStatus: TypeAlias = Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED", "REFUNDED"]


RefundWait: TypeAlias = Literal["DESTINATION", "APPROVAL", "PAYMENT", "CONFIRMATIONS"]


class ReturnedCoins(TypedDict):
    """How a refund in coins is paid."""

    amount: Decimal | None
    """Null until an operator has approved."""
    currency: str
    network: str
    transaction: str | None
    """On the network. Null until the coins were sent."""


SandboxCollectionOutcome: TypeAlias = Literal["COMPLETED", "FAILED", "EXPIRED"]


class SettlementPayload(TypedDict):
    """A closed day of one balance. collected = net + fee + tax."""

    id: str
    date: str
    """The day in Bogota."""
    timezone: Literal["America/Bogota"]
    currency: BalanceCurrency
    collected: Decimal
    """What payers paid for the orders completed on the day."""
    fee: Decimal
    """Ours, without the tax in it."""
    tax: Decimal
    """The taxes in our fee."""
    net: Decimal
    """What reached the balance."""
    refunded: Decimal
    """By refunds completed on the day."""
    orderCount: int
    refundCount: int
    closedAt: str


TaxKind: TypeAlias = Literal["INCLUDED", "WITHHELD"]


class TaxLine(TypedDict):
    """A tax on our fee. INCLUDED is a part of it, WITHHELD is only stated."""

    name: str
    kind: TaxKind
    rate: Decimal
    """0.19 is 19%."""
    base: Decimal
    """Our fee without the taxes in it."""
    amount: Decimal


class TestPayload(TypedDict):
    """About no payment."""

    merchantId: str
    message: str


class TopupCreateRequest(TypedDict):
    """Body of POST /topup (contract, Top-ups)."""

    phone: str
    """A Colombian mobile: ten digits from 3; +57, spaces and dashes may be there."""
    operatorCode: str
    """A code of GET /topup/operators."""
    amountCop: int
    """Whole pesos."""
    idempotencyKey: NotRequired[str | None]
    """Alternative to the header Idempotency-Key."""


class TopupOperator(TypedDict):
    """An operator (contract, Top-up operator) and what it sells."""

    code: str
    name: str
    logo: str
    minAmount: Decimal | None
    maxAmount: Decimal
    allowedAmounts: list[int] | None
    """Null: every amount within the limits. Else only these."""


class TopupOperatorListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[TopupOperator]


TopupStatus: TypeAlias = Literal["processing", "completed", "failed", "refunded"]


class TopupTicket(TypedDict):
    """What proves the top-up to the person who holds the phone (docs/gaps.md, Top-ups)."""

    number: str | None
    """The rail's own number."""
    authorization: str | None
    """The rail's approval code."""
    provider: str
    issuedAt: str
    operator: str
    phone: str
    amountCop: int
    legend: str


class WebhookEndpoint(TypedDict):
    """A webhook endpoint."""

    id: str
    """Begins with whe_."""
    url: str | None
    """Null: the account has no webhook URL yet."""
    events: list[str]
    """The kinds of events that it gets. For the account's own: with those always sent."""
    description: str
    enabled: bool
    """Whether new events go there."""
    account: bool
    """True for the webhook URL of the account: it cannot be deleted or switched off."""
    createdAt: str
    updatedAt: str


Event: TypeAlias = str


class WebhookEndpointCreateRequest(TypedDict):
    """Body of POST /webhook-endpoints."""

    url: str
    """https or http, with a public address."""
    events: list[Event]
    """The kinds of events that it gets. For the account's own: with those always sent."""
    description: NotRequired[str]
    enabled: NotRequired[bool]
    """While it is false, no new events go there, and what is on its way waits."""


class WebhookEndpointDeletion(TypedDict):
    """What DELETE /webhook-endpoints/{id} returns."""

    id: str
    deleted: bool
    """Always true."""


class WebhookEndpointDeletionResponse(TypedDict):
    success: bool
    """Always true."""
    data: WebhookEndpointDeletion


class WebhookEndpointListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[WebhookEndpoint]


class WebhookEndpointResponse(TypedDict):
    success: bool
    """Always true."""
    data: WebhookEndpoint


class WebhookEndpointUpdateRequest(TypedDict):
    """Body of PATCH /webhook-endpoints/{id}. What is left out stays."""

    url: NotRequired[str | None]
    """https or http, with a public address. Null only for the account's own: then its events wait."""
    events: NotRequired[list[Event]]
    """The kinds of events that it gets. For the account's own: with those always sent."""
    description: NotRequired[str]
    enabled: NotRequired[bool]


class WebhookEndpointWithSecret(TypedDict):
    """A webhook endpoint with its new secret."""

    id: str
    """Begins with whe_."""
    url: str | None
    """Null: the account has no webhook URL yet."""
    events: list[str]
    """The kinds of events that it gets. For the account's own: with those always sent."""
    description: str
    enabled: bool
    """Whether new events go there."""
    account: bool
    """True for the webhook URL of the account: it cannot be deleted or switched off."""
    createdAt: str
    updatedAt: str
    secret: str | None
    """whsec_ and base64. It is shown here and never again: keep it on your server. Null when the request is repeated with its key after more than 24 hours."""


class WebhookEndpointWithSecretResponse(TypedDict):
    success: bool
    """Always true."""
    data: WebhookEndpointWithSecret


class WebhookTestEvent(TypedDict):
    event: Literal["webhook.test"]
    data: TestPayload
    timestamp: str


class PaymentRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.refunded"]
    data: RefundPayload
    timestamp: str


class PaymentPartiallyRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.partially_refunded"]
    data: RefundPayload
    timestamp: str


class RefundRequestedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["refund.requested"]
    data: RefundPayload
    timestamp: str


class RefundApprovedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["refund.approved"]
    data: RefundPayload
    timestamp: str


class RefundRejectedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["refund.rejected"]
    data: RefundPayload
    timestamp: str


class RefundCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["refund.completed"]
    data: RefundPayload
    timestamp: str


class SettlementClosedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["settlement.closed"]
    data: SettlementPayload
    timestamp: str


class LinkPaidFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["link.paid"]
    data: PaymentLinkPayload
    timestamp: str


class WebhookTestFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["webhook.test"]
    data: TestPayload
    timestamp: str


class Balance(TypedDict):
    """Element of GET /balance."""

    currency: BalanceCurrency
    available: Decimal
    """What may be spent."""
    held: Decimal
    """What payouts under way have set aside."""


class BalanceCreditRequest(TypedDict):
    """Body of POST /sandbox/balance."""

    currency: BalanceCurrency
    amount: Decimal | int


class BalanceListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Balance]


class BatchPayload(TypedDict):
    """A batch at the time of the event, as GET /payout/batches/{id} shows it."""

    id: str
    """As `batchId` of GET /payout/batches/{id}."""
    status: PayoutBatchStatus
    source: PayoutBatchSource
    name: str
    currency: PayoutCurrency
    lineCount: int
    """Lines that can be paid."""
    amount: Decimal
    """Of these lines, in COP."""
    feeAmount: Decimal
    """On top, in COP."""
    lines: dict[str, int]
    """How many lines have which status."""
    waitsFor: str | None
    """Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE."""
    createdAt: str
    finishedAt: str | None


class BatchRejectedEvent(TypedDict):
    event: Literal["batch.rejected"]
    data: BatchPayload
    timestamp: str


class BatchRunningEvent(TypedDict):
    event: Literal["batch.running"]
    data: BatchPayload
    timestamp: str


class BillPayload(TypedDict):
    """
    A bill payment at the time of the event, as GET /bills/payments/{id} shows it, with the
    bill's reference masked.
    """

    id: str
    status: BillPaymentStatus
    agreementId: int
    agreementName: str
    billReference: str
    """The last characters."""
    amountCop: int
    feeCop: int
    """On top."""
    totalCop: int
    """amountCop + feeCop."""
    reference: str
    """Trace reference."""
    failureReason: str | None
    """Why the bill is not paid; null while it is, or may be."""
    createdAt: str
    completedAt: str | None


class BillPayment(TypedDict):
    """A bill payment (contract, Bill payment)."""

    id: str
    status: BillPaymentStatus
    amountCop: int
    feeCop: int
    """On top."""
    totalCop: int
    """amountCop + feeCop."""
    reference: str
    """Trace reference."""
    ticket: BillTicket | None
    """Null until completed."""
    agreementId: int
    agreementName: str
    billReference: str
    codeRecord: str
    failureReason: str | None
    """Why the bill is not paid; null while it is, or may be."""
    createdAt: str
    completedAt: str | None


class BillPaymentListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[BillPayment]


class BillPaymentResponse(TypedDict):
    success: bool
    """Always true."""
    data: BillPayment


class BillProcessingEvent(TypedDict):
    event: Literal["bill.processing"]
    data: BillPayload
    timestamp: str


class BillRefundedEvent(TypedDict):
    event: Literal["bill.refunded"]
    data: BillPayload
    timestamp: str


class Customer(TypedDict):
    """The payer as the merchant named them."""

    name: str
    email: str
    documentType: CustomerDocumentType
    """Empty, like the other fields, where a payment link did not ask for it."""
    documentNumber: str


class DirectMethodField(TypedDict):
    """A field to ask the payer for."""

    key: str
    type: DirectMethodFieldType
    label: str
    required: bool
    options: NotRequired[list[DirectMethodFieldOption]]
    """Of the types with a list."""


class DirectPayerRequest(TypedDict):
    """Who pays, where that is not the order's customer (contract, POST /collect/{id}/pay)."""

    name: NotRequired[str]
    email: NotRequired[Email]
    phone: NotRequired[str]
    docType: NotRequired[DocumentType]
    docNumber: NotRequired[str]
    """Goes with docType."""


class Dispute(TypedDict):
    """A dispute, as in its events."""

    disputeId: str
    disputedAmount: Decimal
    """What the merchant answers for."""
    reason: str
    openedAt: str
    evidenceDueAt: str | None
    """Null when the bank sets no limit."""
    orderId: str
    kind: DisputeKind
    status: DisputeStatus


class DisputeCreateRequest(TypedDict):
    """Body of POST /sandbox/collect/{id}/dispute."""

    kind: NotRequired[DisputeKind]
    amount: NotRequired[Decimal | int | None]
    """In the order's currency. Default: what is neither refunded nor contested."""
    reason: NotRequired[str]


class DisputePayload(TypedDict):
    """The order, and what is contested of it."""

    id: str
    reference: str
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    status: OrderStatus
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    disputeId: str
    disputedAmount: Decimal
    """What the merchant answers for."""
    reason: str
    openedAt: str
    evidenceDueAt: str | None
    """Null when the bank sets no limit."""


class DisputeResponse(TypedDict):
    success: bool
    """Always true."""
    data: Dispute


class FailurePayload(TypedDict):
    """The order, and why it failed."""

    id: str
    reference: str
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    status: OrderStatus
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    traceCode: str | None
    """The rail's code of the last try: of PSE the CUS."""
    failureReason: str | None
    """Why the last try brought no money, as a code; null if the rail did not say."""
    attempts: int
    """How many payments were begun for the order, the last one included."""


class FeedEvent6(PaymentRefundedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.refunded"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: RefundPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent7(PaymentPartiallyRefundedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.partially_refunded"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: RefundPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent10(RefundRequestedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["refund.requested"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: RefundPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent11(RefundApprovedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["refund.approved"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: RefundPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent12(RefundRejectedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["refund.rejected"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: RefundPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent13(RefundCompletedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["refund.completed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: RefundPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent14(SettlementClosedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["settlement.closed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: SettlementPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent15(LinkPaidFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["link.paid"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: PaymentLinkPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent33(WebhookTestFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["webhook.test"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: TestPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class LinkPaidEvent(TypedDict):
    event: Literal["link.paid"]
    data: PaymentLinkPayload
    timestamp: str


class Movement(TypedDict):
    """Element of GET /balance/movements."""

    id: str
    kind: MovementKind
    subjectId: str
    """What caused it: the id of an order or a payout; of the account for play money."""
    currency: BalanceCurrency
    account: BalanceAccount
    amount: Decimal
    """Below zero: it left this account."""
    balanceAfter: Decimal
    """Of this account, after this movement."""
    createdAt: str


class MovementListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Movement]


class Order(TypedDict):
    """Element of GET /collect, answer of GET /collect/{id}."""

    id: str
    reference: str
    amount: Decimal
    """What the payer pays: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    feeAmount: Decimal | None
    currency: OrderCurrency
    status: OrderStatus
    collectUrl: str
    expiresAt: str
    createdAt: str
    description: str
    selectedMethod: PaymentMethod | None
    allowedMethods: list[PaymentMethod]
    customer: Customer
    callbackUrl: str | None
    metadata: dict[str, Any]
    paidAt: str | None
    confirmedAt: str | None
    """The rail's finality: safe to deliver."""
    cancelledAt: str | None
    retryOf: str | None
    """The id of the refused order whose payer tried again; null on all other orders."""
    refundedAmount: Decimal
    """What refunds have brought back to the payer."""
    linkId: str | None
    """Of the payment link with which the payer made the order; null on all other orders."""
    updatedAt: str


class OrderCreateRequest(TypedDict):
    """Body of POST /collect (contract, Collection order)."""

    reference: str
    """Your own number of the order. Each can be used once, for ever: after an order that FAILED or EXPIRED, a second try needs a new one."""
    amount: Decimal | int
    """What the merchant receives, in the order's currency."""
    currency: NotRequired[OrderCurrency]
    description: NotRequired[str]
    customerName: str
    customerEmail: str
    customerDocType: DocumentType
    customerDocNumber: str
    expirationMinutes: NotRequired[int]
    callbackUrl: NotRequired[str | None]
    """Where the payer's browser returns; webhooks go to the URL of your account. When the order is COMPLETED, FAILED or EXPIRED, our page has a button that leads there; right after a payment it goes there by itself in 10 seconds. It adds `id`, `reference`, `status` and `confirmation=webhook` to the query and keeps yours, so do not use these names. The return proves nothing: only the signed webhook confirms a payment."""
    allowedMethods: NotRequired[list[PaymentMethod] | None]
    """Default: the methods of the account."""
    metadata: NotRequired[dict[str, Any]]
    """At most 1 KB as compact JSON, 20 levels deep; comes back as sent."""


class OrderCreated(TypedDict):
    """Answer of POST /collect (contract, Collection order, response of create)."""

    id: str
    reference: str
    amount: Decimal
    """What the payer pays: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    feeAmount: Decimal | None
    currency: OrderCurrency
    status: OrderStatus
    collectUrl: str
    expiresAt: str
    createdAt: str


class OrderCreatedResponse(TypedDict):
    success: bool
    """Always true."""
    data: OrderCreated


class OrderListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Order]


class OrderOutcomeRequest(TypedDict):
    """Body of POST /sandbox/collect/{id}."""

    status: SandboxCollectionOutcome
    method: NotRequired[PaymentMethod | None]
    """Default: the one that the payer has chosen, else the first of the order."""
    amount: NotRequired[Decimal | int | None]
    """What arrives, in the order's currency. Default: what is missing."""


class OrderPayload(TypedDict):
    """The order at the time of the event."""

    id: str
    reference: str
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    status: OrderStatus
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""


class OrderResponse(TypedDict):
    success: bool
    """Always true."""
    data: Order


class PaymentCancelledEvent(TypedDict):
    event: Literal["payment.cancelled"]
    data: OrderPayload
    timestamp: str


class PaymentChargebackEvent(TypedDict):
    event: Literal["payment.chargeback"]
    data: DisputePayload
    timestamp: str


class PaymentCompletedEvent(TypedDict):
    event: Literal["payment.completed"]
    data: OrderPayload
    timestamp: str


class PaymentConfirmedEvent(TypedDict):
    event: Literal["payment.confirmed"]
    data: OrderPayload
    timestamp: str


class PaymentDisputedEvent(TypedDict):
    event: Literal["payment.disputed"]
    data: DisputePayload
    timestamp: str


class PaymentExpiredEvent(TypedDict):
    event: Literal["payment.expired"]
    data: OrderPayload
    timestamp: str


class PaymentFailedEvent(TypedDict):
    event: Literal["payment.failed"]
    data: FailurePayload
    timestamp: str


class PaymentLinkAsk(TypedDict):
    """What the payer is asked for."""

    name: NotRequired[PaymentLinkAskRule]
    email: NotRequired[PaymentLinkAskRule]
    document: NotRequired[PaymentLinkAskRule]
    phone: NotRequired[PaymentLinkAskRule]


class PaymentLinkAskRequest(TypedDict):
    """What the payer is asked for."""

    name: NotRequired[PaymentLinkAskRule]
    email: NotRequired[PaymentLinkAskRule]
    document: NotRequired[PaymentLinkAskRule]
    phone: NotRequired[PaymentLinkAskRule]


class PaymentLinkCreateRequest(TypedDict):
    """Body of POST /links."""

    title: str
    """What is paid. It becomes the order's description."""
    description: NotRequired[str]
    amount: NotRequired[Decimal | int | None]
    """What you receive; the fee comes on top. Null or absent: the payer chooses."""
    minAmount: NotRequired[Decimal | int | None]
    maxAmount: NotRequired[Decimal | int | None]
    ask: NotRequired[PaymentLinkAskRequest]
    fields: NotRequired[list[PaymentLinkFieldRequest]]
    maxUses: NotRequired[int | None]
    """Null: any."""
    stock: NotRequired[int | None]
    """Pieces in all, with those that are sold. Null: any."""
    expiresAt: NotRequired[str | None]
    callbackUrl: NotRequired[str | None]
    currency: NotRequired[OrderCurrency]


class PaymentPartiallyRefundedEvent(TypedDict):
    event: Literal["payment.partially_refunded"]
    data: RefundPayload
    timestamp: str


class PaymentRefundedEvent(TypedDict):
    event: Literal["payment.refunded"]
    data: RefundPayload
    timestamp: str


class Payout(TypedDict):
    """A payout (contract, Payout, response)."""

    payoutId: str
    status: PayoutStatus
    amount: Decimal
    feeAmount: Decimal
    """On top, in COP, paid by the merchant."""
    recipientName: str
    network: str
    """`bank` or `breb`."""
    providerPayoutId: str | None
    """The trace code. Null until the provider has one."""
    createdAt: str
    completedAt: str | None
    failureReason: str | None
    """Why the beneficiary does not have the money; null while they have it, or may have it."""
    reference: str | None
    """Your own, as you gave it; null without one."""
    description: str
    beneficiary: PayoutBeneficiary
    metadata: dict[str, Any]


class PayoutBatch(TypedDict):
    """With how many lines have which status."""

    batchId: str
    status: PayoutBatchStatus
    source: PayoutBatchSource
    """FILE: uploaded by a person in the console."""
    name: str
    currency: PayoutCurrency
    lineCount: int
    """Lines that can be paid."""
    amount: Decimal
    """Of these lines, in COP."""
    feeAmount: Decimal
    """On top, in COP."""
    waitsFor: str | None
    """Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE."""
    createdAt: str
    finishedAt: str | None
    lines: dict[str, int]


class PayoutBatchCreateRequest(TypedDict):
    """Body of POST /payout/batches."""

    name: NotRequired[str]
    """Of your own."""
    currency: NotRequired[PayoutCurrency]
    """The balance that pays: COPM (pesos) or USDT."""
    idempotencyKey: NotRequired[str | None]
    """Alternative to the header Idempotency-Key."""
    lines: list[PayoutBatchLineCreateRequest]


class PayoutBatchLine(TypedDict):
    """A line and its payout."""

    number: int
    """Of the file, or from 1 as the lines were sent."""
    reference: str
    status: PayoutBatchLineStatus
    amount: Decimal | None
    feeAmount: Decimal | None
    recipientName: str
    payoutId: str | None
    providerPayoutId: str | None
    """The trace code."""
    reason: str | None
    warnings: list[str]


class PayoutBatchLineListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[PayoutBatchLine]


class PayoutBatchResponse(TypedDict):
    success: bool
    """Always true."""
    data: PayoutBatch


class PayoutBatchSummary(TypedDict):
    """A batch of payouts."""

    batchId: str
    status: PayoutBatchStatus
    source: PayoutBatchSource
    """FILE: uploaded by a person in the console."""
    name: str
    currency: PayoutCurrency
    lineCount: int
    """Lines that can be paid."""
    amount: Decimal
    """Of these lines, in COP."""
    feeAmount: Decimal
    """On top, in COP."""
    waitsFor: str | None
    """Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE."""
    createdAt: str
    finishedAt: str | None


class PayoutBatchSummaryListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[PayoutBatchSummary]


class PayoutCreateRequest(TypedDict):
    """Body of POST /payout (contract, Payout)."""

    amount: Decimal | int
    """What the beneficiary gets, in COP."""
    currency: NotRequired[PayoutCurrency]
    """The balance that pays: COPM (pesos) or USDT."""
    recipientName: str
    recipientDocType: DocumentType
    recipientDocNumber: str
    network: NotRequired[str]
    """BANK or BREB."""
    bankCanonicalId: NotRequired[str | None]
    accountType: NotRequired[AccountType | None]
    accountNumber: NotRequired[str | None]
    keyType: NotRequired[BrebKeyType | None]
    keyValue: NotRequired[str | None]
    description: NotRequired[str]
    reference: NotRequired[str]
    """Your own number of the payout. It is in its answers and events, and the beneficiary does not see it. Several payouts may have the same one."""
    metadata: NotRequired[dict[str, Any]]
    """At most 1 KB as compact JSON, 20 levels deep; comes back as sent."""
    idempotencyKey: NotRequired[str | None]
    """Alternative to the header Idempotency-Key."""


class PayoutListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Payout]


class PayoutMethod(TypedDict):
    """Element of data.methods (contract, Payout catalog)."""

    method: str
    label: str
    network: PayoutNetwork
    currency: str
    """Beneficiaries are paid in pesos."""
    minAmount: Decimal | None
    limits: PayoutMethodLimits
    requiredFields: list[PayoutMethodField]
    banks: NotRequired[list[PayoutBank]]


class PayoutPayload(TypedDict):
    """A payout at the time of the event."""

    id: str
    """As `payoutId` of GET /payout/{id}."""
    reference: str | None
    """Your own, as you gave it; null without one."""
    status: PayoutStatus
    amount: Decimal
    """What the beneficiary gets, in COP."""
    feeAmount: Decimal
    """On top, in COP."""
    currency: PayoutCurrency
    """The balance that pays."""
    network: str
    """`bank` or `breb`."""
    beneficiary: PayoutBeneficiary
    providerPayoutId: str | None
    """The trace code. Null until the provider has one."""
    failureReason: str | None
    """Why the beneficiary does not have the money; null while they have it, or may have it."""
    metadata: dict[str, Any]
    createdAt: str
    completedAt: str | None


class PayoutProcessingEvent(TypedDict):
    event: Literal["payout.processing"]
    data: PayoutPayload
    timestamp: str


class PayoutQrContent(TypedDict):
    """What a QR code says. The first five are fields of POST /payout."""

    network: PayoutQrNetwork
    keyType: BrebKeyType
    keyValue: str
    recipientName: str
    """As the code has it, at most 25 characters."""
    amount: Decimal | None
    """Null: the payer chooses it."""
    city: str | None
    taxId: str | None
    merchantCode: str | None
    reference: str | None
    isStatic: bool
    """false: made for one payment at a shop."""


class PayoutQrContentResponse(TypedDict):
    success: bool
    """Always true."""
    data: PayoutQrContent


class PayoutRefundedEvent(TypedDict):
    event: Literal["payout.refunded"]
    data: PayoutPayload
    timestamp: str


class PayoutResponse(TypedDict):
    success: bool
    """Always true."""
    data: Payout


class Refund(TypedDict):
    """A refund."""

    id: str
    orderId: str
    status: RefundStatus
    """PENDING until an operator has decided and the rail was asked. FAILED: nothing went back. REFUNDED: it went back and came to us again."""
    amount: Decimal
    currency: OrderCurrency
    reason: str
    requestedAt: str
    approvedAt: str | None
    rejectedAt: str | None
    completedAt: str | None
    destinationUrl: str | None
    """Send it to the payer, who names an account or an address there. Null if the rail returns the payment by itself, or the account or address is known."""
    waitsFor: RefundWait | None
    """DESTINATION: the payer, who opens destinationUrl. APPROVAL: an operator. PAYMENT: an operator who sends coins. CONFIRMATIONS: the network of the coins. Null: the rail, or nothing."""
    coins: ReturnedCoins | None
    """Of a payment in coins that is returned to an address of the payer; else null."""
    failureReason: str | None
    """Why nothing went back, or why it came to us again; else null."""


class RefundApprovedEvent(TypedDict):
    event: Literal["refund.approved"]
    data: RefundPayload
    timestamp: str


class RefundCompletedEvent(TypedDict):
    event: Literal["refund.completed"]
    data: RefundPayload
    timestamp: str


class RefundListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Refund]


class RefundResponse(TypedDict):
    success: bool
    """Always true."""
    data: Refund


class Settlement(TypedDict):
    """A closed day of one balance. collected = net + fee + tax."""

    id: str
    date: str
    """The day in Bogota."""
    timezone: str
    currency: BalanceCurrency
    collected: Decimal
    """What payers paid for the orders completed on the day."""
    fee: Decimal
    """Ours, without the tax in it."""
    tax: Decimal
    """The taxes in our fee."""
    net: Decimal
    """What reached the balance."""
    refunded: Decimal
    """By refunds completed on the day."""
    orderCount: int
    refundCount: int
    openingBalance: Decimal
    """Available and held."""
    openingHeld: Decimal
    """The part of it that was held."""
    closingBalance: Decimal
    """Available and held."""
    closingHeld: Decimal
    """The part of it that was held."""
    taxLines: list[TaxLine]
    closedAt: str


class SettlementClosedEvent(TypedDict):
    event: Literal["settlement.closed"]
    data: SettlementPayload
    timestamp: str


class SettlementListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Settlement]


class SettlementResponse(TypedDict):
    success: bool
    """Always true."""
    data: Settlement


class Topup(TypedDict):
    """A top-up (contract, Top-up)."""

    id: str
    status: TopupStatus
    phone: str
    """Ten digits."""
    amountCop: int
    feeCop: int
    """On top, paid by the merchant."""
    totalCop: int
    """amountCop + feeCop."""
    reference: str
    """Trace reference."""
    ticket: TopupTicket | None
    operatorCode: str
    failureReason: str | None
    """Why the phone does not have the credit; null while it has, or may have."""
    createdAt: str
    completedAt: str | None


class TopupListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Topup]


class TopupPayload(TypedDict):
    """A top-up at the time of the event, as GET /topup/{id} shows it, with the phone masked."""

    id: str
    status: TopupStatus
    phone: str
    """The last digits."""
    operatorCode: str
    amountCop: int
    feeCop: int
    """On top."""
    totalCop: int
    """amountCop + feeCop."""
    reference: str
    """Trace reference."""
    failureReason: str | None
    """Why the phone does not have the credit; null while it has, or may have."""
    createdAt: str
    completedAt: str | None


class TopupProcessingEvent(TypedDict):
    event: Literal["topup.processing"]
    data: TopupPayload
    timestamp: str


class TopupRefundedEvent(TypedDict):
    event: Literal["topup.refunded"]
    data: TopupPayload
    timestamp: str


class TopupResponse(TypedDict):
    success: bool
    """Always true."""
    data: Topup


class PaymentCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.completed"]
    data: OrderPayload
    timestamp: str


class PaymentFailedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.failed"]
    data: FailurePayload
    timestamp: str


class PaymentExpiredFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.expired"]
    data: OrderPayload
    timestamp: str


class PaymentCancelledFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.cancelled"]
    data: OrderPayload
    timestamp: str


class PaymentConfirmedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.confirmed"]
    data: OrderPayload
    timestamp: str


class PaymentChargebackFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.chargeback"]
    data: DisputePayload
    timestamp: str


class PaymentDisputedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.disputed"]
    data: DisputePayload
    timestamp: str


class BatchRunningFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.running"]
    data: BatchPayload
    timestamp: str


class BatchPausedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.paused"]
    data: BatchPayload
    timestamp: str


class BatchDoneFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.done"]
    data: BatchPayload
    timestamp: str


class BatchCancelledFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.cancelled"]
    data: BatchPayload
    timestamp: str


class BatchRejectedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.rejected"]
    data: BatchPayload
    timestamp: str


class PayoutProcessingFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payout.processing"]
    data: PayoutPayload
    timestamp: str


class PayoutCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payout.completed"]
    data: PayoutPayload
    timestamp: str


class PayoutFailedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payout.failed"]
    data: PayoutPayload
    timestamp: str


class PayoutRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payout.refunded"]
    data: PayoutPayload
    timestamp: str


class TopupProcessingFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["topup.processing"]
    data: TopupPayload
    timestamp: str


class TopupCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["topup.completed"]
    data: TopupPayload
    timestamp: str


class TopupFailedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["topup.failed"]
    data: TopupPayload
    timestamp: str


class TopupRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["topup.refunded"]
    data: TopupPayload
    timestamp: str


class BillProcessingFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["bill.processing"]
    data: BillPayload
    timestamp: str


class BillCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["bill.completed"]
    data: BillPayload
    timestamp: str


class BillFailedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["bill.failed"]
    data: BillPayload
    timestamp: str


class BillRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["bill.refunded"]
    data: BillPayload
    timestamp: str


class BatchCancelledEvent(TypedDict):
    event: Literal["batch.cancelled"]
    data: BatchPayload
    timestamp: str


class BatchDoneEvent(TypedDict):
    event: Literal["batch.done"]
    data: BatchPayload
    timestamp: str


class BatchPausedEvent(TypedDict):
    event: Literal["batch.paused"]
    data: BatchPayload
    timestamp: str


class BillCompletedEvent(TypedDict):
    event: Literal["bill.completed"]
    data: BillPayload
    timestamp: str


class BillFailedEvent(TypedDict):
    event: Literal["bill.failed"]
    data: BillPayload
    timestamp: str


class DirectMethod(TypedDict):
    """Element of GET /collect/{id}/methods (contract, Direct API method descriptor)."""

    method: str
    label: str
    uiType: DirectMethodUiType
    currency: str
    """Payers pay in pesos."""
    minAmount: Decimal
    requiredFields: list[DirectMethodField]
    terms: NotRequired[list[DirectMethodTerm]]
    """Show the links to the payer, who accepts them: `acceptedTerms`. Absent without."""


class DirectMethodListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[DirectMethod]


class DirectPayRequest(TypedDict):
    """Body of POST /collect/{id}/pay."""

    method: str
    """A key of GET /collect/{id}/methods."""
    fields: NotRequired[dict[str, str]]
    """The method's requiredFields, by key."""
    payer: NotRequired[DirectPayerRequest | None]
    """Default: the order's customer."""
    returnUrl: NotRequired[str | None]
    """Only for the flow redirect. Default: the order's payment page."""
    acceptedTerms: NotRequired[bool]
    """true: the payer accepted the method's terms. Required where it has any."""


class FeedEvent1(PaymentCompletedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.completed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: OrderPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent2(PaymentFailedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.failed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: FailurePayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent3(PaymentExpiredFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.expired"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: OrderPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent4(PaymentCancelledFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.cancelled"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: OrderPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent5(PaymentConfirmedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.confirmed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: OrderPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent8(PaymentChargebackFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.chargeback"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: DisputePayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent9(PaymentDisputedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payment.disputed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: DisputePayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent16(BatchRunningFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.running"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BatchPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent17(BatchPausedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.paused"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BatchPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent18(BatchDoneFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.done"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BatchPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent19(BatchCancelledFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.cancelled"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BatchPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent20(BatchRejectedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["batch.rejected"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BatchPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent21(PayoutProcessingFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payout.processing"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: PayoutPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent22(PayoutCompletedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payout.completed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: PayoutPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent23(PayoutFailedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payout.failed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: PayoutPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent24(PayoutRefundedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["payout.refunded"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: PayoutPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent25(TopupProcessingFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["topup.processing"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: TopupPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent26(TopupCompletedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["topup.completed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: TopupPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent27(TopupFailedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["topup.failed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: TopupPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent28(TopupRefundedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["topup.refunded"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: TopupPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent29(BillProcessingFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["bill.processing"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BillPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent30(BillCompletedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["bill.completed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BillPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent31(BillFailedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["bill.failed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BillPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent32(BillRefundedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header X-Service-Event-Id."""
    event: Literal["bill.refunded"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: BillPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


FeedEvent: TypeAlias = (
    FeedEvent1
    | FeedEvent2
    | FeedEvent3
    | FeedEvent4
    | FeedEvent5
    | FeedEvent6
    | FeedEvent7
    | FeedEvent8
    | FeedEvent9
    | FeedEvent10
    | FeedEvent11
    | FeedEvent12
    | FeedEvent13
    | FeedEvent14
    | FeedEvent15
    | FeedEvent16
    | FeedEvent17
    | FeedEvent18
    | FeedEvent19
    | FeedEvent20
    | FeedEvent21
    | FeedEvent22
    | FeedEvent23
    | FeedEvent24
    | FeedEvent25
    | FeedEvent26
    | FeedEvent27
    | FeedEvent28
    | FeedEvent29
    | FeedEvent30
    | FeedEvent31
    | FeedEvent32
    | FeedEvent33
)
"""An event with its place in the merchant's sequence."""


class FeedEventListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[FeedEvent]


class PaymentLink(TypedDict):
    """A payment link."""

    id: str
    url: str
    """Send it to payers. /qr.svg and /qr.png below it."""
    status: PaymentLinkStatus
    availability: PaymentLinkAvailability
    """PAYABLE, or why a payer cannot pay now. BUSY: others are paying the last ones."""
    title: str
    description: str
    imageUrl: str | None
    """Set by POST /links/{id}/image."""
    currency: OrderCurrency
    amount: Decimal | None
    """Null: the payer chooses."""
    minAmount: Decimal | None
    maxAmount: Decimal | None
    ask: PaymentLinkAsk
    fields: list[PaymentLinkField]
    maxUses: int | None
    stock: int | None
    left: int | None
    """How many more payments by maxUses and stock. Null: any."""
    expiresAt: str | None
    callbackUrl: str | None
    statistics: PaymentLinkStatistics
    createdAt: str
    updatedAt: str


class PaymentLinkListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[PaymentLink]


class PaymentLinkResponse(TypedDict):
    success: bool
    """Always true."""
    data: PaymentLink


class PayoutCatalogue(TypedDict):
    """Answer of GET /payout/methods."""

    enabled: bool
    methods: list[PayoutMethod]


class PayoutCatalogueResponse(TypedDict):
    success: bool
    """Always true."""
    data: PayoutCatalogue


class PayoutCompletedEvent(TypedDict):
    event: Literal["payout.completed"]
    data: PayoutPayload
    timestamp: str


class PayoutFailedEvent(TypedDict):
    event: Literal["payout.failed"]
    data: PayoutPayload
    timestamp: str


class TopupCompletedEvent(TypedDict):
    event: Literal["topup.completed"]
    data: TopupPayload
    timestamp: str


class TopupFailedEvent(TypedDict):
    event: Literal["topup.failed"]
    data: TopupPayload
    timestamp: str
