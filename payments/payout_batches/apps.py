from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PayoutBatchesConfig(AppConfig):
    name = "payments.payout_batches"
    label = "payout_batches"
    verbose_name = _("Payout batches")
