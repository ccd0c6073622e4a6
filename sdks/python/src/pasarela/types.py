"""Generated from the OpenAPI document by `make sdks`: do not change it by hand."""

from __future__ import annotations
from typing import Any, Literal, NotRequired, TypeAlias, TypedDict
from decimal import Decimal


AccountType: TypeAlias = Literal["SAVINGS", "CHECKING"]


BalanceAccount: TypeAlias = Literal["available", "held"]


BalanceCurrency: TypeAlias = Literal["COPM", "USDT", "USDC", "BTC", "ETH"]


class Bill(TypedDict):
    """Element of data.products."""

    codeRecord: str
    """Id of one bill of the reference; send it in POST /bills/pay."""
    description: str
    """What is owed, in the biller's words."""
    amount: Decimal
    """What is owed, in COP."""
    minAmount: Decimal | None
    """Least that can be paid, in COP. If it and `maxAmount` are null, pay exactly `amount`."""
    maxAmount: Decimal | None
    """Most that can be paid, in COP. If it and `minAmount` are null, pay exactly `amount`."""


class BillCheckRequest(TypedDict):
    """Body of POST /bills/check."""

    agreementId: int
    """Id of the billing agreement, from GET /bills/agreements."""
    reference: str
    """The payer's reference; what it is, the agreement's referenceLabel says."""


class BillCheckResult(TypedDict):
    """Answer of POST /bills/check."""

    agreementId: int
    """Id of the billing agreement, from GET /bills/agreements."""
    agreementName: str
    """Name of the billing agreement."""
    supplierMessage: str | None
    """The biller's own words, for the payer."""
    products: list[Bill]
    """Bills that are owed on the reference."""


class BillCheckResultResponse(TypedDict):
    success: bool
    """Always true."""
    data: BillCheckResult
    """The result."""


class BillPaymentCreateRequest(TypedDict):
    """Body of POST /bills/pay."""

    agreementId: int
    """Id of the billing agreement, from GET /bills/agreements."""
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
    """What proves the payment to the payer."""

    number: str | None
    """The provider's own number."""
    authorization: str | None
    """The provider's approval code. Null if it has none."""
    provider: str
    """Name of the provider that made the payment."""
    issuedAt: str
    """When it was paid, in UTC."""
    agreement: str
    """Name of the billing agreement."""
    reference: str
    """Reference of the bill that was paid."""
    amountCop: int
    """Amount in whole COP, without the fee."""
    legend: str
    """A line to print, for the payer."""


class BillingAgreement(TypedDict):
    """Element of data.items."""

    agreementId: int
    """Id of the billing agreement, from GET /bills/agreements."""
    name: str
    """Name to show to people."""
    referenceLabel: str
    """What the agreement calls its reference, such as the customer number. Show it to the payer."""
    type: str
    """What the agreement is for, such as electricity."""


class BillingAgreementPage(TypedDict):
    """Answer of GET /bills/agreements."""

    items: list[BillingAgreement]
    """Billing agreements of this page."""
    total: int
    """How many agreements match, on every page."""


class BillingAgreementPageResponse(TypedDict):
    success: bool
    """Always true."""
    data: BillingAgreementPage
    """The result."""


BrebKeyType: TypeAlias = Literal["PHONE", "EMAIL", "ALPHANUMERIC", "ID", "BCODE"]


ChargeFlow: TypeAlias = Literal["redirect", "push", "key"]


class CollectionStatistics(TypedDict):
    """Answer of GET /collect/stats."""

    total: int
    """All orders."""
    pending: int
    """Orders that are PENDING."""
    completed: int
    """Orders that are COMPLETED."""
    failed: int
    """Orders that are FAILED."""
    totalCollected: str | Literal[0]
    """Sum of all currencies as decimal text; the number 0 if nothing was paid. Use `collectedByCurrency`."""
    collectedByCurrency: dict[str, str]
    """The same sum apart by currency, since pesos and bitcoin do not add up."""


class CollectionStatisticsResponse(TypedDict):
    success: bool
    """Always true."""
    data: CollectionStatistics
    """The result."""


class CreditedBalance(TypedDict):
    """What is available after the credit."""

    currency: BalanceCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    available: Decimal
    """Money that you may spend, in the currency of the balance. It is a JSON number: parse it as a decimal, not as a float."""


class CreditedBalanceResponse(TypedDict):
    success: bool
    """Always true."""
    data: CreditedBalance
    """The result."""


CustomerDocumentType: TypeAlias = Literal["CC", "CE", "NIT", "PP", ""]


class DayAnnouncementRequest(TypedDict):
    """Body of POST /sandbox/settlement."""

    currency: NotRequired[BalanceCurrency]
    """Currency of the amounts. COPM is the balance in pesos."""


class DirectCharge(TypedDict):
    """Answer of POST /collect/{id}/pay."""

    paymentUrl: str | None
    """Page to which you send the payer, for the flow `redirect`; else null."""
    transactionId: str
    """Id of this payment at the payment provider."""
    method: str
    """Name of the method."""
    flow: ChargeFlow
    """What comes next. `redirect`: open `paymentUrl`. `push`: the payer approves in their app. `key`: show `keyValue`."""
    keyValue: NotRequired[str]
    """Only for the flow key."""
    expiresAt: NotRequired[str]
    """Only for the flow key."""


class DirectChargeResponse(TypedDict):
    success: bool
    """Always true."""
    data: DirectCharge
    """The result."""


class DirectMethodFieldOption(TypedDict):
    """One entry of a list to choose from."""

    value: str
    """Value to send."""
    label: str
    """Name to show to people."""


DirectMethodFieldType: TypeAlias = Literal["bankSelect", "select", "phone", "text"]


class DirectMethodTerm(TypedDict):
    """A document that the payer must accept before paying."""

    url: str
    """Address of the document."""
    label: str
    """Title of the document."""


DirectMethodUiType: TypeAlias = Literal["webview", "push"]


Email: TypeAlias = str
"""E-mail address of the payer."""


DisputeKind: TypeAlias = Literal["DISPUTE", "CHARGEBACK"]


DisputeOutcome: TypeAlias = Literal["WON", "LOST"]


class DisputeOutcomeRequest(TypedDict):
    """Body of POST /sandbox/dispute/{id}."""

    status: DisputeOutcome
    """Outcome to simulate."""


DisputeStatus: TypeAlias = Literal["OPEN", "WON", "LOST"]


DocumentType: TypeAlias = Literal["CC", "CE", "NIT", "PP"]


class Details(TypedDict):
    """More about the error, for your program. Which fields it has depends on the code."""

    field: NotRequired[str]
    """The first offending field, as a path."""
    fields: NotRequired[dict[str, str]]
    """Every offending field with what is wrong with it."""


class ErrorBody(TypedDict):
    """What went wrong."""

    code: str
    """What went wrong, for your program. More codes may be added; treat an unknown one by the HTTP status."""
    message: str
    """What went wrong, for people, in English. Do not compare it in your program."""
    details: NotRequired[Details]
    """More about the error, for your program. Which fields it has depends on the code."""


class ErrorResponse(TypedDict):
    """The envelope of every error."""

    success: bool
    """Always false."""
    error: ErrorBody
    """What went wrong."""


