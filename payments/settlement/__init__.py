"""Settlements: a merchant's closed days, statements, and the taxes in our fees."""
