"""The movements of money, one function each: which accounts, and how much.

Each runs in the caller's transaction, as its last work, and returns the entry. In the tables a +
increases what we owe the owner of the account (payments.ledger.models). All may raise
AlreadyPosted, which means that this very fact is on the books.
"""

from payments.ledger.recipes.collect import (
    Conversion,
    ReceivedFunds,
    SettledOrder,
    collect_settled,
    deposit_received,
    unmatched_received,
)
from payments.ledger.recipes.dispute import (
    Disputed,
    dispute_lost,
    dispute_opened,
    dispute_recovered,
    dispute_won,
    dispute_written_off,
)
from payments.ledger.recipes.outgoing import (
    Outgoing,
    outgoing_completed,
    outgoing_lost,
    outgoing_released,
    outgoing_reserved,
    outgoing_returned,
)
from payments.ledger.recipes.sandbox import sandbox_credited
from payments.ledger.recipes.settlement import SettledDay, settlement_taxed
from payments.ledger.recipes.unmatched import (
    Waiting,
    unmatched_applied,
    unmatched_credited,
    unmatched_returned,
)

__all__ = [
    "Conversion",
    "Disputed",
    "Outgoing",
    "ReceivedFunds",
    "SettledDay",
    "SettledOrder",
    "Waiting",
    "collect_settled",
    "deposit_received",
    "dispute_lost",
    "dispute_opened",
    "dispute_recovered",
    "dispute_won",
    "dispute_written_off",
    "outgoing_completed",
    "outgoing_lost",
    "outgoing_released",
    "outgoing_reserved",
    "outgoing_returned",
    "sandbox_credited",
    "settlement_taxed",
    "unmatched_applied",
    "unmatched_credited",
    "unmatched_received",
    "unmatched_returned",
]
