"""manage.py load_payout_banks ACCOUNT: the banks that a provider account reaches."""

import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from payments.payout.services.bank_codes import load_codes
from payments.providers.ports import ProviderError
from payments.providers.registry import UnknownProvider


class Command(BaseCommand):
    help = "Adds the codes of a provider account to the catalogue of banks, by their ACH codes."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("account", help="its name in URLs")

    def handle(self, *, account: str, **options: object) -> None:
        try:
            loaded = load_codes(account=account, actor="manage.py")
        except UnknownProvider as error:
            raise CommandError(f"There is no account {account} that carries payouts.") from error
        except ProviderError as error:
            raise CommandError(f"The rail did not list its banks: {error}") from error
        told = {"account": account, "banks": loaded.banks, "ambiguous": loaded.ambiguous}
        self.stdout.write(json.dumps(told))
