"""Application config of payouts."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PayoutConfig(AppConfig):
    """Tables: PayoutMethod, Bank, PayoutSwitch, Payout."""

    name = "payments.payout"
    label = "payout"
    verbose_name = _("Payouts")
