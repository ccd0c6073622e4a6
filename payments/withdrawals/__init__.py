"""A merchant's own bank account, and withdrawals of its balance to it."""
