from collections.abc import Collection
from datetime import timedelta
from typing import TYPE_CHECKING

from django.apps import AppConfig
from django.db.models import Q
from django.db.models.signals import post_save
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from payments.console import registry
from webhooks import schedule
from webhooks.history import HISTORY
from webhooks.metrics import METRICS

if TYPE_CHECKING:
    from merchants.models import Merchant


class WebhooksConfig(AppConfig):
    name = "webhooks"
    verbose_name = _("Webhooks")
    metrics = METRICS
    history = HISTORY
    console = registry.AppConsole(
        sections=(
            registry.section(
                50,
                _("Webhooks"),
                registry.Entry(
                    _("Deliveries"), "outbox", "webhooks.delivery", group=registry.DEVELOPERS
                ),
                registry.Entry(_("Events"), "bolt", "webhooks.event", group=registry.DEVELOPERS),
                registry.Entry(
                    _("Endpoints"), "lan", "webhooks.endpoint", group=registry.DEVELOPERS
                ),
            ),
        ),
        queues=(
            registry.WorkQueue(
                order=20,
                label=_("Webhooks that failed for good, last 24 hours"),
                model="webhooks.delivery",
                where=lambda now: Q(
                    status="FAILED", created_at__gte=schedule.failed_since(now, timedelta(days=1))
                ),
                query="status__exact=FAILED",
                decided_by="webhooks.resend_delivery",
                for_operators_only=True,
            ),
        ),
        search=(
            registry.searched("webhooks.event", "evt"),
            registry.searched("webhooks.delivery", "del"),
            registry.searched("webhooks.endpoint", "whe"),
        ),
        overview="webhooks.admin.overview.parts",
        cockpit="webhooks.admin.cockpit.panels",
        settings="webhooks.admin.account_settings.settings",
        rights={
            registry.EVERYONE: "view_event view_delivery view_attempt view_endpoint",
            registry.OF_MERCHANTS: "resend_event resend_delivery test_delivery",
            registry.SUPPORT: "resend_event resend_delivery test_delivery",
            registry.FINANCE: "resend_event resend_delivery test_delivery",
            registry.ADMINISTRATOR: "resend_event resend_delivery test_delivery",
        },
        right_names={
            "resend_event": gettext_noop("Can send events again"),
            "resend_delivery": gettext_noop("Can send deliveries again"),
            "test_delivery": gettext_noop("Can send test events"),
        },
    )

    def ready(self) -> None:
        from merchants.models import Merchant

        post_save.connect(_notify_worker, sender=Merchant, dispatch_uid="webhooks.url_set")
        post_save.connect(_end_overlap, sender=Merchant, dispatch_uid="webhooks.secret_set")


def _notify_worker(
    instance: "Merchant",
    created: bool,
    update_fields: Collection[str] | None = None,
    **_signal: object,
) -> None:
    """Wakes the dispatcher, because events may wait for the merchant's URL."""
    from payments.core import jobs
    from webhooks.services import DISPATCH_TASK

    is_written = update_fields is None or "webhook_url" in update_fields
    if not created and is_written and instance.webhook_url:
        jobs.enqueue(DISPATCH_TASK)


def _end_overlap(
    instance: "Merchant", update_fields: Collection[str] | None = None, **_signal: object
) -> None:
    """A secret that is replaced at once leaves no earlier one valid."""
    from webhooks.endpoint_requests import end_overlap

    if update_fields is not None and "webhook_secret" in update_fields:
        end_overlap(destination_id=instance.pk)
