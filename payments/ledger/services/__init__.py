"""Post entries, read balances and movements, verify the ledger. Products post by `recipes`."""

from payments.ledger.services.accounts import (
    AccountRef,
    PostingLine,
    available,
    balances,
    clearing,
    conversion,
    fees,
    held,
    losses,
    sandbox,
    suspense,
    taxes,
)
from payments.ledger.services.entries import (
    AlreadyPosted,
    HoldUnderflow,
    InsufficientBalance,
    post,
)
from payments.ledger.services.movements import (
    Movement,
    MovementFilters,
    list_movements,
    read_movements,
)
from payments.ledger.services.verification import Problem, Report, verify

__all__ = [
    "AccountRef",
    "AlreadyPosted",
    "HoldUnderflow",
    "InsufficientBalance",
    "Movement",
    "MovementFilters",
    "PostingLine",
    "Problem",
    "Report",
    "available",
    "balances",
    "clearing",
    "conversion",
    "fees",
    "held",
    "list_movements",
    "losses",
    "post",
    "read_movements",
    "sandbox",
    "suspense",
    "taxes",
    "verify",
]
