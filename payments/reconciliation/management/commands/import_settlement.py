"""manage.py import_settlement FILE --account SLUG: one line of JSON; exit 1 if it is refused."""

import sys
from argparse import ArgumentParser
from datetime import date
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from payments.core import clock, jsontext
from payments.core.errors import ServiceError
from payments.reconciliation.services.disbursements.imports import (
    SettlementUpload,
    TakenFile,
    import_settlement,
)


class Command(BaseCommand):
    help = "Imports a settlement file of an acquirer, whole or not at all; prints one line of JSON."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--account", required=True, help="the provider account's name in URLs")
        parser.add_argument(
            "--day",
            type=date.fromisoformat,
            help="of the disbursement (YYYY-MM-DD), for a file that does not name it",
        )

    def handle(
        self, *, file: Path, account: str, day: date | None = None, **options: object
    ) -> None:
        try:
            data = file.read_bytes()
        except OSError as error:
            raise CommandError(str(error)) from None
        upload = SettlementUpload(account=account, name=file.name, data=data, day=day)
        try:
            taken = import_settlement(upload=upload, actor="command", now=clock.now())
        except ServiceError as error:
            facts = {"ok": False, "code": error.code, "reason": error.shown()}
            self.stdout.write(jsontext.dumps({**facts, "line": getattr(error, "line", None)}))
            sys.exit(1)
        self.stdout.write(jsontext.dumps(_facts(taken)))


def _facts(taken: TakenFile) -> dict[str, object]:
    file = taken.file
    return {
        "ok": True,
        "file": file.pk,
        "new": taken.is_new,
        "payments": file.payments,
        "newPayments": file.new_payments,
        "disbursements": [
            {"id": one.pk, "day": one.day.isoformat(), "net": str(one.net.normalize())}
            for one in file.disbursements.order_by("day", "number")
        ],
    }
