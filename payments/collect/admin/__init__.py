"""Console pages of collections."""

from payments.collect.admin import (  # noqa: F401  registers the pages
    disputes,
    orders,
    refunds,
    unmatched,
)
