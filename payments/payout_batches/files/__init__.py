"""Reads files of payouts: bytes, then cells, then values. Knows no tables."""
