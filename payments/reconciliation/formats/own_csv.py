"""The service's own CSV: docs/bank-statements.md has its columns."""

from collections.abc import Iterator
from datetime import date

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.balances import RunningBalance
from payments.reconciliation.formats.headers import plain
from payments.reconciliation.formats.limits import gather
from payments.reconciliation.formats.rows import Row, check_width
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

FORMAT = "OWN_CSV"
_SPANISH = {
    "fecha": "date",
    "valor": "amount",
    "cuenta": "account",
    "descripcion": "description",
    "referencia": "reference",
    "documento": "document",
    "nombre": "counterparty",
    "codigo": "code",
    "operacion": "operation_id",
    "saldo": "balance",
}
_COLUMNS = frozenset(_SPANISH.values())


def _names(row: list[str]) -> list[str]:
    return [_SPANISH.get(plain(cell), plain(cell)) for cell in row]


def recognises(head: list[list[str]]) -> bool:
    return bool(head) and {"date", "amount"} <= set(_names(head[0]))


class _Reader:
    def __init__(self, today: date) -> None:
        self._days = fields.Days(today)
        self.account = ""
        self.days: set[date] = set()
        self.balance = RunningBalance()

    def lines(self, rows: Iterator[Row]) -> Iterator[ParsedLine]:
        names = self._header(next(rows))
        for line, row in rows:
            check_width(row, len(names), line)
            cells = dict(zip(names, row, strict=True))
            if parsed := self._line(cells, line):
                yield parsed

    def _header(self, header: Row) -> list[str]:
        line, row = header
        names = _names(row)
        for cell, name in zip(row, names, strict=True):
            if name not in _COLUMNS or names.count(name) > 1:
                reason = _("“%(name)s” is not a column, or is there twice.")
                raise FileRefused(reason % {"name": fields.shown(cell)}, line)
        return names

    def _line(self, cells: dict[str, str], line: int) -> ParsedLine | None:
        self._check_account(cells.get("account", ""), line)
        day = self._day(cells["date"], line)
        self.days.add(day)
        balance = cells.get("balance", "")
        said = fields.amount(balance, line) if balance else None
        if not cells["amount"]:
            self._balance_only(cells, line)
            pesos = None
        else:
            pesos = fields.amount(cells["amount"], line)
            if not pesos:
                raise FileRefused(_("The amount is zero."), line)
            self.balance.add(pesos)
        if said is not None:
            self.balance.check(said, day, line)
        if pesos is None:
            return None
        return ParsedLine(
            line=line,
            booked_on=day,
            amount=pesos,
            description=fields.text(cells.get("description", "")),
            reference=fields.reference(cells.get("reference", ""), line),
            document=fields.document(cells.get("document", ""), line),
            counterparty=fields.text(cells.get("counterparty", ""), fields.COUNTERPARTY),
            code=fields.fitting(cells.get("code", ""), fields.CODE, line),
            operation_id=fields.fitting(cells.get("operation_id", ""), fields.OPERATION, line),
            balance=said,
        )

    def _balance_only(self, cells: dict[str, str], line: int) -> None:
        if not cells.get("balance"):
            raise FileRefused(_("The row has neither an amount nor a balance."), line)

    def _check_account(self, value: str, line: int) -> None:
        if not value:
            return
        account = fields.digits(fields.account_number(value), line)
        if self.account and account != self.account:
            raise fields.second_account(self.account, account, line)
        self.account = account

    def _day(self, value: str, line: int) -> date:
        """YYYY-MM-DD, or DD/MM/YYYY as Excel writes it in Colombia."""
        parts = value.split("/")
        if len(parts) == 3 and len(parts[2]) == 4:
            return self._days.of(value, line, *reversed(parts))
        return self._days.divided(value, line, "-")


def read(rows: Iterator[Row], today: date) -> ParsedStatement:
    reader = _Reader(today)
    lines = gather(reader.lines(rows))
    if not reader.days:
        raise FileRefused(_("The file has no movements."))
    return ParsedStatement(
        format=FORMAT,
        account_number=reader.account,
        first_day=min(reader.days),
        last_day=max(reader.days),
        lines=lines,
        opening=reader.balance.opening,
        closing=reader.balance.closing,
    )
