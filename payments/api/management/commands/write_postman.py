"""`manage.py write_postman`: the Postman collection of docs/, from the schema.

With --check nothing is written, and a file that differs is exit code 1.
"""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from payments.api.reference import postman
from payments.core import jsontext

FILE = settings.BASE_DIR / "docs" / "pasarela.postman_collection.json"


class Command(BaseCommand):
    """Needs no database."""

    help = "Writes the Postman collection from the schema."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Where to, and whether to look only."""
        parser.add_argument("--check", action="store_true", help="only tell whether it is current")
        parser.add_argument("--file", type=Path, default=FILE)

    def handle(self, *args: Any, **options: Any) -> None:
        """Writes the file only when it differs."""
        path: Path = options["file"]
        text = jsontext.pretty(postman.collection()) + "\n"
        if path.is_file() and path.read_text() == text:
            self.stdout.write(f"{path} is current.")
            return
        if options["check"]:
            raise CommandError(f"{path} differs from the schema. Run manage.py write_postman.")
        path.write_text(text)
        self.stdout.write(f"{path} is written.")
