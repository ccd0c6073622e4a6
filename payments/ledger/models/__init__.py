from payments.ledger.models.books import (
    Account,
    Cost,
    Entry,
    Posting,
    PostingTally,
    entry_kinds,
)
from payments.ledger.models.totals import (
    PUC_CODE,
    AccountDay,
    FeeDay,
    PucCode,
    SystemAccount,
    TotalsCursor,
)

__all__ = [
    "PUC_CODE",
    "Account",
    "AccountDay",
    "Cost",
    "Entry",
    "FeeDay",
    "Posting",
    "PostingTally",
    "PucCode",
    "SystemAccount",
    "TotalsCursor",
    "entry_kinds",
]
