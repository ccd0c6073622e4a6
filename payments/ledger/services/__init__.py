"""What can be done with the books: post an entry, read balances, verify everything.

The movements that the products use are in recipes.py.
"""

from payments.ledger.services.accounts import (
    Book,
    Line,
    available,
    balances,
    clearing,
    conversion,
    fees,
    held,
    sandbox,
    suspense,
)
from payments.ledger.services.entries import (
    AlreadyPosted,
    HeldTooLittle,
    InsufficientBalance,
    post,
)
from payments.ledger.services.verification import Problem, Report, verify

__all__ = [
    "AlreadyPosted",
    "Book",
    "HeldTooLittle",
    "InsufficientBalance",
    "Line",
    "Problem",
    "Report",
    "available",
    "balances",
    "clearing",
    "conversion",
    "fees",
    "held",
    "post",
    "sandbox",
    "suspense",
    "verify",
]
