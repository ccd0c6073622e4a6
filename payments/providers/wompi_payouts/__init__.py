"""Wompi: payouts to third parties in Colombia. Not yet run against the live rail."""
