"""Money that leaves a merchant's balance through a rail: what payouts, top-ups and bills share."""
