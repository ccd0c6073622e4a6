"""Files of payouts, and the steps that a batch takes."""

import io
from collections.abc import Iterable, Sequence
from typing import Any

from django.contrib.auth.models import User
from openpyxl import Workbook

from merchants.models import Merchant
from payments.core import clock
from payments.payout_batches.models import BatchLine, PayoutBatch
from payments.payout_batches.services import queue, steps, uploads
from payments.payout_batches.services.steps import Person, Submission

HEADINGS = (
    "Referencia;Nombre del beneficiario;Tipo de documento;Número de documento;Banco;"
    "Tipo de cuenta;Número de cuenta;Tipo de llave;Llave Bre-B;Valor;Descripción"
)
GOOD = "N-1;Ana Pérez;CC;52.123.456;Bancolombia;Ahorros;10020030040;;;1.250.000,50;Nómina"
PREPARER, APPROVER = "paula", "andres"


def row(number: int = 1, **changes: str) -> str:
    """A right line, with other values in some columns."""
    names = HEADINGS.split(";")
    cells = dict(zip(names, GOOD.split(";"), strict=True))
    cells["Referencia"] = f"N-{number}"
    cells["Número de documento"] = str(52_000_000 + number)
    cells["Número de cuenta"] = str(10_020_000_000 + number)
    cells["Valor"] = "50.000"
    for name, value in changes.items():
        cells[_HEADING[name]] = value
    return ";".join(cells[name] for name in names)


_HEADING = {
    "reference": "Referencia",
    "name": "Nombre del beneficiario",
    "doc_type": "Tipo de documento",
    "document": "Número de documento",
    "bank": "Banco",
    "account_type": "Tipo de cuenta",
    "account": "Número de cuenta",
    "key_type": "Tipo de llave",
    "key": "Llave Bre-B",
    "amount": "Valor",
    "description": "Descripción",
}
TO_KEY = {"bank": "", "account_type": "", "account": ""}


def csv(*rows: str) -> bytes:
    return "\n".join((HEADINGS, *rows)).encode()


def many(count: int, **changes: str) -> bytes:
    return csv(*(row(number, **changes) for number in range(1, count + 1)))


def workbook(rows: Iterable[Sequence[Any]], headings: str = HEADINGS) -> bytes:
    book = Workbook()
    sheet = book.active
    sheet.append(headings.split(";"))
    for cells in rows:
        sheet.append(list(cells))
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def upload(
    merchant: Merchant, content: bytes, name: str = "nomina.csv", **more: Any
) -> PayoutBatch:
    """Not checked yet."""
    new = uploads.NewFile(
        merchant=merchant, name=name, content=content, **{"currency": "COPM", **more}
    )
    return uploads.store_file(new=new, actor=PREPARER, now=clock.now())


def check(merchant: Merchant, content: bytes, **more: Any) -> PayoutBatch:
    """What a worker found in the file."""
    batch = upload(merchant, content, **more)
    work()
    batch.refresh_from_db()
    return batch


def work() -> None:
    """Until nothing is due, however many turns a slow machine needs."""
    while queue.process_batches(now=clock.now()):
        continue


def faults(batch: PayoutBatch) -> dict[int, list[tuple[str, str]]]:
    """Line -> (column, code) of what is wrong."""
    return {
        line.number: [(one["column"], one["code"]) for one in line.faults]
        for line in batch.lines.exclude(faults=[])
    }


def warnings(batch: PayoutBatch) -> dict[int, list[str]]:
    return {
        line.number: [one["code"] for one in line.warnings]
        for line in batch.lines.exclude(warnings=[])
    }


def submit(batch: PayoutBatch, **how: bool) -> None:
    steps.submit(
        batch_id=batch.pk,
        person=Person(actor=PREPARER),
        submission=Submission(**how),
        now=clock.now(),
    )


def approve(batch: PayoutBatch, actor: str = APPROVER) -> bool:
    user = User.objects.get(username=actor)
    return steps.approve(batch_id=batch.pk, user=user, reason="Nómina", now=clock.now())


def run(merchant: Merchant, content: bytes) -> PayoutBatch:
    """Sent, approved, and created as far as the balance allows."""
    batch = check(merchant, content)
    submit(batch, leaves_out=True, acknowledges=True)
    approve(batch)
    work()
    batch.refresh_from_db()
    return batch


def statuses(batch: PayoutBatch) -> list[str]:
    rows = BatchLine.objects.filter(batch=batch).order_by("number")
    return list(rows.values_list("status", flat=True))
