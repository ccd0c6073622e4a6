"""Top-ups of mobile phones, paid from the merchant's balance (contract, Top-ups)."""