class EventCustomer(TypedDict):
    """What the payer gave on the payment page, masked. GET /collect/{id} has all of it."""

    documentType: DocumentType | None
    """Null unless the order was paid with a document."""
    documentNumber: str | None
    """The last characters. Null unless the order was paid with a document."""


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
    """Whether the page asks for the name."""
    email: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for the e-mail address."""
    document: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for type and number of the document."""
    phone: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for the phone number."""


PaymentLinkAvailability: TypeAlias = Literal[
    "PAYABLE", "PAUSED", "ENDED", "EXPIRED", "USED_UP", "SOLD_OUT", "BUSY", "MERCHANT_NOT_ACTIVE"
]


class PaymentLinkField(TypedDict):
    """A question of your own."""

    label: str
    """What the payer reads."""
    required: NotRequired[bool]
    """Whether a value must be given."""


class PaymentLinkFieldRequest(TypedDict):
    """A question of your own."""

    label: str
    """What the payer reads."""
    required: NotRequired[bool]
    """Whether a value must be given."""


class PaymentLinkImageRequest(TypedDict):
    """Body of POST /links/{id}/image."""

    content: str | None
    """A PNG, JPEG or WebP picture in base64: at most 48,000 bytes before it, and 1024 pixels a side. Null takes the image away."""


class PaymentLinkPayload(TypedDict):
    """The order that a payer of the link has paid, the try that paid it, and the link."""

    id: str
    """Id of the order."""
    reference: str
    """Your own number of the order, as you sent it."""
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    status: OrderStatus
    """COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid."""
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    customer: NotRequired[EventCustomer]
    """Only of an order whose document you left to the payment page."""
    traceCode: NotRequired[str | None]
    """Trace code of the last try; for PSE, the CUS."""
    failureReason: NotRequired[str | None]
    """Why the last try brought no money, as a code; null if it did, or if the bank did not say."""
    attempts: NotRequired[int]
    """How many payments were begun for the order, the last one included."""
    linkCode: str
    """The end of its address."""
    linkTitle: str
    """Title of the payment link."""
    linkUrl: str
    """Address of the payment link."""


class PaymentLinkStatistics(TypedDict):
    """Figures of a link so far."""

    visits: int
    """Browsers, each once a day."""
    orders: int
    """Orders that payers have made with the link."""
    open: int
    """Orders that may still be paid."""
    paid: int
    """Orders of the link that are paid."""
    collected: Decimal
    """What you received, in the link's currency."""


PaymentLinkStatus: TypeAlias = Literal["ACTIVE", "PAUSED", "ENDED"]


class PaymentLinkUpdateRequest(TypedDict):
    """Body of PATCH /links/{id}. What is left out stays. `status` moves the link."""

    title: NotRequired[str]
    """What is paid. The payer reads it."""
    description: NotRequired[str]
    """Text that people read; for your own data use `metadata`."""
    amount: NotRequired[Decimal | int | None]
    """A fixed amount stays fixed, an open one open."""
    minAmount: NotRequired[Decimal | int | None]
    """Smallest amount that is accepted. Null: no limit of its own."""
    maxAmount: NotRequired[Decimal | int | None]
    """Largest amount that is accepted. Null: no limit of its own."""
    ask: NotRequired[PaymentLinkAskUpdateRequest]
    """Which data the page asks of the payer."""
    fields: NotRequired[list[PaymentLinkFieldRequest]]
    """Questions of your own that the page asks."""
    maxUses: NotRequired[int | None]
    """Null: any."""
    stock: NotRequired[int | None]
    """Pieces in all, with those that are sold. Null: any."""
    expiresAt: NotRequired[str | None]
    """When the page stops taking payments, in UTC. Null: never."""
    callbackUrl: NotRequired[str | None]
    """Where the payer's browser returns. Webhooks do not go there."""
    status: NotRequired[PaymentLinkStatus]
    """PAUSED, ACTIVE again, or ENDED for ever. Open orders can still be paid."""


PaymentMethod: TypeAlias = Literal["PSE", "BANK_TRANSFER", "CRYPTO"]


class PayoutBank(TypedDict):
    """A bank that the method reaches."""

    bankCanonicalId: str
    """Our id of the bank; send it in POST /payout."""
    name: str
    """Name to show to people."""


class PayoutBatchLineCreateRequest(TypedDict):
    """A payout of a batch: the fields of POST /payout. Its payout has its metadata."""

    amount: Decimal | int
    """What the beneficiary gets, in COP."""
    recipientName: str
    """Full name of the beneficiary."""
    recipientDocType: DocumentType
    """Type of the beneficiary's document."""
    recipientDocNumber: str
    """Number of the beneficiary's document."""
    network: NotRequired[str]
    """BANK or BREB."""
    bankCanonicalId: NotRequired[str | None]
    """Our id of the bank, from GET /payout/methods. Required for BANK."""
    accountType: NotRequired[AccountType | None]
    """SAVINGS or CHECKING. Required for BANK."""
    accountNumber: NotRequired[str | None]
    """Number of the bank account, 6 to 20 digits; of Nequi and DaviPlata the mobile number. Required for BANK."""
    keyType: NotRequired[BrebKeyType | None]
    """Type of the Bre-B key. Required for BREB."""
    keyValue: NotRequired[str | None]
    """The Bre-B key, such as a mobile number or an e-mail address. Required for BREB."""
    description: NotRequired[str]
    """Text that people read; for your own data use `metadata`."""
    reference: NotRequired[str]
    """Yours. No two lines of a batch have the same."""
    metadata: NotRequired[dict[str, Any]]
    """At most 1 KB as compact JSON, 20 levels deep; comes back as sent."""


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
    """Type of the document, such as CC or NIT."""
    documentNumber: str | None
    """Last characters of the document's number."""
    bankCanonicalId: str | None
    """Null for a key."""
    accountType: str | None
    """SAVINGS, CHECKING; null for a key."""
    accountNumber: str | None
    """Last digits of the bank account. Null for a key."""
    keyType: str | None
    """Such as PHONE; null for an account."""
    keyValue: str | None
    """Last characters of the Bre-B key. Null for an account."""


PayoutCurrency: TypeAlias = Literal["COPM", "USDT"]


class PayoutMethodField(TypedDict):
    """A field that POST /payout needs for the method."""

    key: str
    """Name of the field in the body of POST /payout."""
    required: bool
    """Whether a value must be given."""
    type: str
    """Type of the value."""
    enum: NotRequired[list[str]]
    """Values that are allowed. Absent if there is no closed list."""


class PayoutMethodLimits(TypedDict):
    """Per transaction."""

    maxAmountCop: Decimal
    """Largest amount of one payout, in COP."""


PayoutNetwork: TypeAlias = Literal["BANK", "BREB"]


PayoutOutcome: TypeAlias = Literal["COMPLETED", "FAILED", "REFUNDED"]


class PayoutOutcomeRequest(TypedDict):
    """Body of POST /sandbox/payout/{id}."""

    status: PayoutOutcome
    """Outcome to simulate."""


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
    """APPROVED and REJECTED: what our operator decides. The others: what the bank reports; a refund that waits is approved first."""


class RefundPayload(TypedDict):
    """The order, and what this refund has to do with it."""

    id: str
    """Id of the order."""
    reference: str
    """Your own number of the order, as you sent it."""
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    status: OrderStatus
    """COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid."""
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    customer: NotRequired[EventCustomer]
    """Only of an order whose document you left to the payment page."""
    refundId: str
    """Id of the refund."""
    refundedAmount: Decimal
    """By this refund."""
    remainingAmount: Decimal
    """What no refund has brought back so far."""
    totalRefunded: Decimal
    """What all refunds have brought back so far."""
    reason: str
    """Why, in words."""
    requestedAt: str
    """When you asked for it, in UTC."""
    approvedAt: NotRequired[str]
    """When an operator approved it, in UTC. Null or absent until then."""
    rejectedAt: NotRequired[str]
    """When an operator rejected it, in UTC. Null or absent until then."""
    completedAt: NotRequired[str]
    """When it was completed, in UTC. Null or absent until then."""


