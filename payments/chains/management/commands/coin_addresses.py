"""manage.py coin_addresses ACCOUNT [--csv]: the addresses of an account, for the wallet's owner."""

import csv
import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError, no_translations

from payments.chains.models import CoinAddress
from payments.chains.services import chain_accounts, gaps, owned

FIELDS = ("index", "address", "coin", "network", "balance", "order", "charge", "createdAt")


class Command(BaseCommand):
    help = "Prints the addresses that an account gave out, one line of JSON each, or as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("account", help="its name in URLs")
        parser.add_argument("--csv", action="store_true", help="CSV with a line of names")

    @no_translations
    def handle(self, *, account: str, **options: object) -> None:
        if chain_accounts.find_chain(account) is None:
            known = ", ".join(chain_accounts.list_accounts())
            raise CommandError(f"There is no coin account {account}. Known: {known or 'none'}.")
        rows = owned.with_orders(CoinAddress.objects.filter(account=account)).order_by("index")
        table = csv.DictWriter(self.stdout, FIELDS)
        if options["csv"]:
            table.writeheader()
        for address in rows.iterator(chunk_size=1000):
            row = _row(address)
            if options["csv"]:
                table.writerow(row)
            else:
                self.stdout.write(json.dumps(row, ensure_ascii=False))
        self._warn(account)

    def _warn(self, account: str) -> None:
        for use in gaps.uses_of_keys():
            if account in use.accounts:
                self.stderr.write(f"The highest index given is {use.highest}.")
                if use.is_past_limit:
                    self.stderr.write(
                        f"{use.longest_gap} unpaid addresses follow each other: raise the gap "
                        "limit of your wallet above that, or it does not find all money."
                    )


def _row(address: CoinAddress) -> dict[str, object]:
    return {
        "index": address.index,
        "address": address.address,
        "coin": address.coin,
        "network": address.network,
        "balance": owned.balance_text(address),
        "order": address.order_id,  # type: ignore[attr-defined]
        "charge": address.reference,
        "createdAt": address.created_at.isoformat(),
    }
