"""Provider accounts: the contracts with rails that an operator connects."""
