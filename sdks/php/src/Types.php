<?php

// Generated from the OpenAPI document by `make sdks`: do not change it by hand.

declare(strict_types=1);

namespace Pasarela;

/**
 * The shapes of all messages. A whole number is an int; one with a fraction is a decimal string.
 *
 * @phpstan-type ApiAccountType 'SAVINGS'|'CHECKING'
 * @phpstan-type ApiAnnouncedDay array{
 *     id: string,
 *     date: string,
 *     timezone: string,
 *     currency: ApiBalanceCurrency,
 *     collected: int|numeric-string,
 *     fee: int|numeric-string,
 *     tax: int|numeric-string,
 *     net: int|numeric-string,
 *     refunded: int|numeric-string,
 *     orderCount: int,
 *     refundCount: int,
 *     closedAt: string,
 *     eventId: string|null,
 * }
 * @phpstan-type ApiBalance array{
 *     currency: ApiBalanceCurrency,
 *     available: int|numeric-string,
 *     held: int|numeric-string,
 * }
 * @phpstan-type ApiBalanceAccount 'available'|'held'
 * @phpstan-type ApiBalanceCurrency 'COPM'|'USDT'|'USDC'|'BTC'|'ETH'
 * @phpstan-type ApiBatchCancelledEvent array{
 *     event: 'batch.cancelled',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBatchCancelledFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'batch.cancelled',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBatchDoneEvent array{
 *     event: 'batch.done',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBatchDoneFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'batch.done',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBatchPausedEvent array{
 *     event: 'batch.paused',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBatchPausedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'batch.paused',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBatchPayload array{
 *     id: string,
 *     status: ApiPayoutBatchStatus,
 *     source: ApiPayoutBatchSource,
 *     name: string,
 *     currency: ApiPayoutCurrency,
 *     lineCount: int,
 *     amount: int|numeric-string,
 *     feeAmount: int|numeric-string,
 *     lines: array<string, int>,
 *     waitsFor: string|null,
 *     createdAt: string,
 *     finishedAt: string|null,
 * }
 * @phpstan-type ApiBatchRejectedEvent array{
 *     event: 'batch.rejected',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBatchRejectedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'batch.rejected',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBatchRunningEvent array{
 *     event: 'batch.running',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBatchRunningFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'batch.running',
 *     data: ApiBatchPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBill array{
 *     codeRecord: string,
 *     description: string,
 *     amount: int|numeric-string,
 *     minAmount: int|numeric-string|null,
 *     maxAmount: int|numeric-string|null,
 * }
 * @phpstan-type ApiBillCheckResult array{
 *     agreementId: int,
 *     agreementName: string,
 *     supplierMessage: string|null,
 *     products: list<ApiBill>,
 * }
 * @phpstan-type ApiBillCompletedEvent array{
 *     event: 'bill.completed',
 *     data: ApiBillPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBillCompletedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'bill.completed',
 *     data: ApiBillPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBillFailedEvent array{
 *     event: 'bill.failed',
 *     data: ApiBillPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBillFailedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'bill.failed',
 *     data: ApiBillPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBillPayload array{
 *     id: string,
 *     status: ApiBillPaymentStatus,
 *     agreementId: int,
 *     agreementName: string,
 *     billReference: string,
 *     amountCop: int,
 *     feeCop: int,
 *     totalCop: int,
 *     reference: string,
 *     failureReason: string|null,
 *     createdAt: string,
 *     completedAt: string|null,
 * }
 * @phpstan-type ApiBillPayment array{
 *     id: string,
 *     status: ApiBillPaymentStatus,
 *     amountCop: int,
 *     feeCop: int,
 *     totalCop: int,
 *     reference: string,
 *     ticket: ApiBillTicket|null,
 *     agreementId: int,
 *     agreementName: string,
 *     billReference: string,
 *     codeRecord: string,
 *     failureReason: string|null,
 *     createdAt: string,
 *     completedAt: string|null,
 * }
 * @phpstan-type ApiBillPaymentCreateRequest array{
 *     agreementId: int,
 *     reference: string,
 *     codeRecord?: string|null,
 *     amountCop: int,
 *     idempotencyKey?: string|null,
 * }
 * @phpstan-type ApiBillPaymentStatus 'processing'|'completed'|'failed'|'refunded'
 * @phpstan-type ApiBillProcessingEvent array{
 *     event: 'bill.processing',
 *     data: ApiBillPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBillProcessingFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'bill.processing',
 *     data: ApiBillPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBillRefundedEvent array{
 *     event: 'bill.refunded',
 *     data: ApiBillPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiBillRefundedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'bill.refunded',
 *     data: ApiBillPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiBillTicket array{
 *     number: string|null,
 *     authorization: string|null,
 *     provider: string,
 *     issuedAt: string,
 *     agreement: string,
 *     reference: string,
 *     amountCop: int,
 *     legend: string,
 * }
 * @phpstan-type ApiBillingAgreement array{
 *     agreementId: int,
 *     name: string,
 *     referenceLabel: string,
 *     type: string,
 * }
 * @phpstan-type ApiBillingAgreementPage array{
 *     items: list<ApiBillingAgreement>,
 *     total: int,
 * }
 * @phpstan-type ApiBrebKeyType 'PHONE'|'EMAIL'|'ALPHANUMERIC'|'ID'|'BCODE'
 * @phpstan-type ApiChargeFlow 'redirect'|'push'|'key'
 * @phpstan-type ApiCollectionStatistics array{
 *     total: int,
 *     pending: int,
 *     completed: int,
 *     failed: int,
 *     totalCollected: string|0,
 *     collectedByCurrency: array<string, string>,
 * }
 * @phpstan-type ApiCompletionPayload array{
 *     id: string,
 *     reference: string,
 *     amount: int|numeric-string,
 *     baseAmount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     currency: ApiOrderCurrency,
 *     status: ApiOrderStatus,
 *     paidAt: string|null,
 *     metadata: array<string, mixed>,
 *     retryOf?: string,
 *     linkId?: string,
 *     customer?: ApiEventCustomer,
 *     traceCode?: string|null,
 *     failureReason?: string|null,
 *     attempts?: int,
 * }
 * @phpstan-type ApiCreditedBalance array{
 *     currency: ApiBalanceCurrency,
 *     available: int|numeric-string,
 * }
 * @phpstan-type ApiCustomer array{
 *     name: string,
 *     email: string,
 *     documentType: ApiCustomerDocumentType|null,
 *     documentNumber: string|null,
 * }
 * @phpstan-type ApiCustomerDocumentType 'CC'|'CE'|'NIT'|'PP'|''
 * @phpstan-type ApiDirectCharge array{
 *     paymentUrl: string|null,
 *     transactionId: string,
 *     method: string,
 *     flow: ApiChargeFlow,
 *     keyValue?: string,
 *     expiresAt?: string,
 * }
 * @phpstan-type ApiDirectMethod array{
 *     method: string,
 *     label: string,
 *     uiType: ApiDirectMethodUiType,
 *     currency: string,
 *     minAmount: int|numeric-string,
 *     requiredFields: list<ApiDirectMethodField>,
 *     terms?: list<ApiDirectMethodTerm>,
 * }
 * @phpstan-type ApiDirectMethodField array{
 *     key: string,
 *     type: ApiDirectMethodFieldType,
 *     label: string,
 *     required: bool,
 *     options?: list<ApiDirectMethodFieldOption>,
 * }
 * @phpstan-type ApiDirectMethodFieldOption array{
 *     value: string,
 *     label: string,
 * }
 * @phpstan-type ApiDirectMethodFieldType 'bankSelect'|'select'|'phone'|'text'
 * @phpstan-type ApiDirectMethodTerm array{
 *     url: string,
 *     label: string,
 * }
 * @phpstan-type ApiDirectMethodUiType 'webview'|'push'
 * @phpstan-type ApiDirectPayRequest array{
 *     method: string,
 *     fields?: array<string, string>,
 *     payer?: ApiDirectPayerRequest|null,
 *     returnUrl?: string|null,
 *     acceptedTerms?: bool,
 * }
 * @phpstan-type ApiDirectPayerRequest array{
 *     name?: string,
 *     email?: string|string,
 *     phone?: string,
 *     docType?: ApiDocumentType,
 *     docNumber?: string,
 * }
 * @phpstan-type ApiDispute array{
 *     disputeId: string,
 *     disputedAmount: int|numeric-string,
 *     reason: string,
 *     openedAt: string,
 *     evidenceDueAt: string|null,
 *     orderId: string,
 *     kind: ApiDisputeKind,
 *     status: ApiDisputeStatus,
 * }
 * @phpstan-type ApiDisputeCreateRequest array{
 *     kind?: ApiDisputeKind,
 *     amount?: int|float|numeric-string|null,
 *     reason?: string,
 * }
 * @phpstan-type ApiDisputeKind 'DISPUTE'|'CHARGEBACK'
 * @phpstan-type ApiDisputePayload array{
 *     id: string,
 *     reference: string,
 *     amount: int|numeric-string,
 *     baseAmount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     currency: ApiOrderCurrency,
 *     status: ApiOrderStatus,
 *     paidAt: string|null,
 *     metadata: array<string, mixed>,
 *     retryOf?: string,
 *     linkId?: string,
 *     customer?: ApiEventCustomer,
 *     disputeId: string,
 *     disputedAmount: int|numeric-string,
 *     reason: string,
 *     openedAt: string,
 *     evidenceDueAt: string|null,
 * }
 * @phpstan-type ApiDisputeStatus 'OPEN'|'WON'|'LOST'
 * @phpstan-type ApiDocumentType 'CC'|'CE'|'NIT'|'PP'
 * @phpstan-type ApiEventCustomer array{
 *     documentType: ApiDocumentType|null,
 *     documentNumber: string|null,
 * }
 * @phpstan-type ApiFailurePayload array{
 *     id: string,
 *     reference: string,
 *     amount: int|numeric-string,
 *     baseAmount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     currency: ApiOrderCurrency,
 *     status: ApiOrderStatus,
 *     paidAt: string|null,
 *     metadata: array<string, mixed>,
 *     retryOf?: string,
 *     linkId?: string,
 *     customer?: ApiEventCustomer,
 *     traceCode?: string|null,
 *     failureReason?: string|null,
 *     attempts?: int,
 * }
 * @phpstan-type ApiFeedEvent ApiPaymentCompletedFeedEvent|ApiPaymentFailedFeedEvent|ApiPaymentExpiredFeedEvent|ApiPaymentCancelledFeedEvent|ApiPaymentConfirmedFeedEvent|ApiPaymentRefundedFeedEvent|ApiPaymentPartiallyRefundedFeedEvent|ApiPaymentChargebackFeedEvent|ApiPaymentDisputedFeedEvent|ApiRefundRequestedFeedEvent|ApiRefundApprovedFeedEvent|ApiRefundRejectedFeedEvent|ApiRefundCompletedFeedEvent|ApiSettlementClosedFeedEvent|ApiLinkPaidFeedEvent|ApiBatchRunningFeedEvent|ApiBatchPausedFeedEvent|ApiBatchDoneFeedEvent|ApiBatchCancelledFeedEvent|ApiBatchRejectedFeedEvent|ApiPayoutProcessingFeedEvent|ApiPayoutCompletedFeedEvent|ApiPayoutFailedFeedEvent|ApiPayoutRefundedFeedEvent|ApiTopupProcessingFeedEvent|ApiTopupCompletedFeedEvent|ApiTopupFailedFeedEvent|ApiTopupRefundedFeedEvent|ApiBillProcessingFeedEvent|ApiBillCompletedFeedEvent|ApiBillFailedFeedEvent|ApiBillRefundedFeedEvent|ApiWebhookTestFeedEvent
 * @phpstan-type ApiLinkPaidEvent array{
 *     event: 'link.paid',
 *     data: ApiPaymentLinkPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiLinkPaidFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'link.paid',
 *     data: ApiPaymentLinkPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiMovement array{
 *     id: string,
 *     kind: ApiMovementKind,
 *     subjectId: string,
 *     currency: ApiBalanceCurrency,
 *     account: ApiBalanceAccount,
 *     amount: int|numeric-string,
 *     balanceAfter: int|numeric-string,
 *     createdAt: string,
 * }
 * @phpstan-type ApiMovementKind 'collect_settled'|'payout_reserved'|'payout_released'|'payout_completed'|'payout_returned'|'topup_reserved'|'topup_released'|'topup_completed'|'topup_returned'|'bill_reserved'|'bill_released'|'bill_completed'|'bill_returned'|'refund_reserved'|'refund_released'|'refund_completed'|'refund_returned'|'dispute_opened'|'dispute_won'|'dispute_lost'|'unmatched_credited'|'bank_line_credited'|'bank_line_reversed'|'sandbox_credited'
 * @phpstan-type ApiOrder array{
 *     id: string,
 *     reference: string,
 *     amount: int|numeric-string,
 *     baseAmount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     currency: ApiOrderCurrency,
 *     status: ApiOrderStatus,
 *     collectUrl: string,
 *     expiresAt: string,
 *     createdAt: string,
 *     description: string,
 *     selectedMethod: ApiPaymentMethod|null,
 *     allowedMethods: list<ApiPaymentMethod>,
 *     customer: ApiCustomer,
 *     callbackUrl: string|null,
 *     metadata: array<string, mixed>,
 *     paidAt: string|null,
 *     confirmedAt: string|null,
 *     cancelledAt: string|null,
 *     retryOf: string|null,
 *     refundedAmount: int|numeric-string,
 *     linkId: string|null,
 *     traceCode: string|null,
 *     failureReason: string|null,
 *     attempts: int,
 *     updatedAt: string,
 * }
 * @phpstan-type ApiOrderCreateRequest array{
 *     reference: string,
 *     amount: int|float|numeric-string,
 *     currency?: ApiOrderCurrency,
 *     description?: string,
 *     customerName: string,
 *     customerEmail: string,
 *     customerDocType?: ApiDocumentType,
 *     customerDocNumber?: string,
 *     expirationMinutes?: int,
 *     callbackUrl?: string|null,
 *     allowedMethods?: list<ApiPaymentMethod>|null,
 *     metadata?: array<string, mixed>,
 * }
 * @phpstan-type ApiOrderCreated array{
 *     id: string,
 *     reference: string,
 *     amount: int|numeric-string,
 *     baseAmount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     currency: ApiOrderCurrency,
 *     status: ApiOrderStatus,
 *     collectUrl: string,
 *     expiresAt: string,
 *     createdAt: string,
 * }
 * @phpstan-type ApiOrderCurrency 'COP'|'USDT'|'USDC'|'BTC'|'ETH'
 * @phpstan-type ApiOrderOutcomeRequest array{
 *     status: ApiSandboxCollectionOutcome,
 *     method?: ApiPaymentMethod|null,
 *     amount?: int|float|numeric-string|null,
 * }
 * @phpstan-type ApiOrderPayload array{
 *     id: string,
 *     reference: string,
 *     amount: int|numeric-string,
 *     baseAmount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     currency: ApiOrderCurrency,
 *     status: ApiOrderStatus,
 *     paidAt: string|null,
 *     metadata: array<string, mixed>,
 *     retryOf?: string,
 *     linkId?: string,
 *     customer?: ApiEventCustomer,
 * }
 * @phpstan-type ApiOrderStatus 'PENDING'|'PROCESSING'|'WAITING_TRANSFER'|'COMPLETED'|'FAILED'|'EXPIRED'
 * @phpstan-type ApiPaymentCancelledEvent array{
 *     event: 'payment.cancelled',
 *     data: ApiOrderPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentCancelledFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.cancelled',
 *     data: ApiOrderPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPaymentChargebackEvent array{
 *     event: 'payment.chargeback',
 *     data: ApiDisputePayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentChargebackFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.chargeback',
 *     data: ApiDisputePayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPaymentCompletedEvent array{
 *     event: 'payment.completed',
 *     data: ApiCompletionPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentCompletedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.completed',
 *     data: ApiCompletionPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPaymentConfirmedEvent array{
 *     event: 'payment.confirmed',
 *     data: ApiOrderPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentConfirmedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.confirmed',
 *     data: ApiOrderPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPaymentDisputedEvent array{
 *     event: 'payment.disputed',
 *     data: ApiDisputePayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentDisputedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.disputed',
 *     data: ApiDisputePayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPaymentExpiredEvent array{
 *     event: 'payment.expired',
 *     data: ApiOrderPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentExpiredFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.expired',
 *     data: ApiOrderPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPaymentFailedEvent array{
 *     event: 'payment.failed',
 *     data: ApiFailurePayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentFailedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.failed',
 *     data: ApiFailurePayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPaymentLink array{
 *     id: string,
 *     url: string,
 *     status: ApiPaymentLinkStatus,
 *     availability: ApiPaymentLinkAvailability,
 *     title: string,
 *     description: string,
 *     imageUrl: string|null,
 *     currency: ApiOrderCurrency,
 *     amount: int|numeric-string|null,
 *     minAmount: int|numeric-string|null,
 *     maxAmount: int|numeric-string|null,
 *     ask: ApiPaymentLinkAsk,
 *     fields: list<ApiPaymentLinkField>,
 *     maxUses: int|null,
 *     stock: int|null,
 *     left: int|null,
 *     expiresAt: string|null,
 *     callbackUrl: string|null,
 *     statistics: ApiPaymentLinkStatistics,
 *     createdAt: string,
 *     updatedAt: string,
 * }
 * @phpstan-type ApiPaymentLinkAsk array{
 *     name?: ApiPaymentLinkAskRule,
 *     email?: ApiPaymentLinkAskRule,
 *     document?: ApiPaymentLinkAskRule,
 *     phone?: ApiPaymentLinkAskRule,
 * }
 * @phpstan-type ApiPaymentLinkAskRequest array{
 *     name?: ApiPaymentLinkAskRule,
 *     email?: ApiPaymentLinkAskRule,
 *     document?: ApiPaymentLinkAskRule,
 *     phone?: ApiPaymentLinkAskRule,
 * }
 * @phpstan-type ApiPaymentLinkAskRule 'NONE'|'OPTIONAL'|'REQUIRED'
 * @phpstan-type ApiPaymentLinkAskUpdateRequest array{
 *     name?: ApiPaymentLinkAskRule,
 *     email?: ApiPaymentLinkAskRule,
 *     document?: ApiPaymentLinkAskRule,
 *     phone?: ApiPaymentLinkAskRule,
 * }
 * @phpstan-type ApiPaymentLinkAvailability 'PAYABLE'|'PAUSED'|'ENDED'|'EXPIRED'|'USED_UP'|'SOLD_OUT'|'BUSY'|'MERCHANT_NOT_ACTIVE'
 * @phpstan-type ApiPaymentLinkCreateRequest array{
 *     title: string,
 *     description?: string,
 *     amount?: int|float|numeric-string|null,
 *     minAmount?: int|float|numeric-string|null,
 *     maxAmount?: int|float|numeric-string|null,
 *     ask?: ApiPaymentLinkAskRequest,
 *     fields?: list<ApiPaymentLinkFieldRequest>,
 *     maxUses?: int|null,
 *     stock?: int|null,
 *     expiresAt?: string|null,
 *     callbackUrl?: string|null,
 *     currency?: ApiOrderCurrency,
 * }
 * @phpstan-type ApiPaymentLinkField array{
 *     label: string,
 *     required?: bool,
 * }
 * @phpstan-type ApiPaymentLinkFieldRequest array{
 *     label: string,
 *     required?: bool,
 * }
 * @phpstan-type ApiPaymentLinkImageRequest array{
 *     content: string|null,
 * }
 * @phpstan-type ApiPaymentLinkPayload array{
 *     id: string,
 *     reference: string,
 *     amount: int|numeric-string,
 *     baseAmount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     currency: ApiOrderCurrency,
 *     status: ApiOrderStatus,
 *     paidAt: string|null,
 *     metadata: array<string, mixed>,
 *     retryOf?: string,
 *     linkId?: string,
 *     customer?: ApiEventCustomer,
 *     traceCode?: string|null,
 *     failureReason?: string|null,
 *     attempts?: int,
 *     linkCode: string,
 *     linkTitle: string,
 *     linkUrl: string,
 * }
 * @phpstan-type ApiPaymentLinkStatistics array{
 *     visits: int,
 *     orders: int,
 *     open: int,
 *     paid: int,
 *     collected: int|numeric-string,
 * }
 * @phpstan-type ApiPaymentLinkStatus 'ACTIVE'|'PAUSED'|'ENDED'
 * @phpstan-type ApiPaymentLinkUpdateRequest array{
 *     title?: string,
 *     description?: string,
 *     amount?: int|float|numeric-string|null,
 *     minAmount?: int|float|numeric-string|null,
 *     maxAmount?: int|float|numeric-string|null,
 *     ask?: ApiPaymentLinkAskUpdateRequest,
 *     fields?: list<ApiPaymentLinkFieldRequest>,
 *     maxUses?: int|null,
 *     stock?: int|null,
 *     expiresAt?: string|null,
 *     callbackUrl?: string|null,
 *     status?: ApiPaymentLinkStatus,
 * }
 * @phpstan-type ApiPaymentMethod 'PSE'|'BANK_TRANSFER'|'CRYPTO'
 * @phpstan-type ApiPaymentPartiallyRefundedEvent array{
 *     event: 'payment.partially_refunded',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentPartiallyRefundedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.partially_refunded',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPaymentRefundedEvent array{
 *     event: 'payment.refunded',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPaymentRefundedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payment.refunded',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPayout array{
 *     payoutId: string,
 *     status: ApiPayoutStatus,
 *     amount: int|numeric-string,
 *     feeAmount: int|numeric-string,
 *     recipientName: string,
 *     network: string,
 *     providerPayoutId: string|null,
 *     createdAt: string,
 *     completedAt: string|null,
 *     failureReason: string|null,
 *     reference: string|null,
 *     description: string,
 *     beneficiary: ApiPayoutBeneficiary,
 *     metadata: array<string, mixed>,
 * }
 * @phpstan-type ApiPayoutBank array{
 *     bankCanonicalId: string,
 *     name: string,
 * }
 * @phpstan-type ApiPayoutBatch array{
 *     batchId: string,
 *     status: ApiPayoutBatchStatus,
 *     source: ApiPayoutBatchSource,
 *     name: string,
 *     currency: ApiPayoutCurrency,
 *     lineCount: int,
 *     amount: int|numeric-string,
 *     feeAmount: int|numeric-string,
 *     waitsFor: string|null,
 *     createdAt: string,
 *     finishedAt: string|null,
 *     lines: array<string, int>,
 * }
 * @phpstan-type ApiPayoutBatchCreateRequest array{
 *     name?: string,
 *     currency?: ApiPayoutCurrency,
 *     idempotencyKey?: string|null,
 *     lines: list<ApiPayoutBatchLineCreateRequest>,
 * }
 * @phpstan-type ApiPayoutBatchLine array{
 *     number: int,
 *     reference: string,
 *     metadata: array<string, mixed>,
 *     status: ApiPayoutBatchLineStatus,
 *     amount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     recipientName: string,
 *     payoutId: string|null,
 *     providerPayoutId: string|null,
 *     reason: string|null,
 *     warnings: list<string>,
 * }
 * @phpstan-type ApiPayoutBatchLineCreateRequest array{
 *     amount: int|float|numeric-string,
 *     recipientName: string,
 *     recipientDocType: ApiDocumentType,
 *     recipientDocNumber: string,
 *     network?: string,
 *     bankCanonicalId?: string|null,
 *     accountType?: ApiAccountType|null,
 *     accountNumber?: string|null,
 *     keyType?: ApiBrebKeyType|null,
 *     keyValue?: string|null,
 *     description?: string,
 *     reference?: string,
 *     metadata?: array<string, mixed>,
 * }
 * @phpstan-type ApiPayoutBatchLineStatus 'WRONG'|'WAITING'|'REFUSED'|'CANCELLED'|'PENDING'|'PROCESSING'|'COMPLETED'|'FAILED'|'REFUNDED'
 * @phpstan-type ApiPayoutBatchSource 'FILE'|'API'
 * @phpstan-type ApiPayoutBatchStatus 'CHECKING'|'REFUSED'|'CHECKED'|'WAITING_APPROVAL'|'RUNNING'|'PAUSED'|'DONE'|'CANCELLED'|'REJECTED'|'DISCARDED'
 * @phpstan-type ApiPayoutBatchSummary array{
 *     batchId: string,
 *     status: ApiPayoutBatchStatus,
 *     source: ApiPayoutBatchSource,
 *     name: string,
 *     currency: ApiPayoutCurrency,
 *     lineCount: int,
 *     amount: int|numeric-string,
 *     feeAmount: int|numeric-string,
 *     waitsFor: string|null,
 *     createdAt: string,
 *     finishedAt: string|null,
 * }
 * @phpstan-type ApiPayoutBeneficiary array{
 *     name: string,
 *     documentType: string,
 *     documentNumber: string|null,
 *     bankCanonicalId: string|null,
 *     accountType: string|null,
 *     accountNumber: string|null,
 *     keyType: string|null,
 *     keyValue: string|null,
 * }
 * @phpstan-type ApiPayoutCatalogue array{
 *     enabled: bool,
 *     methods: list<ApiPayoutMethod>,
 * }
 * @phpstan-type ApiPayoutCompletedEvent array{
 *     event: 'payout.completed',
 *     data: ApiPayoutPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPayoutCompletedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payout.completed',
 *     data: ApiPayoutPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPayoutCreateRequest array{
 *     amount: int|float|numeric-string,
 *     currency?: ApiPayoutCurrency,
 *     recipientName: string,
 *     recipientDocType: ApiDocumentType,
 *     recipientDocNumber: string,
 *     network?: string,
 *     bankCanonicalId?: string|null,
 *     accountType?: ApiAccountType|null,
 *     accountNumber?: string|null,
 *     keyType?: ApiBrebKeyType|null,
 *     keyValue?: string|null,
 *     description?: string,
 *     reference?: string,
 *     metadata?: array<string, mixed>,
 *     idempotencyKey?: string|null,
 * }
 * @phpstan-type ApiPayoutCurrency 'COPM'|'USDT'
 * @phpstan-type ApiPayoutFailedEvent array{
 *     event: 'payout.failed',
 *     data: ApiPayoutPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPayoutFailedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payout.failed',
 *     data: ApiPayoutPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPayoutMethod array{
 *     method: string,
 *     label: string,
 *     network: ApiPayoutNetwork,
 *     currency: string,
 *     minAmount: int|numeric-string|null,
 *     limits: ApiPayoutMethodLimits,
 *     requiredFields: list<ApiPayoutMethodField>,
 *     banks?: list<ApiPayoutBank>,
 * }
 * @phpstan-type ApiPayoutMethodField array{
 *     key: string,
 *     required: bool,
 *     type: string,
 *     enum?: list<string>,
 * }
 * @phpstan-type ApiPayoutMethodLimits array{
 *     maxAmountCop: int|numeric-string,
 * }
 * @phpstan-type ApiPayoutNetwork 'BANK'|'BREB'
 * @phpstan-type ApiPayoutPayload array{
 *     id: string,
 *     reference: string|null,
 *     status: ApiPayoutStatus,
 *     amount: int|numeric-string,
 *     feeAmount: int|numeric-string,
 *     currency: ApiPayoutCurrency,
 *     network: string,
 *     beneficiary: ApiPayoutBeneficiary,
 *     providerPayoutId: string|null,
 *     failureReason: string|null,
 *     metadata: array<string, mixed>,
 *     createdAt: string,
 *     completedAt: string|null,
 * }
 * @phpstan-type ApiPayoutProcessingEvent array{
 *     event: 'payout.processing',
 *     data: ApiPayoutPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPayoutProcessingFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payout.processing',
 *     data: ApiPayoutPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPayoutQrCodeRequest array{
 *     qr: string,
 * }
 * @phpstan-type ApiPayoutQrContent array{
 *     network: ApiPayoutQrNetwork,
 *     keyType: ApiBrebKeyType,
 *     keyValue: string,
 *     recipientName: string,
 *     amount: int|numeric-string|null,
 *     city: string|null,
 *     taxId: string|null,
 *     merchantCode: string|null,
 *     reference: string|null,
 *     isStatic: bool,
 * }
 * @phpstan-type ApiPayoutQrNetwork 'BREB'
 * @phpstan-type ApiPayoutRefundedEvent array{
 *     event: 'payout.refunded',
 *     data: ApiPayoutPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiPayoutRefundedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'payout.refunded',
 *     data: ApiPayoutPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiPayoutStatus 'PENDING'|'PROCESSING'|'COMPLETED'|'FAILED'|'REFUNDED'
 * @phpstan-type ApiRefund array{
 *     id: string,
 *     orderId: string,
 *     status: ApiRefundStatus,
 *     amount: int|numeric-string,
 *     currency: ApiOrderCurrency,
 *     reason: string,
 *     requestedAt: string,
 *     approvedAt: string|null,
 *     rejectedAt: string|null,
 *     completedAt: string|null,
 *     destinationUrl: string|null,
 *     waitsFor: ApiRefundWait|null,
 *     coins: ApiReturnedCoins|null,
 *     failureReason: string|null,
 * }
 * @phpstan-type ApiRefundApprovedEvent array{
 *     event: 'refund.approved',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiRefundApprovedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'refund.approved',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiRefundCompletedEvent array{
 *     event: 'refund.completed',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiRefundCompletedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'refund.completed',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiRefundCreateRequest array{
 *     amount?: int|float|numeric-string|null,
 *     reason: string,
 * }
 * @phpstan-type ApiRefundPayload array{
 *     id: string,
 *     reference: string,
 *     amount: int|numeric-string,
 *     baseAmount: int|numeric-string|null,
 *     feeAmount: int|numeric-string|null,
 *     currency: ApiOrderCurrency,
 *     status: ApiOrderStatus,
 *     paidAt: string|null,
 *     metadata: array<string, mixed>,
 *     retryOf?: string,
 *     linkId?: string,
 *     customer?: ApiEventCustomer,
 *     refundId: string,
 *     refundedAmount: int|numeric-string,
 *     remainingAmount: int|numeric-string,
 *     totalRefunded: int|numeric-string,
 *     reason: string,
 *     requestedAt: string,
 *     approvedAt?: string,
 *     rejectedAt?: string,
 *     completedAt?: string,
 * }
 * @phpstan-type ApiRefundRejectedEvent array{
 *     event: 'refund.rejected',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiRefundRejectedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'refund.rejected',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiRefundRequestedEvent array{
 *     event: 'refund.requested',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiRefundRequestedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'refund.requested',
 *     data: ApiRefundPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiRefundStatus 'PENDING'|'PROCESSING'|'COMPLETED'|'FAILED'|'REFUNDED'
 * @phpstan-type ApiRefundWait 'DESTINATION'|'APPROVAL'|'PAYMENT'|'CONFIRMATIONS'
 * @phpstan-type ApiReturnedCoins array{
 *     amount: int|numeric-string|null,
 *     currency: string,
 *     network: string,
 *     transaction: string|null,
 * }
 * @phpstan-type ApiSandboxCollectionOutcome 'COMPLETED'|'FAILED'|'EXPIRED'
 * @phpstan-type ApiSettlement array{
 *     id: string,
 *     date: string,
 *     timezone: string,
 *     currency: ApiBalanceCurrency,
 *     collected: int|numeric-string,
 *     fee: int|numeric-string,
 *     tax: int|numeric-string,
 *     net: int|numeric-string,
 *     refunded: int|numeric-string,
 *     orderCount: int,
 *     refundCount: int,
 *     openingBalance: int|numeric-string,
 *     openingHeld: int|numeric-string,
 *     closingBalance: int|numeric-string,
 *     closingHeld: int|numeric-string,
 *     taxLines: list<ApiTaxLine>,
 *     closedAt: string,
 * }
 * @phpstan-type ApiSettlementClosedEvent array{
 *     event: 'settlement.closed',
 *     data: ApiSettlementPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiSettlementClosedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'settlement.closed',
 *     data: ApiSettlementPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiSettlementPayload array{
 *     id: string,
 *     date: string,
 *     timezone: 'America/Bogota',
 *     currency: ApiBalanceCurrency,
 *     collected: int|numeric-string,
 *     fee: int|numeric-string,
 *     tax: int|numeric-string,
 *     net: int|numeric-string,
 *     refunded: int|numeric-string,
 *     orderCount: int,
 *     refundCount: int,
 *     closedAt: string,
 * }
 * @phpstan-type ApiTaxKind 'INCLUDED'|'WITHHELD'
 * @phpstan-type ApiTaxLine array{
 *     name: string,
 *     kind: ApiTaxKind,
 *     rate: int|numeric-string,
 *     base: int|numeric-string,
 *     amount: int|numeric-string,
 * }
 * @phpstan-type ApiTestPayload array{
 *     merchantId: string,
 *     message: string,
 * }
 * @phpstan-type ApiTopup array{
 *     id: string,
 *     status: ApiTopupStatus,
 *     phone: string,
 *     amountCop: int,
 *     feeCop: int,
 *     totalCop: int,
 *     reference: string,
 *     ticket: ApiTopupTicket|null,
 *     operatorCode: string,
 *     failureReason: string|null,
 *     createdAt: string,
 *     completedAt: string|null,
 * }
 * @phpstan-type ApiTopupCompletedEvent array{
 *     event: 'topup.completed',
 *     data: ApiTopupPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiTopupCompletedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'topup.completed',
 *     data: ApiTopupPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiTopupCreateRequest array{
 *     phone: string,
 *     operatorCode: string,
 *     amountCop: int,
 *     idempotencyKey?: string|null,
 * }
 * @phpstan-type ApiTopupFailedEvent array{
 *     event: 'topup.failed',
 *     data: ApiTopupPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiTopupFailedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'topup.failed',
 *     data: ApiTopupPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiTopupOperator array{
 *     code: string,
 *     name: string,
 *     logo: string,
 *     minAmount: int|numeric-string|null,
 *     maxAmount: int|numeric-string,
 *     allowedAmounts: list<int>|null,
 * }
 * @phpstan-type ApiTopupPayload array{
 *     id: string,
 *     status: ApiTopupStatus,
 *     phone: string,
 *     operatorCode: string,
 *     amountCop: int,
 *     feeCop: int,
 *     totalCop: int,
 *     reference: string,
 *     failureReason: string|null,
 *     createdAt: string,
 *     completedAt: string|null,
 * }
 * @phpstan-type ApiTopupProcessingEvent array{
 *     event: 'topup.processing',
 *     data: ApiTopupPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiTopupProcessingFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'topup.processing',
 *     data: ApiTopupPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiTopupRefundedEvent array{
 *     event: 'topup.refunded',
 *     data: ApiTopupPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiTopupRefundedFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'topup.refunded',
 *     data: ApiTopupPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiTopupStatus 'processing'|'completed'|'failed'|'refunded'
 * @phpstan-type ApiTopupTicket array{
 *     number: string|null,
 *     authorization: string|null,
 *     provider: string,
 *     issuedAt: string,
 *     operator: string,
 *     phone: string,
 *     amountCop: int,
 *     legend: string,
 * }
 * @phpstan-type ApiWebhookEndpoint array{
 *     id: string,
 *     url: string|null,
 *     events: list<string>,
 *     description: string,
 *     enabled: bool,
 *     account: bool,
 *     rotation: ApiWebhookEndpointRotation|null,
 *     createdAt: string,
 *     updatedAt: string,
 * }
 * @phpstan-type ApiWebhookEndpointCreateRequest array{
 *     url: string,
 *     events: list<string>,
 *     description?: string,
 *     enabled?: bool,
 * }
 * @phpstan-type ApiWebhookEndpointRotation array{
 *     until: string,
 *     contractSignature: ApiWebhookSignatureSecret,
 * }
 * @phpstan-type ApiWebhookEndpointUpdateRequest array{
 *     url?: string|null,
 *     events?: list<string>,
 *     description?: string,
 *     enabled?: bool,
 * }
 * @phpstan-type ApiWebhookEndpointWithSecret array{
 *     id: string,
 *     url: string|null,
 *     events: list<string>,
 *     description: string,
 *     enabled: bool,
 *     account: bool,
 *     rotation: ApiWebhookEndpointRotation|null,
 *     createdAt: string,
 *     updatedAt: string,
 *     secret: string|null,
 * }
 * @phpstan-type ApiWebhookResendRequest array{
 *     eventId?: string,
 *     from?: string,
 *     to?: string,
 *     onlyMissing?: bool,
 * }
 * @phpstan-type ApiWebhookResendResult array{
 *     id: string,
 *     events: int,
 * }
 * @phpstan-type ApiWebhookSecretRotateRequest array{
 *     overlapHours?: int,
 *     contractSignature?: ApiWebhookSignatureSecret,
 * }
 * @phpstan-type ApiWebhookSignatureSecret 'OLD'|'NEW'
 * @phpstan-type ApiWebhookTestEvent array{
 *     event: 'webhook.test',
 *     data: ApiTestPayload,
 *     timestamp: string,
 *     id: string,
 * }
 * @phpstan-type ApiWebhookTestFeedEvent array{
 *     sequence: int,
 *     id: string,
 *     event: 'webhook.test',
 *     data: ApiTestPayload,
 *     timestamp: string,
 * }
 * @phpstan-type ApiWebhookTestResult array{
 *     id: string,
 *     eventId: string,
 * }
 * @phpstan-type Balance ApiBalance
 * @phpstan-type Movement ApiMovement
 * @phpstan-type Agreements ApiBillingAgreementPage
 * @phpstan-type BillCheck ApiBillCheckResult
 * @phpstan-type BillPayment ApiBillPayment
 * @phpstan-type CreatedOrder ApiOrderCreated
 * @phpstan-type Order ApiOrder
 * @phpstan-type OrderMethod ApiDirectMethod
 * @phpstan-type OrderCharge ApiDirectCharge
 * @phpstan-type OrderStatistics ApiCollectionStatistics
 * @phpstan-type Refund ApiRefund
 * @phpstan-type FeedEvent ApiFeedEvent
 * @phpstan-type Link ApiPaymentLink
 * @phpstan-type Payout ApiPayout
 * @phpstan-type PayoutMethods ApiPayoutCatalogue
 * @phpstan-type PayoutQr ApiPayoutQrContent
 * @phpstan-type PayoutBatchEntry ApiPayoutBatchSummary
 * @phpstan-type PayoutBatch ApiPayoutBatch
 * @phpstan-type PayoutBatchItem ApiPayoutBatchLine
 * @phpstan-type Settlement ApiSettlement
 * @phpstan-type Topup ApiTopup
 * @phpstan-type Operator ApiTopupOperator
 * @phpstan-type WebhookEndpoint ApiWebhookEndpoint
 * @phpstan-type WebhookEndpointWithSecret ApiWebhookEndpointWithSecret
 * @phpstan-type WebhookTest ApiWebhookTestResult
 * @phpstan-type WebhookResend ApiWebhookResendResult
 * @phpstan-type SandboxBalance ApiCreditedBalance
 * @phpstan-type SandboxSettlement ApiAnnouncedDay
 * @phpstan-type Dispute ApiDispute
 * @phpstan-type NewBillPayment ApiBillPaymentCreateRequest
 * @phpstan-type NewOrder ApiOrderCreateRequest
 * @phpstan-type NewCharge ApiDirectPayRequest
 * @phpstan-type NewRefund ApiRefundCreateRequest
 * @phpstan-type NewLink ApiPaymentLinkCreateRequest
 * @phpstan-type LinkChange ApiPaymentLinkUpdateRequest
 * @phpstan-type LinkImage ApiPaymentLinkImageRequest
 * @phpstan-type NewPayout ApiPayoutCreateRequest
 * @phpstan-type NewPayoutBatch ApiPayoutBatchCreateRequest
 * @phpstan-type NewTopup ApiTopupCreateRequest
 * @phpstan-type QrToRead ApiPayoutQrCodeRequest
 * @phpstan-type NewWebhookEndpoint ApiWebhookEndpointCreateRequest
 * @phpstan-type WebhookEndpointChange ApiWebhookEndpointUpdateRequest
 * @phpstan-type SecretRotation ApiWebhookSecretRotateRequest
 * @phpstan-type EventsToResend ApiWebhookResendRequest
 * @phpstan-type OrderOutcome ApiOrderOutcomeRequest
 * @phpstan-type NewDispute ApiDisputeCreateRequest
 * @phpstan-type Event ApiPaymentCompletedEvent|ApiPaymentFailedEvent|ApiPaymentExpiredEvent|ApiPaymentCancelledEvent|ApiPaymentConfirmedEvent|ApiPaymentRefundedEvent|ApiPaymentPartiallyRefundedEvent|ApiPaymentChargebackEvent|ApiPaymentDisputedEvent|ApiRefundRequestedEvent|ApiRefundApprovedEvent|ApiRefundRejectedEvent|ApiRefundCompletedEvent|ApiSettlementClosedEvent|ApiLinkPaidEvent|ApiBatchRunningEvent|ApiBatchPausedEvent|ApiBatchDoneEvent|ApiBatchCancelledEvent|ApiBatchRejectedEvent|ApiPayoutProcessingEvent|ApiPayoutCompletedEvent|ApiPayoutFailedEvent|ApiPayoutRefundedEvent|ApiTopupProcessingEvent|ApiTopupCompletedEvent|ApiTopupFailedEvent|ApiTopupRefundedEvent|ApiBillProcessingEvent|ApiBillCompletedEvent|ApiBillFailedEvent|ApiBillRefundedEvent|ApiWebhookTestEvent
 */
