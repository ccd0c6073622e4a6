"""Generated from the OpenAPI document by `make sdks`: do not change it by hand."""

from typing import TypeAlias
from . import types

Balance: TypeAlias = types.CurrencyBalance
Movement: TypeAlias = types.MovementDetail
Agreements: TypeAlias = types.AgreementPage
BillCheck: TypeAlias = types.BillCheckResult
BillPayment: TypeAlias = types.BillPaymentDetail
CreatedOrder: TypeAlias = types.OrderCreated
Order: TypeAlias = types.OrderDetail
OrderMethod: TypeAlias = types.MethodDescriptor
OrderCharge: TypeAlias = types.DirectCharge
OrderStatistics: TypeAlias = types.Statistics
Refund: TypeAlias = types.RefundDetail
FeedEvent: TypeAlias = types.EventDetail
Link: TypeAlias = types.LinkDetail
Payout: TypeAlias = types.PayoutDetail
PayoutMethods: TypeAlias = types.Catalogue
PayoutBatchEntry: TypeAlias = types.PayoutBatchSummary
PayoutBatch: TypeAlias = types.PayoutBatchDetail
PayoutBatchItem: TypeAlias = types.PayoutBatchLine
Settlement: TypeAlias = types.SettlementDetail
Topup: TypeAlias = types.TopupDetail
Operator: TypeAlias = types.TopupOperator
SandboxBalance: TypeAlias = types.Balance
Dispute: TypeAlias = types.DisputeDetail
NewBillPayment: TypeAlias = types.BillPayRequest
NewOrder: TypeAlias = types.OrderCreateRequest
NewCharge: TypeAlias = types.DirectPayRequest
NewRefund: TypeAlias = types.RefundCreateRequest
NewLink: TypeAlias = types.LinkCreateRequest
LinkChange: TypeAlias = types.PatchedLinkChangeRequest
NewPayout: TypeAlias = types.PayoutCreateRequest
NewPayoutBatch: TypeAlias = types.PayoutBatchCreateRequest
NewTopup: TypeAlias = types.TopupCreateRequest
OrderOutcome: TypeAlias = types.OrderOutcomeRequest
NewDispute: TypeAlias = types.DisputeOpeningRequest
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
