"""Readers of the settlement files of acquirers."""

from payments.reconciliation.settlement_formats import wompi

# By the provider of the account.
PARSERS = {"wompi": wompi.parse}
