"""Application config of the webhooks."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    """Tables: Event, EventNumber, Delivery, Attempt."""

    name = "webhooks"
    verbose_name = _("Webhooks")