final class Types
{
    public const VERSION = '1.0.0';

    /** @var list<string> */
    public const EVENT_KINDS = [
        'payment.completed',
        'payment.failed',
        'payment.expired',
        'payment.cancelled',
        'payment.confirmed',
        'payment.refunded',
        'payment.partially_refunded',
        'payment.chargeback',
        'payment.disputed',
        'refund.requested',
        'refund.approved',
        'refund.rejected',
        'refund.completed',
        'settlement.closed',
        'link.paid',
        'batch.running',
        'batch.paused',
        'batch.done',
        'batch.cancelled',
        'batch.rejected',
        'payout.processing',
        'payout.completed',
        'payout.failed',
        'payout.refunded',
        'topup.processing',
        'topup.completed',
        'topup.failed',
        'topup.refunded',
        'bill.processing',
        'bill.completed',
        'bill.failed',
        'bill.refunded',
        'webhook.test',
    ];

    /** @var list<string> */
    public const ERROR_CODES = [
        'AMOUNT_ABOVE_LIMIT',
        'AMOUNT_BELOW_MINIMUM',
        'BILL_CHANGED',
        'BILL_PAYMENT_NOT_ENABLED',
        'BILL_SELECTION_REQUIRED',
        'CHARGE_REFUSED',
        'DIRECT_API_NOT_ENABLED',
        'FORBIDDEN',
        'IDEMPOTENCY_KEY_REQUIRED',
        'IDEMPOTENCY_KEY_REUSED',
        'INSUFFICIENT_BALANCE',
        'INTERNAL_ERROR',
        'INVALID_API_KEY',
        'INVALID_CREDENTIALS',
        'MERCHANT_NOT_ACTIVE',
        'METHOD_NOT_AVAILABLE',
        'MISSING_CREDENTIALS',
        'NOT_ALLOWED',
        'NOT_FOUND',
        'NO_PENDING_BILL',
        'NO_WEBHOOK_URL',
        'ORDER_NOT_CANCELLABLE',
        'ORDER_NOT_DISPUTABLE',
        'ORDER_NOT_FOUND',
        'ORDER_NOT_PAYABLE',
        'ORDER_NOT_REFUNDABLE',
        'PAYLOAD_TOO_LARGE',
        'PAYOUT_DISABLED',
        'PAYOUT_METHOD_NOT_AVAILABLE',
        'PAYOUT_PROVIDER_UNAVAILABLE',
        'QR_NOT_VALID',
        'RATE_LIMIT_EXCEEDED',
        'REFUND_PROVIDER_UNAVAILABLE',
        'REQUEST_TIMEOUT',
        'SERVICE_UNAVAILABLE',
        'TOPUP_NOT_ENABLED',
        'UNSUPPORTED_MEDIA_TYPE',
        'VALIDATION_ERROR',
    ];

    /** @var list<string> */
    public const NUMBER_FIELDS = [
        'amount',
        'available',
        'balanceAfter',
        'base',
        'baseAmount',
        'closingBalance',
        'closingHeld',
        'collected',
        'disputedAmount',
        'fee',
        'feeAmount',
        'held',
        'maxAmount',
        'maxAmountCop',
        'minAmount',
        'net',
        'openingBalance',
        'openingHeld',
        'rate',
        'refunded',
        'refundedAmount',
        'remainingAmount',
        'tax',
        'totalRefunded',
    ];
}
