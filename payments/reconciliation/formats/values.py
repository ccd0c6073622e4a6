"""What a parser reads from a file of a bank. Amounts are pesos, with at most two decimals."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal


class FileRefused(Exception):
    """The file is refused whole.

    reason  for operators, with the wrong value. Translated.
    line    counted from 1. None: the whole file.
    """

    def __init__(self, reason: str, line: int | None = None) -> None:
        super().__init__(reason if line is None else f"{line}: {reason}")
        self.reason = reason
        self.line = line


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedLine:
    """One movement.

    line          of the file, counted from 1; of XML the number of the movement. No two
                  movements of a file have the same.
    booked_on     the bank's day, in Bogotá.
    amount        above zero came in, below zero went out. Never zero.
    reference     that the payer typed: digits without the zeros on the left; else as it is.
    document      of the payer or the beneficiary, without dots, dashes and spaces.
    counterparty  name of the payer or the beneficiary.
    code          the bank's code of the kind of movement.
    operation_id  the bank's number of the operation. In files of one format, two lines of one
                  account and day with different ones are different movements. Formats number
                  differently: never compare the numbers of two formats.
    balance       of the account after the movement.

    Texts fit the columns of StatementLine.
    """

    line: int
    booked_on: date
    amount: Decimal
    description: str = ""
    reference: str = ""
    document: str = ""
    counterparty: str = ""
    code: str = ""
    operation_id: str = ""
    balance: Decimal | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ParsedStatement:
    """One account of one file.

    format          a code of the formats.
    account_number  digits; empty where the format has none. Some banks fill it with zeros on the
                    left: compare without them.
    first_day, last_day  what the file covers. Where it names no period, these are the days of
                    the first and the last line: days before and after may have no movements.
    opening, closing  balances before and after the lines; None where the format has none.
    is_complete     all movements of these days. False: only some kinds, such as the referenced
                    collections of Asobancaria.
    """

    format: str
    account_number: str
    first_day: date
    last_day: date
    lines: Sequence[ParsedLine]
    opening: Decimal | None = None
    closing: Decimal | None = None
    is_complete: bool = True
