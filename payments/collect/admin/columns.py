"""The files of the lists of collections: one declaration each, headers as in the API."""

from django.utils.translation import gettext_lazy as _

from payments.collect.models import Charge, Order
from payments.console.code_words import code_words
from payments.console.csvtext import Cell
from payments.console.exports.columns import Column, Mask, fields, internal, personal
from payments.core import jsontext, masking


def method_names(codes: Cell) -> str:
    """For people, of codes with spaces between them."""
    return ", ".join(code_words(code) for code in str(codes).split())


ORDER = [
    *fields(id="pk", createdAt="created_at", merchantId="merchant_id", merchant="merchant__name"),
    *fields(reference="reference", amount="amount", baseAmount="base_amount"),
    *fields(feeAmount="fee_amount", currency="currency", status="status"),
    *fields(selectedMethod="selected_method"),
    Column("allowedMethods", lambda order: " ".join(order.allowed_methods), words=method_names),
    *fields(description="description", customerName="customer_name"),
    *personal(masking.email, customerEmail="customer_email"),
    *fields(customerDocType="customer_doc_type"),
    *personal(masking.tail, customerDocNumber="customer_doc_number"),
    *fields(metadata="metadata", expiresAt="expires_at", paidAt="paid_at"),
    *fields(confirmedAt="confirmed_at", cancelledAt="cancelled_at"),
    *fields(refundedAmount="refunded_amount", updatedAt="updated_at"),
]


def payer_part(charge: Charge, part: str) -> str:
    """A part of the payer's data. Empty if the payer was not asked for it."""
    return str((charge.payer or {}).get(part) or "")


def document_of(order: Order) -> tuple[str, str]:
    """Type and number. An order of a payment link has none: then those of the one who paid it."""
    if order.customer_doc_type:
        return order.customer_doc_type, order.customer_doc_number
    for charge in order.charges.all():
        if charge.pk == order.settled_by_id:
            return payer_part(charge, "document_type"), payer_part(charge, "document_number")
    return "", ""


# Parts of `Charge.payer` that are personal data, and how they are masked.
PAYER_MASKS = {"document_number": masking.tail, "email": masking.email, "phone": masking.tail}
CHARGE_PRIVATE = (
    (_("payer"), lambda row: payer_part(row, "name")),
    (
        _("document"),
        lambda row: " ".join(
            filter(None, (payer_part(row, "document_type"), payer_part(row, "document_number")))
        ),
    ),
    (_("e-mail"), lambda row: payer_part(row, "email")),
    (_("phone"), lambda row: payer_part(row, "phone")),
    # What a method of the Direct API asked of the payer.
    (_("given for the method"), lambda row: jsontext.dumps(row.fields) if row.fields else ""),
)


def _payer(header: str, part: str, mask: Mask | None = None) -> Column:
    return Column(header, lambda charge: payer_part(charge, part), mask)


CHARGE = [
    *fields(id="pk", createdAt="created_at", merchantId="order__merchant_id", orderId="order_id"),
    *fields(reference="order__reference", method="method", directMethod="direct_method"),
    *fields(status="status", currency="currency", amount="amount", received="received"),
    *fields(orderCurrency="order__currency", credited="credited", traceCode="trace_code"),
    _payer("payerName", "name"),
    _payer("payerEmail", "email", masking.email),
    _payer("payerPhone", "phone", masking.tail),
    _payer("payerDocType", "document_type"),
    _payer("payerDocNumber", "document_number", masking.tail),
    *fields(expiresAt="expires_at"),
    *internal(provider="provider", transactionId="provider_id", failureReason="failure_reason"),
    *internal(providerFee="provider_fee"),
]
REFUND = [
    *fields(refundId="pk", requestedAt="created_at", merchantId="merchant_id"),
    *fields(merchant="merchant__name", orderId="order_id", reference="order__reference"),
    *fields(chargeId="charge_id", status="status", refundedAmount="amount", currency="currency"),
    *fields(reason="reason", idempotencyKey="idempotency_key", needsApproval="needs_approval"),
    *fields(approvedAt="approved_at", rejectedAt="rejected_at", completedAt="completed_at"),
    *fields(returnedCoin="coin", returnedNetwork="coin_network", returnedAmount="coin_amount"),
    *fields(transaction="transaction"),
    *internal(requestedBy="requested_by", decidedBy="decided_by", provider="provider"),
    *internal(providerReference="provider_reference", providerRefundId="provider_id"),
    *internal(failureReason="failure_reason", needsOperator="needs_operator"),
    *internal(providerFee="provider_fee"),
]
DISPUTE = [
    *fields(disputeId="pk", openedAt="opened_at", merchantId="order__merchant_id"),
    *fields(merchant="order__merchant__name", orderId="order_id", reference="order__reference"),
    *fields(kind="kind", status="status", claimedAmount="claimed", disputedAmount="amount"),
    *fields(heldAmount="held", currency="currency", reason="reason"),
    *fields(evidenceDueAt="evidence_due_at", closedAt="closed_at"),
    *internal(shortfall="shortfall", openedBy="opened_by", provider="provider"),
    *internal(providerReference="provider_reference", needsOperator="needs_operator"),
]
UNMATCHED = [
    *fields(id="pk", createdAt="created_at", merchantId="order__merchant_id"),
    *fields(merchant="order__merchant__name", orderId="order_id", reference="order__reference"),
    *fields(chargeId="charge_id", amount="amount", currency="currency", reason="reason"),
    *fields(traceCode="trace_code", status="status", decidedAt="decided_at"),
    *internal(decidedBy="decided_by", proof="proof", appliedChargeId="applied_charge_id"),
]
