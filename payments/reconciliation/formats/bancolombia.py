"""The file of movements of Bancolombia: no header, nine columns.

account, branch, nothing, day, nothing, amount, code, description, 0
"""

import re
from collections.abc import Iterator
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.balances import DayBalance, check_days
from payments.reconciliation.formats.limits import gather
from payments.reconciliation.formats.rows import Row, check_width
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

FORMAT = "BANCOLOMBIA"
_WIDTH = 9
_ACCOUNT = re.compile(r"[0-9][0-9 .\-]{3,24}")
_DAY = re.compile(r"[0-9]{8}")
# A balance of the account, which is no movement.
_BALANCE = re.compile(r"SALDO\s+(D[IÍ]A|INICIAL|FINAL)\b", re.IGNORECASE)
# The point divides pesos from cents.
_AMOUNT = re.compile(r"[+-]?(?:[0-9]*|[1-9][0-9]{0,2}(?:,[0-9]{3})+)(?:\.[0-9]{1,2})?")


def recognises(head: list[list[str]]) -> bool:
    return any(
        len(row) == _WIDTH and _ACCOUNT.fullmatch(row[0]) and _DAY.fullmatch(row[3])
        for row in head[:5]
    )


class _Reader:
    def __init__(self, today: date) -> None:
        self._days = fields.Days(today)
        self.account = ""
        self.days: set[date] = set()
        self.balances: list[DayBalance] = []

    def lines(self, rows: Iterator[Row]) -> Iterator[ParsedLine]:
        for line, row in rows:
            check_width(row, _WIDTH, line)
            self._check_account(row[0], line)
            day, pesos = self._day(row[3], line), _pesos(row[5], line)
            self.days.add(day)
            if balance := _BALANCE.match(row[7]):
                is_before = balance[1].upper() == "INICIAL"
                self.balances.append(DayBalance(line, day, pesos, is_before))
            elif pesos:
                yield ParsedLine(
                    line=line,
                    booked_on=day,
                    amount=pesos,
                    description=fields.text(row[7]),
                    code=fields.fitting(row[6], fields.CODE, line),
                )

    def _check_account(self, value: str, line: int) -> None:
        account = fields.digits(fields.account_number(value), line)
        if self.account and account != self.account:
            raise fields.second_account(self.account, account, line)
        self.account = account

    def _day(self, value: str, line: int) -> date:
        """YYYYMMDD or DDMMYYYY. No day of this century is both: no month is 20."""
        if value[2:4] <= "12" and value[4:6] == "20":
            return self._days.of(value, line, value[4:], value[2:4], value[:2])
        return self._days.compact(value, line)


def _pesos(value: str, line: int) -> Decimal:
    if _AMOUNT.fullmatch(value) is None:
        raise FileRefused(_("“%(value)s” is not an amount.") % {"value": fields.shown(value)}, line)
    return fields.amount(value, line)


def read(rows: Iterator[Row], today: date) -> ParsedStatement:
    reader = _Reader(today)
    lines = gather(reader.lines(rows))
    opening, closing = check_days(lines, reader.balances)
    return ParsedStatement(
        format=FORMAT,
        account_number=reader.account,
        first_day=min(reader.days),
        last_day=max(reader.days),
        lines=lines,
        opening=opening,
        closing=closing,
    )
