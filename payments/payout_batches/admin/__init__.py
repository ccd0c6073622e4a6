"""Console pages of payouts by file, one module for each noun."""

from payments.payout_batches.admin.batches import PayoutBatchAdmin
from payments.payout_batches.admin.lines import BatchLineAdmin

__all__ = ["BatchLineAdmin", "PayoutBatchAdmin"]
