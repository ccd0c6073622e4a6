"""Payment links: orders that a payer makes, without code of the merchant."""
