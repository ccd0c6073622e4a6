"""`manage.py write_event_table`: the table of docs/webhooks.md, from the catalogue.

With --check nothing is written, and a table that differs is exit code 1.
"""

import re
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from webhooks import catalogue

FILE = settings.BASE_DIR / "docs" / "webhooks.md"
_TABLE = re.compile(r"^\| Event \|.*\n(\|.*\n)+", re.MULTILINE)


class Command(BaseCommand):
    """Needs no database."""

    help = "Writes the table of events in docs/webhooks.md from the catalogue."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--check", action="store_true", help="only report a difference")
        parser.add_argument("--file", type=Path, default=FILE)

    def handle(self, *args: object, **options: Any) -> None:
        path: Path = options["file"]
        text = path.read_text()
        current = _TABLE.sub(lambda _: catalogue.markdown_table() + "\n", text)
        if text == current:
            self.stdout.write(f"{path} is current.")
        elif options["check"]:
            raise CommandError(f"{path} differs from the catalogue. Run write_event_table.")
        else:
            path.write_text(current)
            self.stdout.write(f"{path} is written.")
