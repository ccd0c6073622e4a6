"""`manage.py import_statement FILE`: one line of JSON on standard output; exit 1 if refused."""

import sys
from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from payments.core import clock, jsontext, money
from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.models import StatementFile
from payments.reconciliation.services.imports import NewStatement, import_statement, is_repeated

ACTOR = "import_statement"


class Command(BaseCommand):
    help = "Imports a statement of a bank; prints one line of JSON, exits 1 with the reason."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--account", default="", help="Slug of the bank account.")
        parser.add_argument(
            "--accept-gap",
            default="",
            metavar="REASON",
            help="Import it though movements before it are missing.",
        )

    def handle(self, *args: object, **options: object) -> None:
        path, now = Path(str(options["file"])), clock.now()
        try:
            with path.open("rb") as content:
                new = NewStatement(
                    name=path.name,
                    content=content,
                    source=StatementFile.Source.COMMAND,
                    account=str(options["account"]),
                    accepted_gap=str(options["accept_gap"]),
                )
                file = import_statement(new=new, actor=ACTOR, now=now)
        except OSError as error:
            raise CommandError(f"{path}: {error.strerror}") from error
        except FileRefused as refused:
            facts = {"ok": False, "file": path.name, "line": refused.line, "reason": refused.reason}
            self.stdout.write(jsontext.dumps(facts))
            sys.exit(1)
        self.stdout.write(jsontext.dumps(_facts(file, is_repeated(file, now=now))))


def _facts(file: StatementFile, is_repeated: bool) -> dict[str, object]:
    return {
        "ok": True,
        "id": file.pk,
        "file": file.name,
        "account": file.account_id,
        "format": file.format,
        "first_day": file.first_day.isoformat(),
        "last_day": file.last_day.isoformat(),
        "lines": file.lines,
        "new_lines": file.new_lines,
        "credits": money.text(file.credits),
        "debits": money.text(file.debits),
        "was_imported_before": is_repeated,
    }
