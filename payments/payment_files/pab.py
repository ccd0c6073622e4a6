"""Writes PAB, the payment file of Bancolombia's portal: 264 bytes a line (docs/payment-files.md).

What does not fit is refused, so that a line never says less than what is to be paid. Only names are
cut: banks pay by account and document.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import StrEnum
from unicodedata import normalize

LINE_LENGTH = 264
NAME_LENGTH = 30
ACCOUNT_LENGTH = 17
REFERENCE_LENGTH = 21
_END = "\r\n"
# Letters that Unicode does not take apart.
_LETTERS = str.maketrans({"ß": "SS", "Æ": "AE", "æ": "AE", "Ø": "O", "ø": "O", "Ł": "L", "ł": "L"})
# Between letters they are part of the word: O'Neil, S.A.S.
_SILENT = re.compile(r"[.'’`´]")
_NOT_ALLOWED = re.compile(r"[^A-Z0-9 \-/\\:]+")
# The only digit that is documented. Writers of such files put 0 for all others.
_DOCUMENT_TYPES = {"CC": "1"}


class NotEncodable(ValueError):
    """`field` names the value that does not fit; the message never holds the value."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(f"{field}: {message}")
        self.field = field


class DebitAccountType(StrEnum):
    SAVINGS = "S"
    CHECKING = "D"


class AccountType(StrEnum):
    """WALLET: a deposit of low amount, such as Nequi."""

    CHECKING = "27"
    SAVINGS = "37"
    WALLET = "52"


class PaymentClass(StrEnum):
    SUPPLIERS = "220"
    PAYROLL = "225"


class Application(StrEnum):
    """When the bank pays the file on its day."""

    NOW = "I"
    MIDDAY = "M"
    NIGHT = "N"


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """
    nit        of the payer, without its check digit if the bank has it so.
    purpose    1 to 10 capital letters and digits: the beneficiary may see it.
    made_on    the day on which the file is handed over; it is paid on `pay_on`.
    sequence   A for the first file of the day, then B, to Z.
    """

    nit: str
    application: Application
    payment_class: PaymentClass
    purpose: str
    made_on: date
    sequence: str
    pay_on: date
    account: str
    account_type: DebitAccountType


@dataclass(frozen=True, slots=True, kw_only=True)
class Detail:
    """
    bank       four digits, as ACH Colombia has it: 1007.
    amount     in pesos, with at most two decimals.
    reference  what the statement shall show.
    """

    document_type: str
    document: str
    name: str
    bank: str
    account: str
    account_type: AccountType
    amount: Decimal
    reference: str


def encode(header: Header, details: Sequence[Detail]) -> bytes:
    """The file. Raises NotEncodable."""
    if not details:
        raise NotEncodable("details", "a file has at least one payment")
    lines = [_detail(one, header.pay_on) for one in details]
    total = sum((one.amount for one in details), Decimal(0))
    first = _header(header, len(details), total)
    return "".join(line + _END for line in (first, *lines)).encode("ascii")


def check(detail: Detail) -> None:
    """Raises NotEncodable, with the field that keeps the payment out of a file."""
    _detail(detail, date(2026, 1, 1))


def check_header(header: Header) -> None:
    """Raises NotEncodable for what no file of this account can have."""
    _header(header, 1, Decimal(1))


def name_of(text: str) -> str:
    """A name as the format takes it: `Peña & Ñáñez S.A.S.` is `PENA NANEZ SAS`. Cut after 30."""
    plain = normalize("NFKD", text.translate(_LETTERS)).upper()
    plain = "".join(char for char in plain if not 0x300 <= ord(char) <= 0x36F)
    words = _NOT_ALLOWED.sub(" ", _SILENT.sub("", plain)).split()
    return " ".join(words)[:NAME_LENGTH].rstrip()


def _header(header: Header, count: int, total: Decimal) -> str:
    if header.pay_on < header.made_on:
        raise NotEncodable("pay_on", "the file is paid before it is made")
    return _line(
        "1",
        _digits("nit", header.nit, 15).rjust(15, "0"),
        Application(header.application).value,
        " " * 15,
        PaymentClass(header.payment_class).value,
        _text("purpose", header.purpose, 10, r"[A-Z0-9][A-Z0-9 ]*").ljust(10),
        _day("made_on", header.made_on),
        _text("sequence", header.sequence, 1, "[A-Z]").ljust(2),
        _day("pay_on", header.pay_on),
        _number("details", count, 6),
        "0" * 17,
        _cents("total", total),
        _digits("account", header.account, 11, shortest=11),
        DebitAccountType(header.account_type).value,
        " " * 149,
    )


def _detail(detail: Detail, pay_on: date) -> str:
    name = name_of(detail.name)
    if not name:
        raise NotEncodable("name", "no letter that the format has")
    if len(detail.bank) != 4:
        raise NotEncodable("bank", "a bank has four digits")
    return _line(
        "6",
        _text("document", detail.document, 15, "[A-Z0-9]+").ljust(15),
        name.ljust(NAME_LENGTH),
        "00000" + _digits("bank", detail.bank, 4),
        _digits("account", detail.account, ACCOUNT_LENGTH).ljust(ACCOUNT_LENGTH),
        " ",
        AccountType(detail.account_type).value,
        _cents("amount", detail.amount),
        _day("pay_on", pay_on),
        _text("reference", detail.reference, REFERENCE_LENGTH, "[A-Za-z0-9-]+").ljust(21),
        _DOCUMENT_TYPES.get(detail.document_type, "0"),
        "00000",
        " " * 15,
        " " * 80,
        " " * 42,
    )


def _line(*fields: str) -> str:
    line = "".join(fields)
    if len(line) != LINE_LENGTH:
        raise AssertionError(f"a line of {len(line)} characters")
    return line


def _digits(field: str, text: str, longest: int, *, shortest: int = 1) -> str:
    if not re.fullmatch(r"[0-9]+", text) or not shortest <= len(text) <= longest:
        length = str(longest) if shortest == longest else f"{shortest} to {longest}"
        raise NotEncodable(field, f"it has {length} digits")
    if not text.strip("0"):
        raise NotEncodable(field, "it is not zero")
    return text


def _text(field: str, text: str, longest: int, pattern: str) -> str:
    if len(text) > longest or not re.fullmatch(pattern, text):
        raise NotEncodable(field, f"at most {longest} of {pattern}")
    return text


def _number(field: str, value: int, width: int) -> str:
    if value >= 10**width:
        raise NotEncodable(field, f"more than {width} digits")
    return str(value).rjust(width, "0")


def _cents(field: str, amount: Decimal) -> str:
    if not amount.is_finite() or amount <= 0 or amount * 100 % 1:
        raise NotEncodable(field, "above zero, with at most two decimals")
    return _number(field, int(amount * 100), 17)


def _day(field: str, day: date) -> str:
    if not 2000 <= day.year <= 9999:
        raise NotEncodable(field, "a year of four digits")
    return f"{day:%Y%m%d}"
