"""Application config of top-ups."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class TopUpConfig(AppConfig):
    """Tables: Operator, TopUpTerms, TopUp."""

    name = "payments.topup"
    label = "topup"
    verbose_name = _("Top-ups")