class RefundRejectedEvent(TypedDict):
    event: Literal["refund.rejected"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class RefundRequestedEvent(TypedDict):
    event: Literal["refund.requested"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


RefundStatus: TypeAlias = Literal["PENDING", "PROCESSING", "COMPLETED", "FAILED", "REFUNDED"]


RefundWait: TypeAlias = Literal["DESTINATION", "APPROVAL", "PAYMENT", "CONFIRMATIONS"]


class ReturnedCoins(TypedDict):
    """How a refund in coins is paid."""

    amount: Decimal | None
    """Null until an operator has approved."""
    currency: str
    """Coin in which the refund is paid."""
    network: str
    """Network on which the coins are sent."""
    transaction: str | None
    """On the network. Null until the coins were sent."""


SandboxCollectionOutcome: TypeAlias = Literal["COMPLETED", "FAILED", "EXPIRED"]


class SettlementPayload(TypedDict):
    """A closed day of one balance. collected = net + fee + tax."""

    id: str
    """Id of this resource, for the path of its requests."""
    date: str
    """The day in Bogota."""
    timezone: Literal["America/Bogota"]
    """Time zone of the day: Colombia's."""
    currency: BalanceCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
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
    """How many orders were completed on the day."""
    refundCount: int
    """How many refunds were completed on the day."""
    closedAt: str
    """When the day was closed, in UTC."""


TaxKind: TypeAlias = Literal["INCLUDED", "WITHHELD"]


class TaxLine(TypedDict):
    """A tax on our fee. INCLUDED is a part of it, WITHHELD is only stated."""

    name: str
    """Name of the tax."""
    kind: TaxKind
    """INCLUDED: part of our fee. WITHHELD: only stated."""
    rate: Decimal
    """0.19 is 19%."""
    base: Decimal
    """Our fee without the taxes in it."""
    amount: Decimal
    """The tax, in the currency of the settlement."""


class TestPayload(TypedDict):
    """About no payment."""

    merchantId: str
    """Id of your account."""
    message: str
    """A sentence that says that this is a test."""


class TopupCreateRequest(TypedDict):
    """Body of POST /topup."""

    phone: str
    """A Colombian mobile: ten digits from 3; +57, spaces and dashes may be there."""
    operatorCode: str
    """A code of GET /topup/operators."""
    amountCop: int
    """Whole pesos."""
    idempotencyKey: NotRequired[str | None]
    """Alternative to the header Idempotency-Key."""


class TopupOperator(TypedDict):
    """An operator and what it sells."""

    code: str
    """Id of the operator; send it as `operatorCode`."""
    name: str
    """Name to show to people."""
    logo: str
    """Address of the operator's logo."""
    minAmount: Decimal | None
    """Smallest amount that is accepted. Null: no limit of its own."""
    maxAmount: Decimal
    """Largest amount that is accepted. Null: no limit of its own."""
    allowedAmounts: list[int] | None
    """Null: every amount within the limits. Else only these."""


class TopupOperatorListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[TopupOperator]
    """The elements of this page."""


TopupStatus: TypeAlias = Literal["processing", "completed", "failed", "refunded"]


class TopupTicket(TypedDict):
    """What proves the top-up to the person who holds the phone."""

    number: str | None
    """The provider's own number."""
    authorization: str | None
    """The provider's approval code."""
    provider: str
    """Name of the provider that made the payment."""
    issuedAt: str
    """When it was paid, in UTC."""
    operator: str
    """Name of the mobile operator."""
    phone: str
    """Phone number."""
    amountCop: int
    """Amount in whole COP, without the fee."""
    legend: str
    """A line to print for the holder of the phone."""


Event: TypeAlias = str


class WebhookEndpointCreateRequest(TypedDict):
    """Body of POST /webhook-endpoints."""

    url: str
    """https (or http, which others can read), with a public address."""
    events: list[Event]
    """The kinds of events that it gets. For the account's own: with those always sent."""
    description: NotRequired[str]
    """Your own name of the endpoint."""
    enabled: NotRequired[bool]
    """While it is false, no new events go there, and what is on its way waits."""


class WebhookEndpointDeletion(TypedDict):
    """What DELETE /webhook-endpoints/{id} returns."""

    id: str
    """Id of this resource, for the path of its requests."""
    deleted: bool
    """Always true."""


class WebhookEndpointDeletionResponse(TypedDict):
    success: bool
    """Always true."""
    data: WebhookEndpointDeletion
    """The result."""


class WebhookEndpointUpdateRequest(TypedDict):
    """Body of PATCH /webhook-endpoints/{id}. What is left out stays."""

    url: NotRequired[str | None]
    """https (or http, which others can read), with a public address. Null only for the account's own: then its events wait."""
    events: NotRequired[list[Event]]
    """The kinds of events that it gets. For the account's own: with those always sent."""
    description: NotRequired[str]
    """Your own name of the endpoint."""
    enabled: NotRequired[bool]
    """While it is false, no new events go there, and what is on its way waits."""


WebhookResendRequest = TypedDict(
    "WebhookResendRequest",
    {
        "eventId": NotRequired[str],
        "from": NotRequired[str],
        "to": NotRequired[str],
        "onlyMissing": NotRequired[bool],
    },
)


class WebhookResendResult(TypedDict):
    """What is sent again."""

    id: str
    """Of the endpoint."""
    events: int
    """How many events are on their way again."""


class WebhookResendResultResponse(TypedDict):
    success: bool
    """Always true."""
    data: WebhookResendResult
    """The result."""


WebhookSignatureSecret: TypeAlias = Literal["OLD", "NEW"]


class WebhookTestEvent(TypedDict):
    event: Literal["webhook.test"]
    """Kind of the event."""
    data: TestPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class WebhookTestResult(TypedDict):
    """The test event that is on its way."""

    id: str
    """Of the endpoint."""
    eventId: str
    """As in the header webhook-id."""


class WebhookTestResultResponse(TypedDict):
    success: bool
    """Always true."""
    data: WebhookTestResult
    """The result."""


class PaymentRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.refunded"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PaymentPartiallyRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.partially_refunded"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class RefundRequestedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["refund.requested"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class RefundApprovedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["refund.approved"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class RefundRejectedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["refund.rejected"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class RefundCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["refund.completed"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class SettlementClosedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["settlement.closed"]
    """Kind of the event."""
    data: SettlementPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class LinkPaidFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["link.paid"]
    """Kind of the event."""
    data: PaymentLinkPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class WebhookTestFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["webhook.test"]
    """Kind of the event."""
    data: TestPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class AnnouncedDay(TypedDict):
    """The figures of today so far. collected = net + fee + tax."""

    id: str
    """New in each answer. GET /settlements does not know it."""
    date: str
    """The day in Bogota."""
    timezone: str
    """Time zone of the day: Colombia's."""
    currency: BalanceCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
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
    """How many orders were completed on the day."""
    refundCount: int
    """How many refunds were completed on the day."""
    closedAt: str
    """The time of this request."""
    eventId: str | None
    """As in the header webhook-id. Null if neither your account nor one of your webhook endpoints takes settlement.closed: then nothing is sent."""


class AnnouncedDayResponse(TypedDict):
    success: bool
    """Always true."""
    data: AnnouncedDay
    """The result."""


class Balance(TypedDict):
    """Element of GET /balance."""

    currency: BalanceCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    available: Decimal
    """What may be spent."""
    held: Decimal
    """What payouts under way have set aside."""


class BalanceCreditRequest(TypedDict):
    """Body of POST /sandbox/balance."""

    currency: BalanceCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    amount: Decimal | int
    """Play money to add, in the currency of the balance."""


class BalanceListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Balance]
    """The elements of this page."""


class BatchPayload(TypedDict):
    """A batch at the time of the event, as GET /payout/batches/{id} shows it."""

    id: str
    """As `batchId` of GET /payout/batches/{id}."""
    status: PayoutBatchStatus
    """Present state."""
    source: PayoutBatchSource
    """FILE: uploaded by a person in the console. API: sent by POST /payout/batches."""
    name: str
    """Name to show to people."""
    currency: PayoutCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
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
    """When it was created, in UTC."""
    finishedAt: str | None
    """When no more payouts were to be created, in UTC. Null until then."""


class BatchRejectedEvent(TypedDict):
    event: Literal["batch.rejected"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class BatchRunningEvent(TypedDict):
    event: Literal["batch.running"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class BillPayload(TypedDict):
    """
    A bill payment at the time of the event, as GET /bills/payments/{id} shows it, with the
    bill's reference masked.
    """

    id: str
    """Id of this resource, for the path of its requests."""
    status: BillPaymentStatus
    """`processing` is under way: do not send it again. `completed`, `failed` and `refunded` are final."""
    agreementId: int
    """Id of the billing agreement, from GET /bills/agreements."""
    agreementName: str
    """Name of the billing agreement."""
    billReference: str
    """The last characters."""
    amountCop: int
    """Amount in whole COP, without the fee."""
    feeCop: int
    """On top."""
    totalCop: int
    """amountCop + feeCop."""
    reference: str
    """Trace reference."""
    failureReason: str | None
    """Why the bill is not paid; null while it is, or may be."""
    createdAt: str
    """When it was created, in UTC."""
    completedAt: str | None
    """When it was completed, in UTC. Null or absent until then."""


class BillPayment(TypedDict):
    """A bill payment."""

    id: str
    """Id of this resource, for the path of its requests."""
    status: BillPaymentStatus
    """`processing` is under way: do not send it again. `completed`, `failed` and `refunded` are final."""
    amountCop: int
    """Amount in whole COP, without the fee."""
    feeCop: int
    """On top."""
    totalCop: int
    """amountCop + feeCop."""
    reference: str
    """Trace reference."""
    ticket: BillTicket | None
    """Null until completed."""
    agreementId: int
    """Id of the billing agreement, from GET /bills/agreements."""
    agreementName: str
    """Name of the billing agreement."""
    billReference: str
    """Reference of the bill, as you sent it."""
    codeRecord: str
    """Id of one bill of the reference; send it in POST /bills/pay."""
    failureReason: str | None
    """Why the bill is not paid; null while it is, or may be."""
    createdAt: str
    """When it was created, in UTC."""
    completedAt: str | None
    """When it was completed, in UTC. Null or absent until then."""


class BillPaymentListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[BillPayment]
    """The elements of this page."""


class BillPaymentResponse(TypedDict):
    success: bool
    """Always true."""
    data: BillPayment
    """The result."""


class BillProcessingEvent(TypedDict):
    event: Literal["bill.processing"]
    """Kind of the event."""
    data: BillPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class BillRefundedEvent(TypedDict):
    event: Literal["bill.refunded"]
    """Kind of the event."""
    data: BillPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class CompletionPayload(TypedDict):
    """The order, and the try that paid it."""

    id: str
    """Id of the order."""
    reference: str
    """Your own number of the order, as you sent it."""
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    status: OrderStatus
    """Present state."""
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    customer: NotRequired[EventCustomer]
    """Only of an order whose document you left to the payment page."""
    traceCode: NotRequired[str | None]
    """Trace code of the last try; for PSE, the CUS."""
    failureReason: NotRequired[str | None]
    """Why the last try brought no money, as a code; null if it did, or if the bank did not say."""
    attempts: NotRequired[int]
    """How many payments were begun for the order, the last one included."""


class Customer(TypedDict):
    """The payer as the merchant named them."""

    name: str
    """Full name of the payer."""
    email: str
    """E-mail address of the payer."""
    documentType: CustomerDocumentType | None
    """Null where you left the document to the payment page and no payer has given it yet. Empty, like the other fields, where a payment link did not ask for it."""
    documentNumber: str | None
    """Number of the document. Null together with documentType."""


class DirectMethodField(TypedDict):
    """A field to ask the payer for."""

    key: str
    """Name of the field in `fields` of POST /collect/{id}/pay."""
    type: DirectMethodFieldType
    """Type of the value."""
    label: str
    """Name to show to people."""
    required: bool
    """Whether a value must be given."""
    options: NotRequired[list[DirectMethodFieldOption]]
    """Of the types with a list."""


class DirectPayerRequest(TypedDict):
    """Who pays, where that is not the order's customer."""

    name: NotRequired[str]
    """Full name of the payer."""
    email: NotRequired[Email]
    """E-mail address of the payer."""
    phone: NotRequired[str]
    """Phone number."""
    docType: NotRequired[DocumentType]
    """Type of the payer's document. Goes with `docNumber`."""
    docNumber: NotRequired[str]
    """Goes with docType."""


class Dispute(TypedDict):
    """A dispute, as in its events."""

    disputeId: str
    """Id of the dispute."""
    disputedAmount: Decimal
    """What the merchant answers for."""
    reason: str
    """Why, in words."""
    openedAt: str
    """When the dispute was opened, in UTC."""
    evidenceDueAt: str | None
    """Null when the bank sets no limit."""
    orderId: str
    """Id of the order."""
    kind: DisputeKind
    """DISPUTE: the bank asks; you may answer with evidence. CHARGEBACK: the bank took the money back."""
    status: DisputeStatus
    """Present state."""


class DisputeCreateRequest(TypedDict):
    """Body of POST /sandbox/collect/{id}/dispute."""

    kind: NotRequired[DisputeKind]
    """DISPUTE: the bank asks; you may answer with evidence. CHARGEBACK: the bank took the money back."""
    amount: NotRequired[Decimal | int | None]
    """In the order's currency. Default: what is neither refunded nor contested."""
    reason: NotRequired[str]
    """Why, in words."""


class DisputePayload(TypedDict):
    """The order, and what is contested of it."""

    id: str
    """Id of the order."""
    reference: str
    """Your own number of the order, as you sent it."""
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    status: OrderStatus
    """COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid."""
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    customer: NotRequired[EventCustomer]
    """Only of an order whose document you left to the payment page."""
    disputeId: str
    """Id of the dispute."""
    disputedAmount: Decimal
    """What the merchant answers for."""
    reason: str
    """Why, in words."""
    openedAt: str
    """When the dispute was opened, in UTC."""
    evidenceDueAt: str | None
    """Null when the bank sets no limit."""


class DisputeResponse(TypedDict):
    success: bool
    """Always true."""
    data: Dispute
    """The result."""


class FailurePayload(TypedDict):
    """The order, and why it failed."""

    id: str
    """Id of the order."""
    reference: str
    """Your own number of the order, as you sent it."""
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    status: OrderStatus
    """COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid."""
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    customer: NotRequired[EventCustomer]
    """Only of an order whose document you left to the payment page."""
    traceCode: NotRequired[str | None]
    """Trace code of the last try; for PSE, the CUS."""
    failureReason: NotRequired[str | None]
    """Why the last try brought no money, as a code; null if it did, or if the bank did not say."""
    attempts: NotRequired[int]
    """How many payments were begun for the order, the last one included."""


class FeedEvent6(PaymentRefundedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["webhook.test"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: TestPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class LinkPaidEvent(TypedDict):
    event: Literal["link.paid"]
    """Kind of the event."""
    data: PaymentLinkPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class Movement(TypedDict):
    """Element of GET /balance/movements."""

    id: str
    """Id of this resource, for the path of its requests."""
    kind: MovementKind
    """Why the money moved, such as `collect_settled`. More kinds may be added."""
    subjectId: str
    """What caused it: the id of an order or a payout; of the account for play money."""
    currency: BalanceCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    account: BalanceAccount
    """`available`: money that you may spend. `held`: money set aside for payouts and refunds under way."""
    amount: Decimal
    """Change of the account. Negative if money left the account."""
    balanceAfter: Decimal
    """Of this account, after this movement."""
    createdAt: str
    """When it was created, in UTC."""


class MovementListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Movement]
    """The elements of this page."""


class Order(TypedDict):
    """Element of GET /collect, answer of GET /collect/{id}."""

    id: str
    """Id of the order."""
    reference: str
    """Your own number of the order, as you sent it."""
    amount: Decimal
    """What the payer pays: baseAmount + feeAmount. A JSON number: parse it as a decimal."""
    baseAmount: Decimal | None
    """What you receive, in the order's currency. Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Our fee, on top of `baseAmount`, in the order's currency. Null on orders from before 2026."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    status: OrderStatus
    """COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid."""
    collectUrl: str
    """Payment page of the order. Send the payer there."""
    expiresAt: str
    """When it can no longer be paid, in UTC."""
    createdAt: str
    """When it was created, in UTC."""
    description: str
    """Text that people read; for your own data use `metadata`."""
    selectedMethod: PaymentMethod | None
    """Method that the payer has chosen. Null until then."""
    allowedMethods: list[PaymentMethod]
    """Methods with which the payer may pay this order."""
    customer: Customer
    """The payer, as you named them."""
    callbackUrl: str | None
    """Where the payer's browser returns. Webhooks do not go there."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    paidAt: str | None
    """When the whole amount had arrived, in UTC. Null until then."""
    confirmedAt: str | None
    """When the payment became final and it is safe to deliver, in UTC. Null until then."""
    cancelledAt: str | None
    """When the order was cancelled, in UTC. Null if it was not."""
    retryOf: str | None
    """The id of the refused order whose payer tried again; null on all other orders."""
    refundedAmount: Decimal
    """What refunds have brought back to the payer."""
    linkId: str | None
    """Of the payment link with which the payer made the order; null on all other orders."""
    traceCode: str | None
    """Trace code of the try that paid, or else of the last one; for PSE, the CUS."""
    failureReason: str | None
    """Why the last try brought no money, as a code; null if the order is paid, or if the bank did not say."""
    attempts: int
    """How many payments were begun for the order."""
    updatedAt: str
    """When it last changed, in UTC."""


class OrderCreateRequest(TypedDict):
    """Body of POST /collect."""

    reference: str
    """Your own number of the order. Each can be used once, for ever: after an order that FAILED or EXPIRED, a second try needs a new one."""
    amount: Decimal | int
    """What you receive, in the order's currency; the fee comes on top. A JSON number."""
    currency: NotRequired[OrderCurrency]
    """Currency of `amount`: COP, or the coin in which the payer pays."""
    description: NotRequired[str]
    """What is paid. The payer reads it on the payment page."""
    customerName: str
    """Full name of the payer."""
    customerEmail: str
    """E-mail address of the payer, for the receipt."""
    customerDocType: NotRequired[DocumentType]
    """Required, unless the account leaves the document to the payment page (a switch in the console): then leave out both fields, and the payer is asked where the way to pay needs it."""
    customerDocNumber: NotRequired[str]
    """Goes with customerDocType: both, or none where the account allows it."""
    expirationMinutes: NotRequired[int]
    """Minutes until the unpaid order expires."""
    callbackUrl: NotRequired[str | None]
    """Where the payer's browser returns; webhooks go to the URL of your account. When the order is COMPLETED, FAILED or EXPIRED, our page has a button that leads there; right after a payment it goes there by itself in 10 seconds. It adds `id`, `reference`, `status` and `confirmation=webhook` to the query and keeps yours, so do not use these names. The return proves nothing: only the signed webhook confirms a payment. In a sandbox it may be `http://localhost` or `http://127.0.0.1`, with any port."""
    allowedMethods: NotRequired[list[PaymentMethod] | None]
    """Default: the methods of the account."""
    metadata: NotRequired[dict[str, Any]]
    """At most 1 KB as compact JSON, 20 levels deep; comes back as sent."""


class OrderCreated(TypedDict):
    """Answer of POST /collect."""

    id: str
    """Id of the order."""
    reference: str
    """Your own number of the order, as you sent it."""
    amount: Decimal
    """What the payer pays: baseAmount + feeAmount. A JSON number: parse it as a decimal."""
    baseAmount: Decimal | None
    """What you receive, in the order's currency. Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Our fee, on top of `baseAmount`, in the order's currency. Null on orders from before 2026."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    status: OrderStatus
    """COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid."""
    collectUrl: str
    """Payment page of the order. Send the payer there."""
    expiresAt: str
    """When it can no longer be paid, in UTC."""
    createdAt: str
    """When it was created, in UTC."""


class OrderCreatedResponse(TypedDict):
    success: bool
    """Always true."""
    data: OrderCreated
    """The result."""


class OrderListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Order]
    """The elements of this page."""


class OrderOutcomeRequest(TypedDict):
    """Body of POST /sandbox/collect/{id}."""

    status: SandboxCollectionOutcome
    """Outcome to simulate."""
    method: NotRequired[PaymentMethod | None]
    """Default: the one that the payer has chosen, else the first of the order."""
    amount: NotRequired[Decimal | int | None]
    """What arrives, in the order's currency. Default: what is missing."""


class OrderPayload(TypedDict):
    """The order at the time of the event."""

    id: str
    """Id of the order."""
    reference: str
    """Your own number of the order, as you sent it."""
    amount: Decimal
    """What the payer paid: baseAmount + feeAmount."""
    baseAmount: Decimal | None
    """Null on orders from before 2026."""
    feeAmount: Decimal | None
    """Null on orders from before 2026."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    status: OrderStatus
    """COMPLETED, FAILED and EXPIRED are final. Only COMPLETED is paid."""
    paidAt: str | None
    """Null unless the order was paid."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    retryOf: NotRequired[str]
    """Only on an order that repeats a refused one: the id of the refused order."""
    linkId: NotRequired[str]
    """Only of an order of a payment link."""
    customer: NotRequired[EventCustomer]
    """Only of an order whose document you left to the payment page."""


class OrderResponse(TypedDict):
    success: bool
    """Always true."""
    data: Order
    """The result."""


class PaymentCancelledEvent(TypedDict):
    event: Literal["payment.cancelled"]
    """Kind of the event."""
    data: OrderPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PaymentChargebackEvent(TypedDict):
    event: Literal["payment.chargeback"]
    """Kind of the event."""
    data: DisputePayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PaymentCompletedEvent(TypedDict):
    event: Literal["payment.completed"]
    """Kind of the event."""
    data: CompletionPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PaymentConfirmedEvent(TypedDict):
    event: Literal["payment.confirmed"]
    """Kind of the event."""
    data: OrderPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PaymentDisputedEvent(TypedDict):
    event: Literal["payment.disputed"]
    """Kind of the event."""
    data: DisputePayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PaymentExpiredEvent(TypedDict):
    event: Literal["payment.expired"]
    """Kind of the event."""
    data: OrderPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PaymentFailedEvent(TypedDict):
    event: Literal["payment.failed"]
    """Kind of the event."""
    data: FailurePayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PaymentLinkAsk(TypedDict):
    """What the payer is asked for."""

    name: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for the name."""
    email: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for the e-mail address."""
    document: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for type and number of the document."""
    phone: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for the phone number."""


class PaymentLinkAskRequest(TypedDict):
    """What the payer is asked for."""

    name: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for the name."""
    email: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for the e-mail address."""
    document: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for type and number of the document."""
    phone: NotRequired[PaymentLinkAskRule]
    """Whether the page asks for the phone number."""


class PaymentLinkCreateRequest(TypedDict):
    """Body of POST /links."""

    title: str
    """What is paid. It becomes the order's description."""
    description: NotRequired[str]
    """Text that people read; for your own data use `metadata`."""
    amount: NotRequired[Decimal | int | None]
    """What you receive; the fee comes on top. Null or absent: the payer chooses."""
    minAmount: NotRequired[Decimal | int | None]
    """Smallest amount that is accepted. Null: no limit of its own."""
    maxAmount: NotRequired[Decimal | int | None]
    """Largest amount that is accepted. Null: no limit of its own."""
    ask: NotRequired[PaymentLinkAskRequest]
    """Which data the page asks of the payer."""
    fields: NotRequired[list[PaymentLinkFieldRequest]]
    """Questions of your own that the page asks."""
    maxUses: NotRequired[int | None]
    """Null: any."""
    stock: NotRequired[int | None]
    """Pieces in all, with those that are sold. Null: any."""
    expiresAt: NotRequired[str | None]
    """When the page stops taking payments, in UTC. Null: never."""
    callbackUrl: NotRequired[str | None]
    """Where the payer's browser returns. Webhooks do not go there."""
    currency: NotRequired[OrderCurrency]
    """Currency of the amounts. It cannot be changed later."""


class PaymentPartiallyRefundedEvent(TypedDict):
    event: Literal["payment.partially_refunded"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PaymentRefundedEvent(TypedDict):
    event: Literal["payment.refunded"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class Payout(TypedDict):
    """A payout."""

    payoutId: str
    """Id of the payout."""
    status: PayoutStatus
    """PENDING and PROCESSING are under way: do not send the payout again. COMPLETED, FAILED and REFUNDED (it came back) are final."""
    amount: Decimal
    """What the beneficiary gets, in COP. It is a JSON number: parse it as a decimal, not as a float."""
    feeAmount: Decimal
    """On top, in COP, paid by the merchant."""
    recipientName: str
    """Full name of the beneficiary."""
    network: str
    """`bank` or `breb`."""
    providerPayoutId: str | None
    """The trace code. Null until the provider has one."""
    createdAt: str
    """When it was created, in UTC."""
    completedAt: str | None
    """When it was completed, in UTC. Null or absent until then."""
    failureReason: str | None
    """Why the beneficiary does not have the money; null while they have it, or may have it."""
    reference: str | None
    """Your own, as you gave it; null without one."""
    description: str
    """Text that people read; for your own data use `metadata`."""
    beneficiary: PayoutBeneficiary
    """Who gets the money, masked."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""


class PayoutBatch(TypedDict):
    """With how many lines have which status."""

    batchId: str
    """Id of the batch."""
    status: PayoutBatchStatus
    """Present state."""
    source: PayoutBatchSource
    """FILE: uploaded by a person in the console."""
    name: str
    """Name to show to people."""
    currency: PayoutCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    lineCount: int
    """Lines that can be paid."""
    amount: Decimal
    """Of these lines, in COP."""
    feeAmount: Decimal
    """On top, in COP."""
    waitsFor: str | None
    """Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE."""
    createdAt: str
    """When it was created, in UTC."""
    finishedAt: str | None
    """When no more payouts were to be created, in UTC. Null until then."""
    lines: dict[str, int]
    """How many lines have which status. A line with a payout has the payout's status."""


class PayoutBatchCreateRequest(TypedDict):
    """Body of POST /payout/batches."""

    name: NotRequired[str]
    """Of your own."""
    currency: NotRequired[PayoutCurrency]
    """The balance that pays: COPM (pesos) or USDT."""
    idempotencyKey: NotRequired[str | None]
    """Alternative to the header Idempotency-Key."""
    lines: list[PayoutBatchLineCreateRequest]
    """The payouts of the batch, 1 to 10,000."""


class PayoutBatchLine(TypedDict):
    """A line and its payout."""

    number: int
    """Of the file, or from 1 as the lines were sent."""
    reference: str
    """Your own number of the line, as you sent it."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    status: PayoutBatchLineStatus
    """Present state."""
    amount: Decimal | None
    """What the beneficiary gets, in COP. Null if the line is wrong."""
    feeAmount: Decimal | None
    """Our fee, on top, in COP. Null if the line is wrong."""
    recipientName: str
    """Full name of the beneficiary."""
    payoutId: str | None
    """Id of the payout of this line. Null until it is created."""
    providerPayoutId: str | None
    """The trace code."""
    reason: str | None
    """Why the line was not paid, failed or came back; else null."""
    warnings: list[str]
    """What may be a mistake, such as the same payment within 30 days."""


class PayoutBatchLineListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[PayoutBatchLine]
    """The elements of this page."""


class PayoutBatchResponse(TypedDict):
    success: bool
    """Always true."""
    data: PayoutBatch
    """The result."""


class PayoutBatchSummary(TypedDict):
    """A batch of payouts."""

    batchId: str
    """Id of the batch."""
    status: PayoutBatchStatus
    """Present state."""
    source: PayoutBatchSource
    """FILE: uploaded by a person in the console."""
    name: str
    """Name to show to people."""
    currency: PayoutCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    lineCount: int
    """Lines that can be paid."""
    amount: Decimal
    """Of these lines, in COP."""
    feeAmount: Decimal
    """On top, in COP."""
    waitsFor: str | None
    """Why no payouts are created at this moment, such as INSUFFICIENT_BALANCE."""
    createdAt: str
    """When it was created, in UTC."""
    finishedAt: str | None
    """When no more payouts were to be created, in UTC. Null until then."""


class PayoutBatchSummaryListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[PayoutBatchSummary]
    """The elements of this page."""


class PayoutCreateRequest(TypedDict):
    """Body of POST /payout."""

    amount: Decimal | int
    """What the beneficiary gets, in COP."""
    currency: NotRequired[PayoutCurrency]
    """The balance that pays: COPM (pesos) or USDT."""
    recipientName: str
    """Full name of the beneficiary."""
    recipientDocType: DocumentType
    """Type of the beneficiary's document."""
    recipientDocNumber: str
    """Number of the beneficiary's document."""
    network: NotRequired[str]
    """BANK or BREB."""
    bankCanonicalId: NotRequired[str | None]
    """Our id of the bank, from GET /payout/methods. Required for BANK."""
    accountType: NotRequired[AccountType | None]
    """SAVINGS or CHECKING. Required for BANK."""
    accountNumber: NotRequired[str | None]
    """Number of the bank account, 6 to 20 digits; of Nequi and DaviPlata the mobile number. Required for BANK."""
    keyType: NotRequired[BrebKeyType | None]
    """Type of the Bre-B key. Required for BREB."""
    keyValue: NotRequired[str | None]
    """The Bre-B key, such as a mobile number or an e-mail address. Required for BREB."""
    description: NotRequired[str]
    """Text that people read; for your own data use `metadata`."""
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
    """The elements of this page."""


class PayoutMethod(TypedDict):
    """Element of data.methods."""

    method: str
    """Name of the method."""
    label: str
    """Name to show to people."""
    network: PayoutNetwork
    """BANK (account) or BREB (key)."""
    currency: str
    """Beneficiaries are paid in pesos."""
    minAmount: Decimal | None
    """Smallest amount that is accepted. Null: no limit of its own."""
    limits: PayoutMethodLimits
    """Limits for one payout."""
    requiredFields: list[PayoutMethodField]
    """Fields that the method takes."""
    banks: NotRequired[list[PayoutBank]]
    """Banks that the method reaches. Only BANK has them."""


class PayoutPayload(TypedDict):
    """A payout at the time of the event."""

    id: str
    """As `payoutId` of GET /payout/{id}."""
    reference: str | None
    """Your own, as you gave it; null without one."""
    status: PayoutStatus
    """PENDING and PROCESSING are under way: do not send the payout again. COMPLETED, FAILED and REFUNDED (it came back) are final."""
    amount: Decimal
    """What the beneficiary gets, in COP."""
    feeAmount: Decimal
    """On top, in COP."""
    currency: PayoutCurrency
    """The balance that pays."""
    network: str
    """`bank` or `breb`."""
    beneficiary: PayoutBeneficiary
    """Who gets the money, masked."""
    providerPayoutId: str | None
    """The trace code. Null until the provider has one."""
    failureReason: str | None
    """Why the beneficiary does not have the money; null while they have it, or may have it."""
    metadata: dict[str, Any]
    """Your own data, as you sent it."""
    createdAt: str
    """When it was created, in UTC."""
    completedAt: str | None
    """When it was completed, in UTC. Null or absent until then."""


class PayoutProcessingEvent(TypedDict):
    event: Literal["payout.processing"]
    """Kind of the event."""
    data: PayoutPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PayoutQrContent(TypedDict):
    """What a QR code says. The first five are fields of POST /payout."""

    network: PayoutQrNetwork
    """BANK (account) or BREB (key)."""
    keyType: BrebKeyType
    """Type of the Bre-B key."""
    keyValue: str
    """The Bre-B key."""
    recipientName: str
    """As the code has it, at most 25 characters."""
    amount: Decimal | None
    """Null: the payer chooses it."""
    city: str | None
    """City of the shop, as the code has it."""
    taxId: str | None
    """Tax number of the shop. Null if the QR code has none."""
    merchantCode: str | None
    """Code of the shop at its payment provider. Null if the QR code has none."""
    reference: str | None
    """Reference in the QR code. Null if it has none."""
    isStatic: bool
    """false: made for one payment at a shop."""


class PayoutQrContentResponse(TypedDict):
    success: bool
    """Always true."""
    data: PayoutQrContent
    """The result."""


class PayoutRefundedEvent(TypedDict):
    event: Literal["payout.refunded"]
    """Kind of the event."""
    data: PayoutPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PayoutResponse(TypedDict):
    success: bool
    """Always true."""
    data: Payout
    """The result."""


class Refund(TypedDict):
    """A refund."""

    id: str
    """Id of this resource, for the path of its requests."""
    orderId: str
    """Id of the order."""
    status: RefundStatus
    """PENDING until an operator has decided and the bank was asked. FAILED: nothing went back. REFUNDED: the payer's bank returned the refund to us."""
    amount: Decimal
    """What goes back to the payer, in the order's currency. It is a JSON number: parse it as a decimal, not as a float."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    reason: str
    """Why you asked for the refund, as you sent it."""
    requestedAt: str
    """When you asked for it, in UTC."""
    approvedAt: str | None
    """When an operator approved it, in UTC. Null or absent until then."""
    rejectedAt: str | None
    """When an operator rejected it, in UTC. Null or absent until then."""
    completedAt: str | None
    """When it was completed, in UTC. Null or absent until then."""
    destinationUrl: str | None
    """Send it to the payer, who names an account or an address there. Null if the money goes back by itself, or the account or address is known."""
    waitsFor: RefundWait | None
    """DESTINATION: the payer, who opens destinationUrl. APPROVAL: an operator. PAYMENT: an operator who sends coins. CONFIRMATIONS: the network of the coins. Null: the payer's bank, or nothing."""
    coins: ReturnedCoins | None
    """Of a payment in coins that is returned to an address of the payer; else null."""
    failureReason: str | None
    """Why nothing went back, or why the bank returned it to us; else null."""


class RefundApprovedEvent(TypedDict):
    event: Literal["refund.approved"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class RefundCompletedEvent(TypedDict):
    event: Literal["refund.completed"]
    """Kind of the event."""
    data: RefundPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class RefundListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Refund]
    """The elements of this page."""


class RefundResponse(TypedDict):
    success: bool
    """Always true."""
    data: Refund
    """The result."""


class Settlement(TypedDict):
    """A closed day of one balance. collected = net + fee + tax."""

    id: str
    """Id of this resource, for the path of its requests."""
    date: str
    """The day in Bogota."""
    timezone: str
    """Time zone of the day: Colombia's."""
    currency: BalanceCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
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
    """How many orders were completed on the day."""
    refundCount: int
    """How many refunds were completed on the day."""
    openingBalance: Decimal
    """Available and held."""
    openingHeld: Decimal
    """The part of it that was held."""
    closingBalance: Decimal
    """Available and held."""
    closingHeld: Decimal
    """The part of it that was held."""
    taxLines: list[TaxLine]
    """Taxes on our fee."""
    closedAt: str
    """When the day was closed, in UTC."""


class SettlementClosedEvent(TypedDict):
    event: Literal["settlement.closed"]
    """Kind of the event."""
    data: SettlementPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class SettlementListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Settlement]
    """The elements of this page."""


class SettlementResponse(TypedDict):
    success: bool
    """Always true."""
    data: Settlement
    """The result."""


class Topup(TypedDict):
    """A top-up."""

    id: str
    """Id of this resource, for the path of its requests."""
    status: TopupStatus
    """`processing` is under way: do not send it again. `completed`, `failed` and `refunded` are final."""
    phone: str
    """Ten digits."""
    amountCop: int
    """Amount in whole COP, without the fee."""
    feeCop: int
    """On top, paid by the merchant."""
    totalCop: int
    """amountCop + feeCop."""
    reference: str
    """Trace reference."""
    ticket: TopupTicket | None
    """Proof for the holder of the phone. Null until completed."""
    operatorCode: str
    """Id of the mobile operator, from the list of mobile operators."""
    failureReason: str | None
    """Why the phone does not have the credit; null while it has, or may have."""
    createdAt: str
    """When it was created, in UTC."""
    completedAt: str | None
    """When it was completed, in UTC. Null or absent until then."""


class TopupListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[Topup]
    """The elements of this page."""


class TopupPayload(TypedDict):
    """A top-up at the time of the event, as GET /topup/{id} shows it, with the phone masked."""

    id: str
    """Id of this resource, for the path of its requests."""
    status: TopupStatus
    """`processing` is under way: do not send it again. `completed`, `failed` and `refunded` are final."""
    phone: str
    """The last digits."""
    operatorCode: str
    """Id of the mobile operator, from the list of mobile operators."""
    amountCop: int
    """Amount in whole COP, without the fee."""
    feeCop: int
    """On top."""
    totalCop: int
    """amountCop + feeCop."""
    reference: str
    """Trace reference."""
    failureReason: str | None
    """Why the phone does not have the credit; null while it has, or may have."""
    createdAt: str
    """When it was created, in UTC."""
    completedAt: str | None
    """When it was completed, in UTC. Null or absent until then."""


class TopupProcessingEvent(TypedDict):
    event: Literal["topup.processing"]
    """Kind of the event."""
    data: TopupPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class TopupRefundedEvent(TypedDict):
    event: Literal["topup.refunded"]
    """Kind of the event."""
    data: TopupPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class TopupResponse(TypedDict):
    success: bool
    """Always true."""
    data: Topup
    """The result."""


class WebhookEndpointRotation(TypedDict):
    """Two secrets are valid."""

    until: str
    """Until then webhook-signature has two values, new and old."""
    contractSignature: WebhookSignatureSecret
    """Which secret signs X-Service-Signature until then."""


class WebhookEndpointWithSecret(TypedDict):
    """A webhook endpoint with its new secret."""

    id: str
    """Begins with whe_."""
    url: str | None
    """Null: the account has no webhook URL yet."""
    events: list[str]
    """The kinds of events that it gets. For the account's own: with those always sent."""
    description: str
    """Your own name of the endpoint."""
    enabled: bool
    """Whether new events go there."""
    account: bool
    """True for the webhook URL of the account: it cannot be deleted or switched off."""
    rotation: WebhookEndpointRotation | None
    """Null: one secret is valid."""
    createdAt: str
    """When it was created, in UTC."""
    updatedAt: str
    """When it last changed, in UTC."""
    secret: str | None
    """whsec_ and base64. It is shown here and never again: keep it on your server. Null when the request is repeated with its key after more than 24 hours."""


class WebhookEndpointWithSecretResponse(TypedDict):
    success: bool
    """Always true."""
    data: WebhookEndpointWithSecret
    """The result."""


class WebhookSecretRotateRequest(TypedDict):
    """Body of POST /webhook-endpoints/{id}/rotate-secret."""

    overlapHours: NotRequired[int]
    """How long the old secret is valid, too. 0: not at all."""
    contractSignature: NotRequired[WebhookSignatureSecret]
    """Which secret signs X-Service-Signature during the overlap; then the new one."""


class PaymentCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.completed"]
    """Kind of the event."""
    data: CompletionPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PaymentFailedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.failed"]
    """Kind of the event."""
    data: FailurePayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PaymentExpiredFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.expired"]
    """Kind of the event."""
    data: OrderPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PaymentCancelledFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.cancelled"]
    """Kind of the event."""
    data: OrderPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PaymentConfirmedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.confirmed"]
    """Kind of the event."""
    data: OrderPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PaymentChargebackFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.chargeback"]
    """Kind of the event."""
    data: DisputePayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PaymentDisputedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.disputed"]
    """Kind of the event."""
    data: DisputePayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BatchRunningFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["batch.running"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BatchPausedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["batch.paused"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BatchDoneFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["batch.done"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BatchCancelledFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["batch.cancelled"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BatchRejectedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["batch.rejected"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PayoutProcessingFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payout.processing"]
    """Kind of the event."""
    data: PayoutPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PayoutCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payout.completed"]
    """Kind of the event."""
    data: PayoutPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PayoutFailedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payout.failed"]
    """Kind of the event."""
    data: PayoutPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class PayoutRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payout.refunded"]
    """Kind of the event."""
    data: PayoutPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class TopupProcessingFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["topup.processing"]
    """Kind of the event."""
    data: TopupPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class TopupCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["topup.completed"]
    """Kind of the event."""
    data: TopupPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class TopupFailedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["topup.failed"]
    """Kind of the event."""
    data: TopupPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class TopupRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["topup.refunded"]
    """Kind of the event."""
    data: TopupPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BillProcessingFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["bill.processing"]
    """Kind of the event."""
    data: BillPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BillCompletedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["bill.completed"]
    """Kind of the event."""
    data: BillPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BillFailedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["bill.failed"]
    """Kind of the event."""
    data: BillPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BillRefundedFeedEvent(TypedDict):
    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["bill.refunded"]
    """Kind of the event."""
    data: BillPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""


class BatchCancelledEvent(TypedDict):
    event: Literal["batch.cancelled"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class BatchDoneEvent(TypedDict):
    event: Literal["batch.done"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class BatchPausedEvent(TypedDict):
    event: Literal["batch.paused"]
    """Kind of the event."""
    data: BatchPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class BillCompletedEvent(TypedDict):
    event: Literal["bill.completed"]
    """Kind of the event."""
    data: BillPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class BillFailedEvent(TypedDict):
    event: Literal["bill.failed"]
    """Kind of the event."""
    data: BillPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class DirectMethod(TypedDict):
    """Element of GET /collect/{id}/methods."""

    method: str
    """Name of the method; send it as `method` in POST /collect/{id}/pay."""
    label: str
    """Name to show to people."""
    uiType: DirectMethodUiType
    """How the payer pays: on a page (`webview`) or in an app (`push`)."""
    currency: str
    """Payers pay in pesos."""
    minAmount: Decimal
    """Smallest amount that the method accepts, in COP."""
    requiredFields: list[DirectMethodField]
    """Fields that the method takes."""
    terms: NotRequired[list[DirectMethodTerm]]
    """Show the links to the payer, who accepts them: `acceptedTerms`. Absent without."""


class DirectMethodListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[DirectMethod]
    """The elements of this page."""


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
    """Id of the event, as in the webhook's header webhook-id."""
    event: Literal["payment.completed"]
    """Kind of the event. The kind decides which fields `data` has. Ignore a kind that you do not know: more may be added."""
    data: CompletionPayload
    """The same fields as in the webhook of this kind."""
    timestamp: str
    """When it happened, in UTC, as in the webhook."""


class FeedEvent2(PaymentFailedFeedEvent):
    """An event with its place in the merchant's sequence."""

    sequence: int
    """Place in your sequence of events: 1, 2, 3 and so on, without gaps."""
    id: str
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """Id of the event, as in the webhook's header webhook-id."""
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
    """The elements of this page."""


class PaymentLink(TypedDict):
    """A payment link."""

    id: str
    """Id of this resource, for the path of its requests."""
    url: str
    """Send it to payers. /qr.svg and /qr.png below it."""
    status: PaymentLinkStatus
    """Present state."""
    availability: PaymentLinkAvailability
    """PAYABLE, or why a payer cannot pay now. BUSY: others are paying the last ones."""
    title: str
    """What is paid. The payer reads it."""
    description: str
    """Text that people read; for your own data use `metadata`."""
    imageUrl: str | None
    """Set by POST /links/{id}/image."""
    currency: OrderCurrency
    """Currency of the amounts. COPM is the balance in pesos."""
    amount: Decimal | None
    """Null: the payer chooses."""
    minAmount: Decimal | None
    """Smallest amount that is accepted. Null: no limit of its own."""
    maxAmount: Decimal | None
    """Largest amount that is accepted. Null: no limit of its own."""
    ask: PaymentLinkAsk
    """Which data the page asks of the payer."""
    fields: list[PaymentLinkField]
    """Questions of your own that the page asks."""
    maxUses: int | None
    """How many payments the link accepts in all. Null: any number."""
    stock: int | None
    """Pieces in all, with those that are sold. Null: any number."""
    left: int | None
    """How many more payments by maxUses and stock. Null: any."""
    expiresAt: str | None
    """When the page stops taking payments, in UTC. Null: never."""
    callbackUrl: str | None
    """Where the payer's browser returns. Webhooks do not go there."""
    statistics: PaymentLinkStatistics
    """Figures of the link so far."""
    createdAt: str
    """When it was created, in UTC."""
    updatedAt: str
    """When it last changed, in UTC."""


class PaymentLinkListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[PaymentLink]
    """The elements of this page."""


class PaymentLinkResponse(TypedDict):
    success: bool
    """Always true."""
    data: PaymentLink
    """The result."""


class PayoutCatalogue(TypedDict):
    """Answer of GET /payout/methods."""

    enabled: bool
    """Whether your account may send payouts."""
    methods: list[PayoutMethod]
    """Methods with which you can pay out."""


class PayoutCatalogueResponse(TypedDict):
    success: bool
    """Always true."""
    data: PayoutCatalogue
    """The result."""


class PayoutCompletedEvent(TypedDict):
    event: Literal["payout.completed"]
    """Kind of the event."""
    data: PayoutPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class PayoutFailedEvent(TypedDict):
    event: Literal["payout.failed"]
    """Kind of the event."""
    data: PayoutPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class TopupCompletedEvent(TypedDict):
    event: Literal["topup.completed"]
    """Kind of the event."""
    data: TopupPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class TopupFailedEvent(TypedDict):
    event: Literal["topup.failed"]
    """Kind of the event."""
    data: TopupPayload
    """What the event is about, as it was at that time."""
    timestamp: str
    """When it happened, in UTC."""
    id: str
    """The same in every attempt."""


class WebhookEndpoint(TypedDict):
    """A webhook endpoint."""

    id: str
    """Begins with whe_."""
    url: str | None
    """Null: the account has no webhook URL yet."""
    events: list[str]
    """The kinds of events that it gets. For the account's own: with those always sent."""
    description: str
    """Your own name of the endpoint."""
    enabled: bool
    """Whether new events go there."""
    account: bool
    """True for the webhook URL of the account: it cannot be deleted or switched off."""
    rotation: WebhookEndpointRotation | None
    """Null: one secret is valid."""
    createdAt: str
    """When it was created, in UTC."""
    updatedAt: str
    """When it last changed, in UTC."""


class WebhookEndpointListResponse(TypedDict):
    success: bool
    """Always true."""
    data: list[WebhookEndpoint]
    """The elements of this page."""


class WebhookEndpointResponse(TypedDict):
    success: bool
    """Always true."""
    data: WebhookEndpoint
    """The result."""
