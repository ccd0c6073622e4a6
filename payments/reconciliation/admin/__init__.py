"""Console pages of reconciliation, one module for each noun."""

from payments.reconciliation.admin.bank_accounts import BankAccountAdmin
from payments.reconciliation.admin.days import ReconciledDayAdmin
from payments.reconciliation.admin.disbursements import DisbursementAdmin
from payments.reconciliation.admin.files import StatementFileAdmin
from payments.reconciliation.admin.lines import StatementLineAdmin
from payments.reconciliation.admin.settlement_files import SettlementFileAdmin
from payments.reconciliation.admin.tariffs import ProviderTariffAdmin
from payments.reconciliation.admin.uploads import StatementUploadAdmin

__all__ = [
    "BankAccountAdmin",
    "DisbursementAdmin",
    "ProviderTariffAdmin",
    "ReconciledDayAdmin",
    "SettlementFileAdmin",
    "StatementFileAdmin",
    "StatementLineAdmin",
    "StatementUploadAdmin",
]
