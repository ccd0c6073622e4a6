"""Wompi's CSV of disbursements (docs/settlement-files.md): which payments a disbursement holds.

Strict in the arithmetic: net = gross - deductions in each row, to the cent. A file is read whole
or refused whole.
"""

import csv
import io
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.core import money
from payments.reconciliation.formats import source
from payments.reconciliation.formats.values import FileRefused
from payments.reconciliation.settlement_formats import headers
from payments.reconciliation.settlement_formats.cells import WrongCell, read_amount, read_day
from payments.reconciliation.settlement_formats.values import (
    DEDUCTIONS,
    ParsedDisbursement,
    ParsedPayment,
)

ROWS_MAX = 100_000
# Texts may stand before the header.
HEADER_WITHIN = 20
AMOUNTS = ("gross", *DEDUCTIONS, "net")
_TEXT_MAX = 100
Cells = Sequence[str]


@dataclass(slots=True)
class _Reader:
    """What was read so far."""

    columns: dict[str, int]
    day: date | None
    today: date
    unknown: list[str]
    is_negative: bool = False
    payments: dict[tuple[date, str], list[ParsedPayment]] = field(
        default_factory=lambda: defaultdict(list)
    )
    lines: dict[tuple[str, bool], int] = field(default_factory=dict)

    def text(self, cells: Cells, name: str) -> str:
        place = self.columns.get(name)
        return cells[place].strip() if place is not None else ""

    def amounts(self, cells: Cells) -> dict[str, Decimal]:
        """Of the columns that the file has."""
        return {
            name: read_amount(cells[self.columns[name]]) for name in AMOUNTS if name in self.columns
        }


def parse(data: bytes, *, today: date, day: date | None = None) -> list[ParsedDisbursement]:
    """By day. `day` is that of all payments in a file that names none. Raises FileRefused."""
    rows = list(_rows(_text(data)))
    start, cells = _header(rows)
    columns = _columns(start, cells)
    unknown = [cell.strip() for place, cell in enumerate(cells) if place not in columns.values()]
    reader = _Reader(columns, day, today, unknown)
    if day is None and "day" not in reader.columns:
        raise FileRefused(_("The file names no day of the disbursement. Enter it."), start)
    body = [(line, cells) for line, cells in rows if line > start]
    reader.is_negative = _has_signs(reader, body)
    _read(reader, body, len(cells))
    if not reader.payments:
        raise FileRefused(_("The file has no payments."))
    return [
        ParsedDisbursement(day=day, number=number, payments=tuple(payments))
        for (day, number), payments in sorted(reader.payments.items())
    ]


def _text(data: bytes) -> str:
    file = io.BytesIO(data)
    source.check_file(file)
    return source.open_text(file).read()


def _rows(text: str) -> Iterator[tuple[int, Cells]]:
    """The rows that have text, each with its line."""
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
    try:
        for count, cells in enumerate(lines):
            if count > ROWS_MAX:
                raise FileRefused(_("The file has more than %d rows.") % ROWS_MAX)
            if any(cell.strip() for cell in cells):
                yield lines.line_num, cells
    except csv.Error as error:
        raise FileRefused(_("The row is no CSV: %s.") % error, lines.line_num) from None


def _delimiter(text: str) -> str:
    """The one with which a row is a header. Comma if none does: the header is refused later."""
    for line in text.splitlines()[:HEADER_WITHIN]:
        for delimiter in (",", ";", "\t", "|"):
            if headers.is_header([cell.strip(' "') for cell in line.split(delimiter)]):
                return delimiter
    return ","


def _header(rows: Sequence[tuple[int, Cells]]) -> tuple[int, Cells]:
    for line, cells in rows[:HEADER_WITHIN]:
        if headers.is_header(cells):
            return line, cells
    raise FileRefused(_("No row names the columns with the gross amount and the net amount."), 1)


def _columns(line: int, cells: Cells) -> dict[str, int]:
    try:
        found = headers.places(cells)
    except headers.RepeatedColumn as error:
        raise FileRefused(_("Two columns have the name %s.") % error, line) from None
    if missing := [name for name in headers.REQUIRED if name not in found]:
        raise FileRefused(_("There is no column for: %s.") % ", ".join(missing), line)
    if "transaction_id" not in found and "reference" not in found:
        raise FileRefused(_("There is no column for: %s.") % "transaction_id, reference", line)
    return found


