"""Console pages of payouts, one module for each noun."""

from payments.payout.admin.catalogue import BankAdmin, PayoutMethodAdmin, PayoutSwitchAdmin
from payments.payout.admin.payouts import PayoutAdmin

__all__ = ["BankAdmin", "PayoutAdmin", "PayoutMethodAdmin", "PayoutSwitchAdmin"]
