"""Application config of the webhooks."""

from typing import Any

from django.apps import AppConfig
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _


class WebhooksConfig(AppConfig):
    """Tables: Event, EventNumber, Delivery, Attempt."""

    name = "webhooks"
    verbose_name = _("Webhooks")

    def ready(self) -> None:
        """A merchant that got a URL has events waiting for it, perhaps: the pump looks at once."""
        from merchants.models import Merchant

        post_save.connect(_ring, sender=Merchant, dispatch_uid="webhooks.url_set")


def _ring(instance: Any, created: bool, update_fields: Any = None, **_signal: Any) -> None:
    """Without this ring the scanner finds them two seconds later."""
    from payments.core import jobs
    from webhooks.services import PUMP_TASK

    is_written = update_fields is None or "webhook_url" in update_fields
    if not created and is_written and instance.webhook_url:
        jobs.enqueue(PUMP_TASK)
