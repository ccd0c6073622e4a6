"""`make demo`: one payment from end to end, with a merchant, a payer, a bank and a receiver."""
