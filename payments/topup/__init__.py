"""topup."""
