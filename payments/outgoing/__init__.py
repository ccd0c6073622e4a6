"""Money that leaves a merchant's balance through a rail: what its products share."""
