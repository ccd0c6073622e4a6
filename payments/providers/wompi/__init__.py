"""Wompi: collections in Colombia. Not yet run against the live rail."""
