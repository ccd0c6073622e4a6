"""The movements of money, one function each: which accounts, and how much.

Each runs in the caller's transaction, as its last work, and returns the entry. In the tables a +
increases what we owe the owner of the account (payments.ledger.models). All may raise
AlreadyPosted, which means that this very fact is on the books.
"""

from payments.ledger.recipes.collect import (
    Conversion,
    collect_settled,
    deposit_received,
    unmatched_received,
)
from payments.ledger.recipes.payout import (
    payout_completed,
    payout_released,
    payout_reserved,
    payout_returned,
)
from payments.ledger.recipes.sandbox import sandbox_credited

__all__ = [
    "Conversion",
    "collect_settled",
    "deposit_received",
    "payout_completed",
    "payout_released",
    "payout_reserved",
    "payout_returned",
    "sandbox_credited",
    "unmatched_received",
]
