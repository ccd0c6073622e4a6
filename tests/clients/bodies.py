"""What the programs in Python send."""

ORDER = {
    "reference": "PEDIDO-1",
    "amount": 50000,
    "customerName": "María Ñáñez",
    "customerEmail": "maria@example.com",
    "customerDocType": "CC",
    "customerDocNumber": "1020304050",
    "metadata": {"cart": "A-7"},
}
PAYOUT = {
    "amount": 100000,
    "recipientName": "Juan Pérez",
    "recipientDocType": "CC",
    "recipientDocNumber": "79123456",
    "network": "BANK",
    "bankCanonicalId": "bancolombia",
    "accountType": "SAVINGS",
    "accountNumber": "12345678901",
}
