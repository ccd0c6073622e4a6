"""`manage.py write_postman`: the Postman collection of docs/, from the schema.

With --check nothing is written, and a file that differs is exit code 1.
"""

from argparse import ArgumentParser
from pathlib import Path

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from payments.api.reference import postman
from payments.core import jsontext

FILE = settings.BASE_DIR / "docs" / "pasarela.postman_collection.json"


class Command(BaseCommand):
    help = "Writes the Postman collection from the schema."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--check", action="store_true", help="only report whether it is current"
        )
        parser.add_argument("--file", type=Path, default=FILE)

    def handle(self, *args: object, check: bool, file: Path, **options: object) -> None:
        text = jsontext.pretty(postman.collection()) + "\n"
        if file.is_file() and file.read_text() == text:
            self.stdout.write(f"{file} is current.")
            return
        if check:
            raise CommandError(f"{file} differs from the schema. Run manage.py write_postman.")
        file.write_text(text)
        self.stdout.write(f"{file} is written.")
