"""Makes a line of a batch from a row of a file. Every wrong value is found, not only the first."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from stdnum.co import nit

from payments.outgoing import beneficiary_validation
from payments.payout.models import Bank, Network
from payments.payout_batches.files import limits, values
from payments.payout_batches.files.headings import Columns
from payments.payout_batches.files.sheets import Number, Row
from payments.payout_batches.files.values import WrongValue
from payments.payout_batches.models import BatchLine, LineStatus
from payments.payout_batches.services.terms import Terms

_SMALL = Decimal(1000)


class LineReader:
    def __init__(self, columns: Columns, terms: Terms) -> None:
        self._columns = columns
        self._terms = terms

    def read(self, row: Row) -> BatchLine:
        """Not saved. With a fault its status is WRONG."""
        reading = _Reading(row, self._columns, self._terms)
        line = reading.line()
        line.number = row.number
        line.cells = row.cells
        line.faults, line.warnings = reading.faults, reading.warnings
        line.status = LineStatus.WRONG if reading.faults else LineStatus.WAITING
        return line


class _Reading:
    """Of one row."""

    def __init__(self, row: Row, columns: Columns, terms: Terms) -> None:
        self._terms = terms
        self._cells = {
            column: row.cells[place] if place < len(row.cells) else ""
            for column, place in columns.places.items()
        }
        self.faults: list[dict[str, Any]] = []
        self.warnings: list[dict[str, Any]] = []

    def line(self) -> BatchLine:
        line = BatchLine(
            reference=self._value("reference", _phrase(100)) or "",
            recipient_name=self._value("recipient_name", _phrase(200), is_needed=True) or "",
            description=self._value("description", _phrase(40)) or "",
            amount=self._value("amount", values.amount, is_needed=True),
        )
        self._read_document(line)
        self._read_destination(line)
        if line.amount is not None and line.network:
            self._price(line)
        if line.amount is not None and line.amount < _SMALL:
            self.warnings.append({"code": "small"})
        return line

    def _read_document(self, line: BatchLine) -> None:
        kinds = values.DOC_TYPES
        line.doc_type = (
            self._value(
                "doc_type", lambda text: values.one_of(text, kinds, "doc_type"), is_needed=True
            )
            or ""
        )
        line.doc_number = self._value("doc_number", values.document, is_needed=True) or ""
        if line.doc_type == "NIT" and line.doc_number and not nit.is_valid(line.doc_number):
            self.warnings.append({"code": "nit"})

    def _read_destination(self, line: BatchLine) -> None:
        has_account = bool(self._cells.get("account_number"))
        has_key = bool(self._cells.get("key_value"))
        if has_account and has_key:
            self._fault("both", "account_number")
        elif has_key:
            self._read_key(line)
        elif has_account or self._cells.get("bank"):
            self._read_account(line)
        else:
            self._fault("neither", "account_number")

    def _read_account(self, line: BatchLine) -> None:
        bank = self._value("bank", self._terms.banks.find, is_needed=True)
        line.account_type = (
            self._value(
                "account_type",
                lambda text: values.one_of(text, values.ACCOUNT_TYPES, "account_type"),
                is_needed=True,
            )
            or ""
        )
        number = self._value(
            "account_number", lambda text: _account_number(text, bank), is_needed=True
        )
        if isinstance(self._cells.get("account_number"), Number) and number:
            self.warnings.append({"code": "zeros"})
        line.network, line.bank, line.account_number = Network.BANK, bank, number or ""

    def _read_key(self, line: BatchLine) -> None:
        key_type = ""
        if self._cells.get("key_type"):
            kinds = values.KEY_TYPES
            key_type = (
                self._value("key_type", lambda text: values.one_of(text, kinds, "key_type")) or ""
            )
        else:
            key_type = beneficiary_validation.guess_key_type(self._cells["key_value"])
        if key_type:
            line.key_value = self._value("key_value", lambda text: _key(text, key_type)) or ""
        line.network, line.key_type = Network.BREB, key_type

    def _price(self, line: BatchLine) -> None:
        """The fee, and whether a rail carries the payout."""
        amount = line.amount or Decimal(0)
        try:
            line.fee_amount = self._terms.fee_of(line.network, amount)
        except WrongValue as wrong:
            self._fault(wrong.code, "amount", **wrong.values)
            return
        is_known = line.network == Network.BREB or line.bank is not None
        if is_known and not self._terms.account_for(line.network, amount, line.bank):
            is_bank = line.bank is not None
            self._fault("bank_unreached" if is_bank else "network_off", "bank")

    def _value(self, column: str, read: Callable[[str], Any], *, is_needed: bool = False) -> Any:
        """None for an empty cell, and for a wrong one, whose fault is kept."""
        text = self._cells.get(column, "")
        try:
            if not text:
                if is_needed:
                    raise WrongValue("needed")
                return None
            values.check_kind(text)
            if len(text) > limits.CELL_CHARACTERS_MAX:
                raise WrongValue("too_long", most=limits.CELL_CHARACTERS_MAX)
            return read(text)
        except WrongValue as wrong:
            self._fault(wrong.code, column, **wrong.values)
            return None

    def _fault(self, code: str, column: str, **figures: object) -> None:
        value = str(self._cells.get(column, ""))[:60]
        self.faults.append({"code": code, "column": column, "value": value, **figures})


def _phrase(most: int) -> Callable[[str], str]:
    return lambda text: values.phrase(text, most)


def _account_number(text: str, bank: Bank | None) -> str:
    """Without a bank that is known, only its digits are checked."""
    slug = bank.slug if bank else ""
    number = beneficiary_validation.account_number(values.whole_number(text), slug)
    if number is None:
        is_mobile = beneficiary_validation.is_mobile_bank(slug)
        raise WrongValue("account_mobile" if is_mobile else "account")
    return number


def _key(text: str, key_type: str) -> str:
    value = beneficiary_validation.key_value(values.whole_number(text), key_type)
    if value is None:
        raise WrongValue("key", type=key_type)
    return value
