"""MT940 of SWIFT: one message per day, ":86:" in lines of 65 characters."""

import textwrap
from decimal import Decimal

from tests.reconciliation.shop.lines import BankLine
from tests.reconciliation.shop.writers.period import Period


def write(period: Period) -> bytes:
    messages = [_message(today) for today in period.by_day()]
    return "\r\n".join([*messages, ""]).encode("ascii")


def _message(today: Period) -> str:
    number = today.first_day.timetuple().tm_yday
    rows = [
        "{1:F01COLOCOBMXXXX0000000000}{2:I940CLIENTEXXXXXN}{4:",
        f":20:E{today.first_day:%Y%m%d}",
        f":25:{today.account.number}",
        f":28C:{number:05}/001",
        f":60F:{_balance(today, today.opening)}",
        *(row for line in today.lines for row in _movement(line)),
        f":62F:{_balance(today, today.closing)}",
        "-}",
    ]
    return "\r\n".join(rows)


def _balance(today: Period, amount: Decimal) -> str:
    sign = "C" if amount >= 0 else "D"
    return f"{sign}{today.first_day:%y%m%d}COP{_amount(amount)}"


def _movement(line: BankLine) -> list[str]:
    sign = "C" if line.amount > 0 else "D"
    # The field of the customer's reference has 16 characters.
    typed = line.typed if 0 < len(line.typed) <= 16 else "NONREF"
    kind = "NTRF" if line.amount > 0 else "NMSC"
    head = f":61:{line.day:%y%m%d%m%d}{sign}{_amount(line.amount)}{kind}{typed}//{line.operation}"
    words = " ".join(word for word in (line.text, line.document) if word)
    wrapped = textwrap.wrap(words, 65, break_long_words=False)
    return [head, *_tagged(wrapped)]


def _tagged(rows: list[str]) -> list[str]:
    return [f":86:{rows[0]}", *rows[1:]]


def _amount(amount: Decimal) -> str:
    return f"{abs(amount):.2f}".replace(".", ",")
