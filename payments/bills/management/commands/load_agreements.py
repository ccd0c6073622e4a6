"""`manage.py load_agreements FILE`: loads billing agreements from a CSV file."""

import sys
from argparse import ArgumentParser
from dataclasses import asdict
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError

from merchants.management.base import OperatorCommand
from payments.bills.services import agreement_import


class Command(OperatorCommand):
    """Prints {"created", "updated", "unchanged", "disabled", "rejected"}."""

    help = (
        "Loads billing agreements from a CSV file with the columns agreementId, name,"
        " referenceLabel, type, code:<rail> and, if wanted, enabled (yes, no). Bad rows are listed"
        " with their line on standard error and make the exit code 1; the others are loaded."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", metavar="FILE", help="CSV in UTF-8, or - for standard input")
        parser.add_argument(
            "--disable-missing",
            action="store_true",
            help="switch off agreements that the file does not name (refused with bad rows)",
        )

    def result(self, **options: Any) -> dict[str, Any]:
        contents = _read(options["file"])
        for line, reason in contents.problems:
            self.stderr.write(f"Line {line}: {reason}.")
        loaded = agreement_import.load_agreements(
            contents, actor=self.actor, disable_missing=options["disable_missing"]
        )
        self.rejected = len(contents.problems)
        return {**asdict(loaded), "rejected": self.rejected}

    def handle(self, *args: object, **options: object) -> None:
        """The exit code is 1 if a row was invalid, even if others were loaded."""
        super().handle(*args, **options)
        if self.rejected:
            raise CommandError(f"Rows that were not loaded: {self.rejected}.")


def _read(name: str) -> agreement_import.FileContents:
    if name == "-":
        return agreement_import.read_file(sys.stdin.buffer)
    try:
        with Path(name).open("rb") as file:
            return agreement_import.read_file(file)
    except OSError as error:
        raise CommandError(f"{name}: {error.strerror}") from error
