"""`manage.py write_openapi FILE`: the OpenAPI document, as /api/v1/openapi.json serves it."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand

from payments.api.reference.document import document
from payments.core import jsontext


class Command(BaseCommand):
    help = "Writes the OpenAPI document to a file. `make sdks` reads it."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)

    def handle(self, *args: object, file: Path, **options: object) -> None:
        file.write_text(jsontext.pretty(document()) + "\n")
