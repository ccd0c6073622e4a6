"""Files of banks, written by hand from the published layouts. Names and numbers are invented."""

from datetime import date
from decimal import Decimal

from payments.reconciliation import formats
from payments.reconciliation.formats.values import ParsedStatement

TODAY = date(2026, 3, 20)


def read(content: str | bytes, today: date = TODAY) -> ParsedStatement:
    return formats.parse(content.encode() if isinstance(content, str) else content, today=today)


def amounts(statement: ParsedStatement) -> list[Decimal]:
    return [line.amount for line in statement.lines]


# NIT 9001234567, 2026-03-16, bank 007, account 12345678901, savings.
ASOBANCARIA = "".join(
    f"{line:<162}\r\n"
    for line in (
        "01900123456720260316007      12345678901202603170630A01",
        "0577099980012340001",
        "06" + "987654321098".zfill(48) + "00000005000000031500123400098700001230000001000",
        "06" + "5550001".zfill(48) + "00000000123450010100000000000000001230000002000",
        "080000000020000000000051234500001",
        "09000000002000000000005123450",
    )
)
