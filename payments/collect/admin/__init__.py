"""Console pages of collections."""

from payments.collect.admin import (  # noqa: F401  registers the pages
    charges,
    disputes,
    orders,
    refunds,
    unmatched,
)
