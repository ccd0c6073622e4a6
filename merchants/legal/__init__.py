"""Who a merchant is by law: the lines of receipts, payment pages and statements."""
