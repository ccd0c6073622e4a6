"""`manage.py set_webhook_url MERCHANT_ID URL`: new deliveries of the merchant go to this URL."""

from argparse import ArgumentParser

from django.conf import settings

from merchants import services, url_safety
from merchants.management.base import OperatorCommand, find_merchant
from merchants.models import Merchant


class Command(OperatorCommand):
    help = (
        "Sets a merchant's webhook URL. Events that waited for one are sent at once. An empty URL "
        "removes it: events wait until there is one again."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("merchant_id", metavar="MERCHANT_ID")
        parser.add_argument("url", metavar="URL")
        parser.add_argument("--reason", default="", help="kept in the audit log")

    def result(self, *, merchant_id: str, url: str, reason: str, **_: object) -> dict[str, object]:
        merchant = find_merchant(merchant_id)
        set_webhook_url(merchant, url.strip(), actor=self.actor, reason=reason)
        return {"merchantId": merchant.pk, "webhookUrl": url.strip()}


def set_webhook_url(merchant: Merchant, url: str, *, actor: str, reason: str) -> None:
    """Raises UnsafeUrl for a URL that the sender would refuse."""
    if url:
        url_safety.check_url(url, allow_private=settings.WEBHOOK_ALLOW_PRIVATE)
    services.update_merchant(merchant=merchant, actor=actor, reason=reason, webhook_url=url)
