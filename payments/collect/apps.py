"""Application config of collections."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class CollectConfig(AppConfig):
    """Tables: Order, OrderTally, Charge, UnmatchedFunds."""

    name = "payments.collect"
    label = "collect"
    verbose_name = _("Collections")
