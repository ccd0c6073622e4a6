"""The export of Banco de Occidente: six rows about the account, then movements."""

import re
from collections.abc import Iterator
from datetime import date

from django.utils.translation import gettext as _

from payments.reconciliation.formats import debit_credit, fields
from payments.reconciliation.formats.limits import gather
from payments.reconciliation.formats.rows import Row
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

FORMAT = "OCCIDENTE"
_FIRST_LINE = 7
_DAY, _TEXT, _DOCUMENT, _DEBIT, _CREDIT = 0, 2, 3, 4, 5
_SHAPE = re.compile(r"[0-9]{4}/[0-9]{2}/[0-9]{2}")


def recognises(head: list[list[str]]) -> bool:
    """The first day is in line 7. Of a broken line 7 one of the next lines shows the format."""
    before, after = head[: _FIRST_LINE - 1], head[_FIRST_LINE - 1 :]
    return any(_is_movement(row) for row in after) and not any(_is_movement(row) for row in before)


def _is_movement(row: list[str]) -> bool:
    return len(row) > _CREDIT and bool(_SHAPE.fullmatch(row[_DAY]))


def _lines(rows: Iterator[Row], today: date) -> Iterator[ParsedLine]:
    days = fields.Days(today)
    for line, row in rows:
        if line < _FIRST_LINE:
            continue
        if len(row) <= _CREDIT:
            reason = _("The row has %(found)s columns, and must have at least %(width)s.")
            raise FileRefused(reason % {"found": len(row), "width": _CREDIT + 1}, line)
        booked_on = days.divided(row[_DAY], line, "/")
        if pesos := debit_credit.pesos(row[_DEBIT], row[_CREDIT], line):
            yield ParsedLine(
                line=line,
                booked_on=booked_on,
                amount=pesos,
                description=fields.text(row[_TEXT]),
                # The number of the payer's document, or what the payer typed.
                reference=fields.reference(row[_DOCUMENT], line),
                document=fields.document(row[_DOCUMENT].lstrip("0"), line),
            )


def read(rows: Iterator[Row], today: date) -> ParsedStatement:
    return debit_credit.statement(FORMAT, gather(_lines(rows, today)))
