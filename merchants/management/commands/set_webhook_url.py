"""`manage.py set_webhook_url MERCHANT_ID URL`: where the merchant's events go from now on."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings

from merchants import services, url_safety
from merchants.management.base import OperatorCommand, find_merchant
from merchants.models import Merchant


class Command(OperatorCommand):
    """Prints {"merchantId", "webhookUrl"}."""

    help = (
        "Sets a merchant's webhook URL. Events that waited for one are sent at once. An empty URL "
        "removes it: events wait until there is one again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("merchant_id", metavar="MERCHANT_ID")
        parser.add_argument("url", metavar="URL")
        parser.add_argument("--reason", default="", help="kept in the audit log")

    def result(self, **options: Any) -> dict[str, object]:
        """Sets it; the same URL again changes nothing."""
        merchant = find_merchant(options["merchant_id"])
        url = options["url"].strip()
        set_webhook_url(merchant, url, actor=self.actor, reason=options["reason"])
        return {"merchantId": merchant.pk, "webhookUrl": url}


def set_webhook_url(merchant: Merchant, url: str, *, actor: str, reason: str) -> None:
    """Raises UnsafeUrl for what the sender would refuse to call."""
    if url:
        url_safety.check_url(url, allow_private=settings.WEBHOOK_ALLOW_PRIVATE)
    services.update_merchant(merchant=merchant, actor=actor, reason=reason, webhook_url=url)
