"""Console pages of the merchants, one module for each noun."""

from merchants.admin.accounts import MerchantAdmin
from merchants.admin.keys import ApiKeyAdmin

__all__ = ["ApiKeyAdmin", "MerchantAdmin"]
