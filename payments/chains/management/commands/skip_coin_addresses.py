"""manage.py skip_coin_addresses COUNT: after a restore, no address is given a second time."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError, no_translations

from payments.chains.services import addresses


class Command(BaseCommand):
    help = "Leaves out the next COUNT addresses of each key: they were given after the backup."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("count", type=int, help="at least as many as were given since then")

    @no_translations
    def handle(self, *, count: int, **options: object) -> None:
        if not 0 < count <= addresses.SKIP_MAX:
            raise CommandError(f"A number from 1 to {addresses.SKIP_MAX}.")
        for sequence in addresses.skip_addresses(count=count):
            self.stdout.write(f"{sequence.key_id[:8]}: the next index is {sequence.next_index}.")
