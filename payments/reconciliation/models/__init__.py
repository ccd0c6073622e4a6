from payments.reconciliation.models.days import (
    AccountKind,
    DayDifference,
    DayStatus,
    DifferenceKind,
    Flow,
    ReconciledDay,
)
from payments.reconciliation.models.disbursements import (
    Disbursement,
    DisbursementRow,
    DisbursementStatus,
    ProviderTariff,
    SettlementFile,
)
from payments.reconciliation.models.matches import LineMatch, MatchKind
from payments.reconciliation.models.statements import (
    BankAccount,
    LineSource,
    LineStatus,
    StatementFile,
    StatementGap,
    StatementLine,
)
from payments.reconciliation.models.transfers import AwaitedTransfer
from payments.reconciliation.models.uploads import StatementUpload, UploadPart, WatchedFile

__all__ = [
    "AccountKind",
    "AwaitedTransfer",
    "BankAccount",
    "DayDifference",
    "DayStatus",
    "DifferenceKind",
    "Disbursement",
    "DisbursementRow",
    "DisbursementStatus",
    "Flow",
    "LineMatch",
    "LineSource",
    "LineStatus",
    "MatchKind",
    "ProviderTariff",
    "ReconciledDay",
    "SettlementFile",
    "StatementFile",
    "StatementGap",
    "StatementLine",
    "StatementUpload",
    "UploadPart",
    "WatchedFile",
]
