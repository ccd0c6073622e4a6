"""Application config of bill payments."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class BillsConfig(AppConfig):
    """Tables: Agreement, BillTerms, BillPayment."""

    name = "payments.bills"
    label = "bills"
    verbose_name = _("Bill payments")
