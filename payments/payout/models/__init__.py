"""Tables of payouts, one module for each noun. Amounts are pesos."""

from payments.payout.models.beneficiaries import Beneficiary, BeneficiaryChange
from payments.payout.models.payouts import (
    AccountType,
    Bank,
    KeyType,
    Network,
    Payout,
    PayoutMethod,
    PayoutSwitch,
)
from payments.payout.models.team import (
    ApprovalPolicy,
    ApprovalTier,
    TeamApproval,
    TeamDecision,
)

__all__ = [
    "AccountType",
    "ApprovalPolicy",
    "ApprovalTier",
    "Bank",
    "Beneficiary",
    "BeneficiaryChange",
    "KeyType",
    "Network",
    "Payout",
    "PayoutMethod",
    "PayoutSwitch",
    "TeamApproval",
    "TeamDecision",
]
