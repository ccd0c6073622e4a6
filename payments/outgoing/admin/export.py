"""The columns in files of outgoing payments: those of all products, and those of one product."""

from collections.abc import Sequence

from payments.console.exports.columns import Column, fields, internal


def columns(noun: str, own: Sequence[Column]) -> list[Column]:
    """The columns of a product.

    `own` stands between the money and the rail. `noun` is as in the API.
    """
    return [
        *fields(**{f"{noun}Id": "pk"}, createdAt="created_at", merchantId="merchant_id"),
        *fields(merchant="merchant__name", idempotencyKey="idempotency_key", status="status"),
        *fields(amount="amount", feeAmount="fee_amount", currency="currency", debit="debit"),
        *own,
        *fields(**{f"provider{noun[0].upper()}{noun[1:]}Id": "provider_id"}),
        *fields(authorization="authorization", completedAt="completed_at"),
        *internal(requestedBy="requested_by", provider="provider"),
        *internal(providerReference="provider_reference", failureReason="failure_reason"),
        *internal(needsOperator="needs_operator", providerFee="provider_fee"),
    ]
