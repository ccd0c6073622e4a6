"""Entries of CAMT.053. One entry may be a batch of transactions."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from xml.etree.ElementTree import Element

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.balances import ZERO, shown
from payments.reconciliation.formats.camt053_values import Path, day, pesos, signed
from payments.reconciliation.formats.values import FileRefused, ParsedLine

_NOT_PROVIDED = "NOTPROVIDED"


@dataclass(slots=True)
class _Transaction:
    """What the entry does not know. amount: None where only the entry has one."""

    amount: Decimal | None
    reference: str = ""
    description: str = ""
    debtor: str = ""
    debtor_document: str = ""
    creditor: str = ""
    creditor_document: str = ""
    operation_id: str = ""


@dataclass(slots=True)
class Totals:
    records: int = 0
    credits: Decimal = ZERO
    debits: Decimal = ZERO
    credit_records: int = 0
    debit_records: int = 0
    # Entries that are not booked: no total says whether it has them.
    not_booked: int = 0

    def add(self, amount: Decimal) -> None:
        self.records += 1
        if amount > 0:
            self.credit_records += 1
            self.credits += amount
        else:
            self.debit_records += 1
            self.debits -= amount


class Entries:
    """Makes movements of the entries of one statement."""

    def __init__(self, path: Path, days: fields.Days, numbers: Iterator[int]) -> None:
        """numbers: of the movements of the file."""
        self._path = path
        self._days = days
        self._numbers = numbers
        self._transactions: list[_Transaction] = []
        self.totals = Totals()

    def add_transaction(self, element: Element, entry: int) -> None:
        text = self._path.text
        self._transactions.append(
            _Transaction(
                amount=self._own_amount(element, entry),
                reference=self._reference(element),
                description=self._description(element),
                debtor=text(element, "RltdPties/Dbtr/Nm", "RltdPties/Dbtr/Pty/Nm"),
                debtor_document=self._document(element, "Dbtr"),
                creditor=text(element, "RltdPties/Cdtr/Nm", "RltdPties/Cdtr/Pty/Nm"),
                creditor_document=self._document(element, "Cdtr"),
                operation_id=text(element, "Refs/AcctSvcrRef", "Refs/TxId"),
            )
        )

    def _own_amount(self, element: Element, entry: int) -> Decimal | None:
        for names in ("Amt", "AmtDtls/TxAmt/Amt"):
            found = element.find(self._path.to(names))
            if found is not None and found.get("Ccy") == "COP":
                mark = self._path.text(element, "CdtDbtInd")
                value = pesos(found, entry)
                # Version 2 has no mark: a transaction goes the way of its entry.
                return signed(value, mark, entry) if mark else value
        return None

    def _reference(self, element: Element) -> str:
        structured = self._path.text(element, "RmtInf/Strd/CdtrRefInf/Ref")
        end_to_end = self._path.text(element, "Refs/EndToEndId")
        return structured or ("" if end_to_end == _NOT_PROVIDED else end_to_end)

    def _description(self, element: Element) -> str:
        parts = [each.text or "" for each in element.iterfind(self._path.to("RmtInf/Ustrd"))]
        return " ".join(parts) or self._path.text(element, "AddtlTxInf")

    def _document(self, element: Element, party: str) -> str:
        """Of an organisation or a person; since version 8 within `<Pty>`."""
        if element.find(self._path.to(f"RltdPties/{party}")) is None:
            return ""
        return self._path.text(
            element,
            *(
                f"RltdPties/{party}{within}/Id/{kind}/Othr/Id"
                for within in ("", "/Pty")
                for kind in ("PrvtId", "OrgId")
            ),
        )

    def lines(self, element: Element, entry: int) -> Iterator[ParsedLine]:
        transactions, self._transactions = self._transactions, []
        amount = signed(
            pesos(element.find(self._path.to("Amt")), entry),
            self._path.text(element, "CdtDbtInd"),
            entry,
        )
        self.totals.add(amount)
        if not self._is_booked(element, entry):
            self.totals.not_booked += 1
            return
        self._check_batch(element, transactions, entry)
        if not amount:
            return
        if len(transactions) > 1 and all(each.amount is not None for each in transactions):
            yield from self._batch(element, entry, amount, transactions)
        else:
            one = transactions[0] if len(transactions) == 1 else _Transaction(None)
            yield self._line(element, entry, amount, one, self._operation(element, one))

    def _is_booked(self, element: Element, entry: int) -> bool:
        status = self._path.text(element, "Sts/Cd", "Sts")
        if status not in ("BOOK", "PDNG", "INFO", "FUTR"):
            reason = _("“%(status)s” is not a status of an entry.")
            raise FileRefused(reason % {"status": fields.shown(status)}, entry)
        return status == "BOOK"

    def _check_batch(self, element: Element, transactions: list[_Transaction], entry: int) -> None:
        said = self._path.text(element, "NtryDtls/Btch/NbOfTxs")
        if said and transactions and int(fields.digits(said, entry)) != len(transactions):
            reason = _("The batch says %(said)s transactions, but has %(found)s.")
            details = {"said": fields.shown(said), "found": len(transactions)}
            raise FileRefused(reason % details, entry)

    def _batch(
        self, element: Element, entry: int, amount: Decimal, transactions: list[_Transaction]
    ) -> Iterator[ParsedLine]:
        way = 1 if amount > 0 else -1
        has_marks = any(each.amount < 0 for each in transactions if each.amount is not None)
        amounts = [(each.amount or ZERO) * (1 if has_marks else way) for each in transactions]
        if sum(amounts, ZERO) != amount:
            reason = _("The entry is %(said)s, but its transactions are %(found)s together.")
            details = {"said": shown(amount), "found": shown(sum(amounts, ZERO))}
            raise FileRefused(reason % details, entry)
        of_entry = self._path.text(element, "AcctSvcrRef")
        for number, (each, own) in enumerate(zip(transactions, amounts, strict=True), 1):
            if own:
                operation = each.operation_id or (of_entry and f"{of_entry}/{number}")
                yield self._line(element, entry, own, each, operation)

    def _operation(self, element: Element, one: _Transaction) -> str:
        return self._path.text(element, "AcctSvcrRef") or one.operation_id

    def _line(
        self, element: Element, entry: int, amount: Decimal, one: _Transaction, operation: str
    ) -> ParsedLine:
        path = self._path
        # Who is on the other side of the movement.
        name, document = (
            (one.debtor, one.debtor_document)
            if amount > 0
            else (one.creditor, one.creditor_document)
        )
        booked = element.find(path.to("BookgDt"))
        if booked is None:
            booked = element.find(path.to("ValDt"))
        return ParsedLine(
            line=next(self._numbers),
            booked_on=day(path, booked, self._days, entry),
            amount=amount,
            description=fields.text(one.description or path.text(element, "AddtlNtryInf")),
            reference=fields.reference(one.reference, entry),
            document=fields.document(document, entry),
            counterparty=fields.text(name, fields.COUNTERPARTY),
            code=self._code(element)[: fields.CODE],
            operation_id=fields.fitting(operation, fields.OPERATION, entry),
        )

    def _code(self, element: Element) -> str:
        own = self._path.text(element, "BkTxCd/Prtry/Cd")
        if own:
            return own
        domain = ("BkTxCd/Domn/Cd", "BkTxCd/Domn/Fmly/Cd", "BkTxCd/Domn/Fmly/SubFmlyCd")
        return "-".join(filter(None, (self._path.text(element, names) for names in domain)))
