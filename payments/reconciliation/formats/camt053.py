"""CAMT.053, the statement of ISO 20022, in all its versions."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from itertools import count
from typing import BinaryIO

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.camt053_entries import Entries
from payments.reconciliation.formats.camt053_paths import BALANCE, ENTRY, TRANSACTION
from payments.reconciliation.formats.camt053_statement import Balances, statement
from payments.reconciliation.formats.camt053_xml import Values, scopes
from payments.reconciliation.formats.chain import chained
from payments.reconciliation.formats.limits import check_statements, gather
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement


def read(file: BinaryIO, today: date) -> ParsedStatement:
    reader = _Reader(fields.Days(today))
    gather(reader.lines(file))
    return chained(reader.statements)


class _Reader:
    def __init__(self, days: fields.Days) -> None:
        self._days = days
        # Of the entry that is read, and of movements.
        self._entry = 1
        self._movements = count(1)
        self._start_statement()
        self.statements: list[ParsedStatement] = []

    def _start_statement(self) -> None:
        self._balances = Balances(self._days)
        self._entries = Entries(self._days, self._movements)
        self._lines: list[ParsedLine] = []

    def lines(self, file: BinaryIO) -> Iterator[ParsedLine]:
        for name, values in scopes(file):
            if name == ENTRY:
                found = self._end_entry(values)
                self._lines += found
                yield from found
            elif name == TRANSACTION:
                with _of_entry(self._entry):
                    self._entries.add_transaction(values)
            elif name == BALANCE:
                self._balances.add(values)
            else:
                ended = statement(values, self._days, self._balances, self._lines, self._entries)
                self.statements.append(ended)
                check_statements(len(self.statements))
                self._start_statement()

    def _end_entry(self, values: Values) -> list[ParsedLine]:
        with _of_entry(self._entry):
            found = list(self._entries.lines(values))
        self._entry += 1
        return found


@contextmanager
def _of_entry(number: int) -> Iterator[None]:
    """The number of an entry is no line of the file."""
    try:
        yield
    except FileRefused as refused:
        reason = _("Entry %(number)s: %(reason)s") % {"number": number, "reason": refused.reason}
        raise FileRefused(reason) from None
