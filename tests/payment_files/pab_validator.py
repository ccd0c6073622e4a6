"""The rules of Bancolombia's PAB file, byte by byte.

Written from the bank's published layout (record types 1 and 6, lines of 264 bytes) without a look
at the encoder: what this module accepts, the encoder did not decide. Positions start at 1, as in
the bank's table.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime

LINE_BYTES = 264
LINE_END = b"\r\n"
BYTE_ORDER_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")

Record = dict[str, str]


class PabError(ValueError):
    """The file breaks at least one rule; the message names all of them."""


@dataclass(frozen=True)
class Field:
    name: str
    start: int
    length: int
    rule: str  # a regular expression of the whole field, blanks included
    is_date: bool = False

    def text(self, line: str) -> str:
        return line[self.start - 1 : self.start - 1 + self.length]


@dataclass(frozen=True)
class PabFile:
    header: Record
    details: list[Record]


def _left(characters: str, length: int, *, optional: bool = False) -> str:
    """Text at the left, blanks at the right, no blank in front."""
    start = "(?! +[^ ])" if optional else "(?! )"
    return rf"(?=.{{{length}}}\Z){start}[{characters}]* *"


def _blanks(length: int) -> str:
    return rf" {{{length}}}"


PRINTABLE = r"\x20-\x7e"
NAME_CHARACTERS = r"A-Z0-9 \-/\\:"
PHONE_CHARACTERS = r"0-9"
DATE = r"\d{8}"

HEADER = (
    Field("record", 1, 1, "1"),
    Field("payer", 2, 15, r"(?!0{15})\d{15}"),
    Field("application", 17, 1, "[ IMND]"),
    Field("blanks", 18, 15, _blanks(15)),
    Field("class", 33, 3, "220|225"),
    Field("purpose", 36, 10, _left(PRINTABLE, 10)),
    Field("sent on", 46, 8, DATE, is_date=True),
    Field("sequence", 54, 2, "[A-Z] "),
    Field("applied on", 56, 8, DATE, is_date=True),
    Field("count", 64, 6, r"(?!0{6})\d{6}"),
    Field("debits", 70, 17, "0{17}"),
    Field("credits", 87, 17, r"\d{17}"),
    Field("debited account", 104, 11, r"(?!0{11})\d{11}"),
    Field("debited type", 115, 1, "[SD]"),
    Field("blanks at the end", 116, 149, _blanks(149)),
)
DETAIL = (
    Field("record", 1, 1, "6"),
    Field("document", 2, 15, _left("A-Z0-9", 15)),
    Field("name", 17, 30, _left(NAME_CHARACTERS, 30)),
    Field("bank", 47, 9, r"0{5}(?!0{4})\d{4}"),
    Field("account", 56, 17, _left("0-9", 17)),
    Field("place", 73, 1, " "),
    Field("type", 74, 2, "27|37|52"),
    Field("amount", 76, 17, r"(?!0{17})\d{17}"),
    Field("date", 93, 8, DATE, is_date=True),
    Field("reference", 101, 21, _left(PRINTABLE, 21)),
    Field("document type", 122, 1, r"\d"),
    Field("office", 123, 5, "0{5}"),
    Field("phone", 128, 15, _left(PHONE_CHARACTERS, 15, optional=True)),
    Field("e-mail", 143, 80, _left(r"\x21-\x7e", 80, optional=True)),
    Field("authorised", 223, 15, _left("A-Z0-9", 15, optional=True)),
    Field("blanks at the end", 238, 27, _blanks(27)),
)


def read(data: bytes) -> PabFile:
    """Return the records of a file without a fault."""
    if faults := problems(data):
        raise PabError("; ".join(faults))
    lines = [line.decode("ascii") for line in data.split(LINE_END)[:-1]]
    return PabFile(_record(HEADER, lines[0]), [_record(DETAIL, line) for line in lines[1:]])


def problems(data: bytes) -> list[str]:
    """Return all broken rules; structure first, since fields mean nothing without it."""
    for rules in (_faults_of_bytes, _faults_of_structure, _faults_of_fields, _faults_of_sums):
        if found := list(rules(data)):
            return found
    return []


def _faults_of_bytes(data: bytes) -> Iterator[str]:
    if data.startswith(BYTE_ORDER_MARKS):
        yield "the file starts with a byte order mark"
    if not data.endswith(LINE_END):
        yield "the last line does not end with CRLF"
    for number, line in enumerate(data.split(LINE_END)[:-1], 1):
        if len(line) != LINE_BYTES:
            yield f"line {number}: {len(line)} bytes instead of {LINE_BYTES}"
        if wrong := [at for at, byte in enumerate(line, 1) if not 0x20 <= byte <= 0x7E]:
            yield f"line {number}: byte {line[wrong[0] - 1]:#04x} at {wrong[0]} is not ASCII text"


def _faults_of_structure(data: bytes) -> Iterator[str]:
    records = [line[:1] for line in data.split(LINE_END)[:-1]]
    if records[:1] != [b"1"]:
        yield "line 1 is not a header"
    if len(records) < 2:
        yield "the file has no detail"
    for number, record in enumerate(records[1:], 2):
        if record != b"6":
            yield f"line {number} is not a detail"


def _faults_of_fields(data: bytes) -> Iterator[str]:
    for number, line in enumerate(data.decode("ascii").split("\r\n")[:-1], 1):
        for field in HEADER if number == 1 else DETAIL:
            text = field.text(line)
            if not re.fullmatch(field.rule, text) or (field.is_date and _day(text) is None):
                yield f"line {number}: {field.name} at {field.start} holds {text!r}"


def _faults_of_sums(data: bytes) -> Iterator[str]:
    lines = data.decode("ascii").split("\r\n")[:-1]
    header = _record(HEADER, lines[0])
    details = [_record(DETAIL, line) for line in lines[1:]]
    if int(header["count"]) != len(details):
        yield f"the header counts {int(header['count'])} details, the file has {len(details)}"
    if int(header["credits"]) != (total := sum(int(one["amount"]) for one in details)):
        yield f"the header sums {int(header['credits'])} cents, the details {total}"
    if header["applied on"] < header["sent on"]:
        yield "the file is applied before it is sent"


def _record(fields: tuple[Field, ...], line: str) -> Record:
    return {field.name: field.text(line).strip() for field in fields}


def _day(text: str) -> date | None:
    parse: Callable[[str, str], datetime] = datetime.strptime
    try:
        return parse(text, "%Y%m%d").date()
    except ValueError:
        return None
