"""Application config of the webhooks."""

from collections.abc import Collection
from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from merchants.models import Merchant


class WebhooksConfig(AppConfig):
    name = "webhooks"
    verbose_name = _("Webhooks")

    def ready(self) -> None:
        from merchants.models import Merchant

        post_save.connect(_notify_worker, sender=Merchant, dispatch_uid="webhooks.url_set")


def _notify_worker(
    instance: "Merchant",
    created: bool,
    update_fields: Collection[str] | None = None,
    **_signal: object,
) -> None:
    """Events may wait for the URL. Without the wake-up the scanner finds them two seconds later."""
    from payments.core import jobs
    from webhooks.services import DISPATCH_TASK

    is_written = update_fields is None or "webhook_url" in update_fields
    if not created and is_written and instance.webhook_url:
        jobs.enqueue(DISPATCH_TASK)
