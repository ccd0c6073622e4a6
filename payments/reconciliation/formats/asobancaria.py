"""Asobancaria 2001: referenced collections of one day, in lines of 162 characters."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import TextIO

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.balances import ZERO, shown
from payments.reconciliation.formats.limits import gather
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

FORMAT = "ASOBANCARIA_2001"
WIDTH = 162

_ORIGINS = {
    "01": "BANCO",
    "02": "CORPORACION DE AHORRO",
    "03": "ACH",
    "04": "CREDIBANCO",
    "05": "ATH",
    "06": "CENIT",
    "07": "REDEBAN",
    "08": "SERVIBANCA",
}
_MEANS = {
    "1": "EFECTIVO",
    "2": "CHEQUE",
    "3": "AUTOSERVICIO",
    "11": "AUDIORRESPUESTA",
    "12": "CAJERO AUTOMATICO",
    "13": "DATAFONO",
    "14": "DEBITO AUTOMATICO",
    "15": "INTERNET",
}
_CHANNELS = (
    {f"0{code}": name for code, name in _MEANS.items() if len(code) == 1}
    | {code: name for code, name in _MEANS.items() if len(code) == 2}
    | {f"2{digit}": "TARJETA DE CREDITO" for digit in range(1, 6)}
)


def recognises(first_line: str) -> bool:
    """The first line is a header, or most of one."""
    return (
        first_line.startswith("01")
        and len(first_line) > 60
        and not set(first_line) & set(",;\t")
        and first_line[12:20].strip().isdigit()
    )


@dataclass(slots=True)
class _Sum:
    """Of the details of a batch, or of the file."""

    records: int = 0
    pesos: Decimal = ZERO

    def add(self, pesos: Decimal) -> None:
        self.records += 1
        self.pesos += pesos

    def check(self, record: str, line: int) -> None:
        """record: an end of batch or a control record."""
        records = int(fields.digits(record[2:11], line))
        pesos = Decimal(fields.digits(record[11:29], line)).scaleb(-2)
        if records != self.records:
            reason = _("The total says %(said)s records, but the file has %(found)s.")
            raise FileRefused(reason % {"said": records, "found": self.records}, line)
        if pesos != self.pesos:
            reason = _("The total says %(said)s pesos, but the records have %(found)s.")
            raise FileRefused(reason % {"said": shown(pesos), "found": shown(self.pesos)}, line)


@dataclass(slots=True)
class _Reader:
    """Reads the records in their order: 01, then batches of 05, 06 ... and 08, then 09."""

    days: fields.Days
    account: str = ""
    day: date | None = None
    # The number of the open batch.
    batch: str = ""
    in_batch: _Sum = field(default_factory=_Sum)
    in_file: _Sum = field(default_factory=_Sum)
    is_over: bool = False

    def lines(self, text: TextIO) -> Iterator[ParsedLine]:
        number = 0
        for number, raw in enumerate(text, 1):
            record = raw.rstrip("\n")
            if not record.strip():
                continue
            self._check_place(record, number)
            if record[:2] == "06":
                if line := self._detail(record, number):
                    yield line
            else:
                self._frame(record, number)
        if not self.is_over:
            raise FileRefused(_("The file ends without its control record (09)."), number)

    def _check_place(self, record: str, line: int) -> None:
        if len(record) != WIDTH:
            reason = _("The line has %(length)s characters, and must have %(width)s.")
            raise FileRefused(reason % {"length": len(record), "width": WIDTH}, line)
        kind = record[:2]
        allowed = {
            "01": self.day is None,
            "05": self.day is not None and not self.batch,
            "06": bool(self.batch),
            "08": bool(self.batch),
            "09": self.day is not None and not self.batch,
        }
        if kind not in allowed:
            raise FileRefused(_("“%(kind)s” is not a kind of record.") % {"kind": kind}, line)
        if self.is_over or not allowed[kind]:
            raise FileRefused(_("A record %(kind)s has no place here.") % {"kind": kind}, line)

    def _frame(self, record: str, line: int) -> None:
        match record[:2]:
            case "01":
                account = fields.account_number(record[23:40])
                self.account = account and fields.digits(account, line)
                self.day = self.days.compact(record[12:20], line)
            case "05":
                self.batch = fields.digits(record[15:19], line)
                self.in_batch = _Sum()
            case "08":
                self._end_batch(record, line)
            case "09":
                self.in_file.check(record, line)
                self.is_over = True

    def _end_batch(self, record: str, line: int) -> None:
        if record[29:33] != self.batch:
            reason = _("Batch %(said)s ends here, but batch %(open)s is open.")
            raise FileRefused(reason % {"said": record[29:33], "open": self.batch}, line)
        self.in_batch.check(record, line)
        self.batch = ""

    def _detail(self, record: str, line: int) -> ParsedLine | None:
        pesos = fields.cents(record[50:64], line)
        self.in_batch.add(pesos)
        self.in_file.add(pesos)
        # Returned money is not in the account, and zero is no movement. Both count in the totals.
        if not pesos or record[94:97].strip(" 0") or self.day is None:
            return None
        origin, channel = record[64:66], record[66:68]
        names = (_ORIGINS.get(origin, origin), _CHANNELS.get(channel, channel))
        return ParsedLine(
            line=line,
            booked_on=self.day,
            amount=pesos,
            description=fields.text(" ".join(("RECAUDO", *names))),
            # Zeros are the padding, also of a reference with letters.
            reference=record[2:50].strip().lstrip("0"),
            code=(origin + channel).strip(),
            operation_id=_operation_id(record),
        )


def _operation_id(record: str) -> str:
    operation, authorisation = record[68:74].strip(), record[74:80].strip()
    if not (operation + authorisation).strip("0"):
        return ""
    return f"{operation}-{authorisation}"


def read(text: TextIO, today: date) -> ParsedStatement:
    reader = _Reader(fields.Days(today))
    lines = gather(reader.lines(text))
    if reader.day is None:
        raise FileRefused(_("The file has no header (01)."))
    return ParsedStatement(
        format=FORMAT,
        account_number=reader.account,
        first_day=reader.day,
        last_day=reader.day,
        lines=lines,
        is_complete=False,
    )
