"""Console pages of what comes after a payment: refunds, disputes, and the acts of an order."""
