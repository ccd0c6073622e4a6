"""The file of the list of closed days: headers as in the API."""

from payments.console.exports.columns import fields

SETTLEMENT = [
    *fields(id="pk", date="date", merchantId="merchant_id", merchant="merchant__name"),
    *fields(currency="currency", collected="collected", fee="fee", tax="tax", net="net"),
    *fields(refunded="refunded", orderCount="order_count", refundCount="refund_count"),
    *fields(openingBalance="opening_balance", openingHeld="opening_held"),
    *fields(closingBalance="closing_balance", closingHeld="closing_held", closedAt="closed_at"),
]
