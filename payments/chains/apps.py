from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ChainsConfig(AppConfig):
    name = "payments.chains"
    label = "chains"
    verbose_name = _("Coins")
