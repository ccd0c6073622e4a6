"""Generated from the OpenAPI document by `make sdks`: do not change it by hand."""

from typing import TypeAlias
from . import types

Balance: TypeAlias = types.Balance
Movement: TypeAlias = types.Movement
Agreements: TypeAlias = types.BillingAgreementPage
BillCheck: TypeAlias = types.BillCheckResult
BillPayment: TypeAlias = types.BillPayment
CreatedOrder: TypeAlias = types.OrderCreated
Order: TypeAlias = types.Order
OrderMethod: TypeAlias = types.DirectMethod
OrderCharge: TypeAlias = types.DirectCharge
OrderStatistics: TypeAlias = types.CollectionStatistics
Refund: TypeAlias = types.Refund
FeedEvent: TypeAlias = types.FeedEvent
Link: TypeAlias = types.PaymentLink
Payout: TypeAlias = types.Payout
PayoutMethods: TypeAlias = types.PayoutCatalogue
PayoutQr: TypeAlias = types.PayoutQrContent
PayoutBatchEntry: TypeAlias = types.PayoutBatchSummary
PayoutBatch: TypeAlias = types.PayoutBatch
PayoutBatchItem: TypeAlias = types.PayoutBatchLine
Settlement: TypeAlias = types.Settlement
Topup: TypeAlias = types.Topup
Operator: TypeAlias = types.TopupOperator
WebhookEndpoint: TypeAlias = types.WebhookEndpoint
WebhookEndpointWithSecret: TypeAlias = types.WebhookEndpointWithSecret
WebhookTest: TypeAlias = types.WebhookTestResult
WebhookResend: TypeAlias = types.WebhookResendResult
SandboxBalance: TypeAlias = types.CreditedBalance
SandboxSettlement: TypeAlias = types.AnnouncedDay
Dispute: TypeAlias = types.Dispute
NewBillPayment: TypeAlias = types.BillPaymentCreateRequest
NewOrder: TypeAlias = types.OrderCreateRequest
NewCharge: TypeAlias = types.DirectPayRequest
NewRefund: TypeAlias = types.RefundCreateRequest
NewLink: TypeAlias = types.PaymentLinkCreateRequest
LinkChange: TypeAlias = types.PaymentLinkUpdateRequest
LinkImage: TypeAlias = types.PaymentLinkImageRequest
NewPayout: TypeAlias = types.PayoutCreateRequest
NewPayoutBatch: TypeAlias = types.PayoutBatchCreateRequest
NewTopup: TypeAlias = types.TopupCreateRequest
QrToRead: TypeAlias = types.PayoutQrCodeRequest
NewWebhookEndpoint: TypeAlias = types.WebhookEndpointCreateRequest
WebhookEndpointChange: TypeAlias = types.WebhookEndpointUpdateRequest
SecretRotation: TypeAlias = types.WebhookSecretRotateRequest
EventsToResend: TypeAlias = types.WebhookResendRequest
OrderOutcome: TypeAlias = types.OrderOutcomeRequest
NewDispute: TypeAlias = types.DisputeCreateRequest
Event: TypeAlias = (
    types.PaymentCompletedEvent
    | types.PaymentFailedEvent
    | types.PaymentExpiredEvent
    | types.PaymentCancelledEvent
    | types.PaymentConfirmedEvent
    | types.PaymentRefundedEvent
    | types.PaymentPartiallyRefundedEvent
    | types.PaymentChargebackEvent
    | types.PaymentDisputedEvent
    | types.RefundRequestedEvent
    | types.RefundApprovedEvent
    | types.RefundRejectedEvent
    | types.RefundCompletedEvent
    | types.SettlementClosedEvent
    | types.LinkPaidEvent
    | types.BatchRunningEvent
    | types.BatchPausedEvent
    | types.BatchDoneEvent
    | types.BatchCancelledEvent
    | types.BatchRejectedEvent
    | types.PayoutProcessingEvent
    | types.PayoutCompletedEvent
    | types.PayoutFailedEvent
    | types.PayoutRefundedEvent
    | types.TopupProcessingEvent
    | types.TopupCompletedEvent
    | types.TopupFailedEvent
    | types.TopupRefundedEvent
    | types.BillProcessingEvent
    | types.BillCompletedEvent
    | types.BillFailedEvent
    | types.BillRefundedEvent
    | types.WebhookTestEvent
)
EVENT_KINDS: tuple[str, ...] = (
    "payment.completed",
    "payment.failed",
    "payment.expired",
    "payment.cancelled",
    "payment.confirmed",
    "payment.refunded",
    "payment.partially_refunded",
    "payment.chargeback",
    "payment.disputed",
    "refund.requested",
    "refund.approved",
    "refund.rejected",
    "refund.completed",
    "settlement.closed",
    "link.paid",
    "batch.running",
    "batch.paused",
    "batch.done",
    "batch.cancelled",
    "batch.rejected",
    "payout.processing",
    "payout.completed",
    "payout.failed",
    "payout.refunded",
    "topup.processing",
    "topup.completed",
    "topup.failed",
    "topup.refunded",
    "bill.processing",
    "bill.completed",
    "bill.failed",
    "bill.refunded",
    "webhook.test",
)
# Fields that are decimal numbers; all other numbers are whole.
DECIMAL_FIELDS: frozenset[str] = frozenset(
    [
        "amount",
        "available",
        "balanceAfter",
        "base",
        "baseAmount",
        "closingBalance",
        "closingHeld",
        "collected",
        "disputedAmount",
        "fee",
        "feeAmount",
        "held",
        "maxAmount",
        "maxAmountCop",
        "minAmount",
        "net",
        "openingBalance",
        "openingHeld",
        "rate",
        "refunded",
        "refundedAmount",
        "remainingAmount",
        "tax",
        "totalRefunded",
    ]
)