def _has_signs(reader: _Reader, body: Sequence[tuple[int, Cells]]) -> bool:
    """Whether the file writes what is taken below zero: it has such amounts and no others."""
    signs = set()
    for _line, cells in body:
        try:
            amounts = reader.amounts(cells)
        except (WrongCell, IndexError):
            continue  # refused with its line later
        if amounts["gross"] > 0:
            signs |= {amounts[name] > 0 for name in DEDUCTIONS if amounts.get(name)}
    return signs == {False}


def _read(reader: _Reader, body: Sequence[tuple[int, Cells]], width: int) -> None:
    for number, (line, cells) in enumerate(body, start=1):
        if len(cells) != width:
            raise FileRefused(_("The row has %d cells, the header %d.") % (len(cells), width), line)
        try:
            if _is_total(reader, cells):
                if number < len(body):
                    raise FileRefused(_("Rows follow the total."), line)
                _check_total(reader, line, cells)
                return
            _add(reader, line, cells)
        except WrongCell as error:
            raise FileRefused(error.reason, line) from None


def _is_total(reader: _Reader, cells: Cells) -> bool:
    """A row that begins with “Total” and is no payment."""
    first = next(cell for cell in cells if cell.strip())
    return headers.normalised(first) in ("total", "totales", "totals", "gran_total")


def _check_total(reader: _Reader, line: int, cells: Cells) -> None:
    payments = [payment for found in reader.payments.values() for payment in found]
    for name in AMOUNTS:
        if not reader.text(cells, name):
            continue
        written = read_amount(reader.text(cells, name))
        if name in DEDUCTIONS:
            written = -written if reader.is_negative else written
            added = sum((one.deductions[name] for one in payments), Decimal(0))
        else:
            added = sum((getattr(one, name) for one in payments), Decimal(0))
        if added != written:
            figures = {"name": name, "written": money.text(written), "added": money.text(added)}
            text = _("The total of %(name)s is %(written)s, the rows add up to %(added)s.")
            raise FileRefused(text % figures, line)


def _add(reader: _Reader, line: int, cells: Cells) -> None:
    payment = _payment(reader, line, cells)
    _check_net(reader, payment)
    before = reader.lines.setdefault(payment.key, line)
    if before != line:
        text = _("The payment %(payment)s is in line %(line)d already.")
        raise FileRefused(text % {"payment": payment.key[0], "line": before}, line)
    day = reader.day
    if "day" in reader.columns:
        day = read_day(reader.text(cells, "day"))
    if day is None or day > reader.today:
        raise FileRefused(_("The day %s is not over yet.") % day, line)
    reader.payments[day, reader.text(cells, "number")[:_TEXT_MAX]].append(payment)


def _payment(reader: _Reader, line: int, cells: Cells) -> ParsedPayment:
    amounts = reader.amounts(cells)
    taken = {name: amounts[name] for name in DEDUCTIONS if name in amounts}
    if reader.is_negative:
        taken = {name: -amount for name, amount in taken.items()}
    paid_on = reader.text(cells, "paid_on")
    payment = ParsedPayment(
        line=line,
        transaction_id=reader.text(cells, "transaction_id")[:_TEXT_MAX],
        reference=reader.text(cells, "reference")[:_TEXT_MAX],
        paid_on=read_day(paid_on) if paid_on else None,
        gross=amounts["gross"],
        deductions=taken,
        net=amounts["net"],
    )
    if not payment.key[0]:
        raise FileRefused(_("The row names neither a transaction nor a reference."), line)
    if not payment.gross:
        raise FileRefused(_("The gross amount is zero."), line)
    return payment


def _check_net(reader: _Reader, payment: ParsedPayment) -> None:
    expected = payment.gross - sum(payment.deductions.values(), Decimal(0))
    if expected == payment.net:
        return
    text = _("Gross minus deductions is %(expected)s, the file has %(net)s.")
    reason = text % {"expected": money.text(expected), "net": money.text(payment.net)}
    if reader.unknown:
        reason += " " + _("Unknown columns: %s.") % ", ".join(reader.unknown)[:200]
    raise FileRefused(reason, payment.line)
