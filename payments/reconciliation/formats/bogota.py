"""The export of Banco de Bogotá. Its days have no year."""

import calendar
from collections.abc import Iterator
from datetime import date, timedelta

from django.utils.translation import gettext as _

from payments.reconciliation.formats import debit_credit, fields
from payments.reconciliation.formats.headers import plain
from payments.reconciliation.formats.limits import gather
from payments.reconciliation.formats.rows import Row, check_width
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

FORMAT = "BOGOTA"
_HEADER = ["fecha", "transaccion", "oficina", "documento", "debito", "credito"]
_LEAP_DAY = ["02", "29"]
# A longer file may have the same day of two years.
_LONGEST = timedelta(days=190)


def recognises(head: list[list[str]]) -> bool:
    return any(_is_header(row) for row in head)


def _is_header(row: list[str]) -> bool:
    return [plain(cell) for cell in row] == _HEADER


def _lines(rows: Iterator[Row], today: date) -> Iterator[ParsedLine]:
    days = fields.Days(today)
    for _line, row in rows:
        if _is_header(row):
            break
    for line, row in rows:
        check_width(row, len(_HEADER), line)
        booked_on = _day(row[0], line, days, today)
        if pesos := debit_credit.pesos(row[4], row[5], line):
            yield ParsedLine(
                line=line,
                booked_on=booked_on,
                amount=pesos,
                description=fields.text(row[1]),
                # The number of the payer's document, or what the payer typed.
                reference=fields.reference(row[3], line),
                document=fields.document(row[3].lstrip("0"), line),
            )


def _day(value: str, line: int, days: fields.Days, today: date) -> date:
    """MM/DD of the newest year that is not after today."""
    parts = value.split("/")
    if len(parts) != 2 or not all(len(part) == 2 for part in parts):
        return days.of(value, line, "0", "0", "0")
    year = today.year
    if parts > [f"{today.month:02}", f"{today.day:02}"]:
        year -= 1
    while parts == _LEAP_DAY and not calendar.isleap(year):
        year -= 1
    return days.of(value, line, str(year), *parts)


def read(rows: Iterator[Row], today: date) -> ParsedStatement:
    statement = debit_credit.statement(FORMAT, gather(_lines(rows, today)))
    if statement.last_day - statement.first_day > _LONGEST:
        reason = _(
            "The file has days without a year, from %(first)s to %(last)s: more than half a year."
            " Export fewer days, none of them after today."
        )
        raise FileRefused(reason % {"first": statement.first_day, "last": statement.last_day})
    return statement
