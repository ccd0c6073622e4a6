"""`manage.py revoke_api_key API_KEY`: immediate and irreversible."""

from argparse import ArgumentParser

from django.core.management.base import CommandError

from merchants import services
from merchants.management.base import OperatorCommand
from merchants.models import ApiKey
from payments.core import clock


class Command(OperatorCommand):
    help = "Revokes an API key at once and for good. Its requests get 401 from then on."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("api_key", metavar="API_KEY")
        parser.add_argument("--reason", default="", help="kept in the audit log")

    def result(self, *, api_key: str, reason: str, **_: object) -> dict[str, object]:
        key = ApiKey.objects.filter(public_key=api_key).first()
        if key is None:
            raise CommandError(f"There is no API key {api_key}.")
        services.revoke_api_key(key=key, now=clock.now(), actor=self.actor, reason=reason)
        return {
            "apiKey": key.public_key,
            "merchantId": key.merchant_id,
            "revokedAt": clock.iso(key.revoked_at),
        }
