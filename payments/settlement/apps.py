"""Application config of the settlements."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class SettlementConfig(AppConfig):
    """Tables: Settlement, SettlementLine, TaxRule."""

    name = "payments.settlement"
    label = "settlement"
    verbose_name = _("Settlements")
