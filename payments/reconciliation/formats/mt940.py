"""MT940, the statement of SWIFT. One file may have one statement for each day or page."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from decimal import Decimal
from typing import TextIO

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields, mt940_fields
from payments.reconciliation.formats.balances import check_closing
from payments.reconciliation.formats.chain import chained
from payments.reconciliation.formats.limits import check_statements, gather
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

FORMAT = "MT940"
_TAG = re.compile(r":([0-9]{2}[A-Z]?):(.*)")
_START = re.compile(r"(\{1:.*|:20:.*)")
_IGNORED = frozenset({"20", "21", "28C", "28", "64", "65"})


def recognises(first_line: str) -> bool:
    return _START.fullmatch(first_line.strip()) is not None


@dataclass(slots=True)
class _Field:
    line: int
    tag: str
    lines: list[str]


@dataclass(slots=True)
class _Message:
    """One statement: what its fields said so far."""

    line: int
    account: str = ""
    opening: tuple[date, Decimal] | None = None
    closing: tuple[date, Decimal] | None = None
    lines: list[ParsedLine] = field(default_factory=list)


def _fields(text: TextIO) -> Iterator[_Field]:
    current: _Field | None = None
    for number, raw in enumerate(text, 1):
        line = raw.rstrip()
        if tag := _TAG.fullmatch(line):
            if current:
                yield current
            current = _Field(number, tag[1], [tag[2]])
        elif not line or _is_frame(line):
            continue
        elif current is None:
            reason = _("“%(line)s” is outside of a field.") % {"line": fields.shown(line)}
            raise FileRefused(reason, number)
        else:
            current.lines.append(line)
    if current:
        yield current


def _is_frame(line: str) -> bool:
    return line in ("-", "-}") or line.startswith(("{1:", "{2:", "{3:", "{4:", "-}{5:"))


class _Reader:
    def __init__(self, today: date) -> None:
        self._days = fields.Days(today)
        self.messages: list[_Message] = []

    def lines(self, text: TextIO) -> Iterator[ParsedLine]:
        waiting: _Field | None = None
        for each in _fields(text):
            if waiting:
                information = each.lines if each.tag == "86" else []
                if line := self._movement(waiting, information):
                    yield line
                waiting = None
            if each.tag == "61":
                self._check_open(each)
                waiting = each
            else:
                self._take(each)
        if waiting and (line := self._movement(waiting, [])):
            yield line

    @property
    def _message(self) -> _Message:
        return self.messages[-1]

    def _check_open(self, each: _Field) -> None:
        if not self.messages or self._message.opening is None or self._message.closing:
            reason = _("The field %(tag)s is not between the opening and the closing balance.")
            raise FileRefused(reason % {"tag": each.tag}, each.line)

    def _take(self, each: _Field) -> None:
        if each.tag == "20":
            self.messages.append(_Message(each.line))
            check_statements(len(self.messages))
        elif not self.messages:
            raise FileRefused(_("The statement does not start with field 20."), each.line)
        elif each.tag == "25":
            self._message.account = mt940_fields.account(each.lines[0], each.line)
        elif each.tag in ("60F", "60M") and self._message.opening is None:
            self._message.opening = mt940_fields.balance(each.lines[0], self._days, each.line)
        elif each.tag in ("62F", "62M"):
            self._check_open(each)
            self._message.closing = mt940_fields.balance(each.lines[0], self._days, each.line)
            self._check_closing(each.line)
        elif each.tag != "86" and each.tag not in _IGNORED:
            reason = _("The field %(tag)s has no place here.") % {"tag": each.tag}
            raise FileRefused(reason, each.line)

    def _check_closing(self, line: int) -> None:
        message = self._message
        if message.opening and message.closing:
            check_closing(message.opening[1], message.lines, message.closing[1], line)

    def _movement(self, each: _Field, information: list[str]) -> ParsedLine | None:
        match = mt940_fields.MOVEMENT.fullmatch(each.lines[0])
        if match is None:
            reason = _("“%(value)s” is not a movement of MT940.")
            raise FileRefused(reason % {"value": fields.shown(each.lines[0])}, each.line)
        pesos = mt940_fields.pesos(match["pesos"], each.line)
        if not pesos:
            return None
        parsed = self._line(each, match, pesos, information)
        self._message.lines.append(parsed)
        return parsed

    def _line(
        self, each: _Field, match: re.Match[str], pesos: Decimal, information: list[str]
    ) -> ParsedLine:
        booked_on = mt940_fields.day(match["value"], self._days, each.line)
        if match["entry"]:
            booked_on = mt940_fields.entry_day(match["entry"], booked_on, self._days, each.line)
        description, name, reference = mt940_fields.information(information)
        theirs = match["reference"].strip()
        if theirs == "NONREF":
            theirs = ""
        return ParsedLine(
            line=each.line,
            booked_on=booked_on,
            # RC takes a credit back.
            amount=pesos if match["mark"] in ("C", "RD") else -pesos,
            description=fields.text(description or " ".join(each.lines[1:])),
            reference=fields.reference(theirs or reference, each.line),
            counterparty=fields.text(name, fields.COUNTERPARTY),
            code=match["kind"],
            operation_id=fields.fitting(match["operation"] or "", fields.OPERATION, each.line),
        )


def _statement(message: _Message) -> ParsedStatement:
    if message.opening is None or message.closing is None or not message.account:
        reason = _("The statement has no account, no opening balance or no closing balance.")
        raise FileRefused(reason, message.line)
    booked = [line.booked_on for line in message.lines]
    last = max([message.closing[0], *booked])
    return ParsedStatement(
        format=FORMAT,
        account_number=message.account,
        first_day=first_day(message.opening[0], min([*booked, last])),
        last_day=last,
        lines=message.lines,
        opening=message.opening[1],
        closing=message.closing[1],
    )


def first_day(opening: date, first_booked: date) -> date:
    """The day of an opening balance is the first day, or the last one of the statement before."""
    return min(opening + timedelta(days=1), first_booked)


def read(text: TextIO, today: date) -> ParsedStatement:
    reader = _Reader(today)
    gather(reader.lines(text))
    return chained([_statement(message) for message in reader.messages])
