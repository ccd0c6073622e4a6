"""The kinds of money that a line may be, in the order in which they decide.

The first strategy that finds anything decides. What later ones find is shown to a person.
"""

from payments.reconciliation.services.matching import (
    costs,
    disbursements,
    evidence,
    payouts,
    references,
)
from payments.reconciliation.services.matching.values import Strategy

STRATEGIES: tuple[Strategy, ...] = (
    references.find,
    payouts.find,
    disbursements.find,
    costs.find,
    evidence.find,
    payouts.find_unnamed,
)
