"""Console pages of the ledger."""

from payments.ledger.admin import balance, entries  # noqa: F401  registers the pages
