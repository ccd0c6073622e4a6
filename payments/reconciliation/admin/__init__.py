"""Console pages of reconciliation, one module for each noun."""

from payments.reconciliation.admin.disbursements import DisbursementAdmin
from payments.reconciliation.admin.settlement_files import SettlementFileAdmin
from payments.reconciliation.admin.tariffs import ProviderTariffAdmin

__all__ = ["DisbursementAdmin", "ProviderTariffAdmin", "SettlementFileAdmin"]
