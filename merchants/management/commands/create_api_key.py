"""`manage.py create_api_key MERCHANT_ID`: one more key pair; its secret is printed once."""

from argparse import ArgumentParser

from merchants import services
from merchants.management.base import OperatorCommand, add_permission_option, find_merchant, unique


class Command(OperatorCommand):
    help = "Issues an API key for a merchant and prints it with its secret, as JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("merchant", metavar="MERCHANT_ID")
        add_permission_option(parser)
        parser.add_argument("--label", default="", help="what the key is for")

    def result(
        self, *, merchant: str, permission: list[str], label: str, **_: object
    ) -> dict[str, object]:
        key, secret = services.issue_api_key(
            merchant=find_merchant(merchant),
            actor=self.actor,
            permissions=unique(permission),
            label=label,
        )
        return {"apiKey": key.public_key, "apiSecret": secret}
