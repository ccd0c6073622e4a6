"""Console pages of payouts, one module for each noun."""

from payments.payout.admin.approval_policies import ApprovalPolicyAdmin
from payments.payout.admin.beneficiaries import BeneficiaryAdmin
from payments.payout.admin.catalogue import BankAdmin, PayoutMethodAdmin, PayoutSwitchAdmin
from payments.payout.admin.payouts import PayoutAdmin

__all__ = [
    "ApprovalPolicyAdmin",
    "BankAdmin",
    "BeneficiaryAdmin",
    "PayoutAdmin",
    "PayoutMethodAdmin",
    "PayoutSwitchAdmin",
]
