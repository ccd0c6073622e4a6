from payments.reconciliation.models.matches import LineMatch, MatchKind
from payments.reconciliation.models.statements import (
    BankAccount,
    LineSource,
    LineStatus,
    StatementFile,
    StatementLine,
)

__all__ = [
    "BankAccount",
    "LineMatch",
    "LineSource",
    "LineStatus",
    "MatchKind",
    "StatementFile",
    "StatementLine",
]
