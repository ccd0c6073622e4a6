"""manage.py rail_check ACCOUNT: tests a provider account and prints one line of JSON."""

import json
from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError, no_translations

from payments.core import clock
from payments.providers.account import Finding
from payments.rails.models import ProviderAccount
from payments.rails.services.checks import check_account


class Command(BaseCommand):
    help = (
        "Checks a provider account: credentials, banks, balance, clock. Exit 1 if something fails."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("account", help="its name in URLs")

    @no_translations
    def handle(self, *, account: str, **options: object) -> None:
        found = ProviderAccount.objects.filter(pk=account).first()
        if found is None:
            known = ", ".join(ProviderAccount.objects.values_list("slug", flat=True))
            raise CommandError(f"There is no account {account}. Known: {known or 'none'}.")
        lines = check_account(account=found, now=clock.now())
        self.stdout.write(
            json.dumps(
                {
                    "account": found.slug,
                    "checks": [
                        {"subject": one.subject, "finding": one.finding, "text": one.text}
                        for one in lines
                    ],
                    "unchecked": [one.subject for one in lines if one.finding is Finding.UNCHECKED],
                },
                ensure_ascii=False,
            )
        )
        if any(one.finding is Finding.FAILED for one in lines):
            raise CommandError("Something failed.", returncode=1)
