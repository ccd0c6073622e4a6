"""Chains of coins beside the service: `make run CHAINS=local`."""

BLOCK_SECONDS = 3
