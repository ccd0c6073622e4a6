"""Console pages of settlements, one module for each noun."""

from payments.settlement.admin.settlements import SettlementAdmin
from payments.settlement.admin.tax_rules import TaxRuleAdmin

__all__ = ["SettlementAdmin", "TaxRuleAdmin"]
