"""Console pages of the ledger."""

from payments.ledger.admin import balance, entries, fees, system_accounts  # noqa: F401  registers the pages
