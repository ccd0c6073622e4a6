from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _

from payments.payment_files.metrics import METRICS


class PaymentFilesConfig(AppConfig):
    name = "payments.payment_files"
    label = "payment_files"
    verbose_name = _("Payment files")
    metrics = METRICS
