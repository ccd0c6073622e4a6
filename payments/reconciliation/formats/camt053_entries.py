"""Entries of CAMT.053. One entry may be a batch of transactions."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.balances import ZERO, shown
from payments.reconciliation.formats.camt053_values import day, first, pesos, signed
from payments.reconciliation.formats.camt053_xml import Values
from payments.reconciliation.formats.limits import check_movements
from payments.reconciliation.formats.values import FileRefused, ParsedLine

_NOT_PROVIDED = "NOTPROVIDED"


@dataclass(frozen=True, slots=True)
class _Party:
    name: str = ""
    document: str = ""


@dataclass(frozen=True, slots=True)
class _Transaction:
    """What the entry does not say. amount: None where only the entry has one."""

    amount: Decimal | None = None
    reference: str = ""
    description: str = ""
    debtor: _Party = _Party()
    creditor: _Party = _Party()
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

    def __init__(self, days: fields.Days, numbers: Iterator[int]) -> None:
        """numbers: of the movements of the file."""
        self._days = days
        self._numbers = numbers
        self._transactions: list[_Transaction] = []
        self.totals = Totals()

    def add_transaction(self, values: Values) -> None:
        check_movements(len(self._transactions) + 1)
        self._transactions.append(
            _Transaction(
                amount=_own_amount(values),
                reference=_reference(values),
                description=first(values, "TxDtls/RmtInf/Ustrd", "TxDtls/AddtlTxInf"),
                debtor=_party(values, "Dbtr"),
                creditor=_party(values, "Cdtr"),
                operation_id=first(values, "TxDtls/Refs/AcctSvcrRef", "TxDtls/Refs/TxId"),
            )
        )

    def lines(self, values: Values) -> Iterator[ParsedLine]:
        transactions, self._transactions = self._transactions, []
        amount = signed(pesos(values, "Ntry/Amt"), values.get("Ntry/CdtDbtInd", ""))
        self.totals.add(amount)
        if not _is_booked(values):
            self.totals.not_booked += 1
            return
        _check_batch(values, transactions)
        of_entry = values.get("Ntry/AcctSvcrRef", "")
        if len(transactions) > 1 and all(each.amount is not None for each in transactions):
            for number, (each, own) in enumerate(_shares(amount, transactions), 1):
                operation = each.operation_id or (of_entry and f"{of_entry}/{number}")
                if own:
                    yield self._line(values, own, each, operation)
        elif amount:
            one = transactions[0] if len(transactions) == 1 else _Transaction()
            yield self._line(values, amount, one, of_entry or one.operation_id)

    def _line(
        self, values: Values, amount: Decimal, one: _Transaction, operation: str
    ) -> ParsedLine:
        # Who is on the other side of the movement.
        party = one.debtor if amount > 0 else one.creditor
        is_booking = "Ntry/BookgDt/Dt" in values or "Ntry/BookgDt/DtTm" in values
        return ParsedLine(
            line=next(self._numbers),
            booked_on=day(values, "Ntry/BookgDt" if is_booking else "Ntry/ValDt", self._days),
            amount=amount,
            description=fields.text(one.description or values.get("Ntry/AddtlNtryInf", "")),
            reference=fields.reference(one.reference, None),
            document=fields.document(party.document, None),
            counterparty=fields.text(party.name, fields.COUNTERPARTY),
            code=_code(values)[: fields.CODE],
            operation_id=fields.fitting(operation, fields.OPERATION, None),
        )


def _own_amount(values: Values) -> Decimal | None:
    for place in ("TxDtls/Amt", "TxDtls/AmtDtls/TxAmt/Amt"):
        if values.get(f"{place}@Ccy") == "COP":
            value = pesos(values, place)
            mark = values.get("TxDtls/CdtDbtInd")
            # Version 2 has no mark: a transaction goes the way of its entry.
            return signed(value, mark) if mark else value
    return None


def _reference(values: Values) -> str:
    structured = values.get("TxDtls/RmtInf/Strd/CdtrRefInf/Ref")
    end_to_end = values.get("TxDtls/Refs/EndToEndId", "")
    return structured or ("" if end_to_end == _NOT_PROVIDED else end_to_end)


def _party(values: Values, role: str) -> _Party:
    whole = f"TxDtls/RltdPties/{role}"
    ids = [f"{whole}{at}/Id/{kind}/Othr/Id" for at in _WITHIN for kind in ("PrvtId", "OrgId")]
    return _Party(
        name=first(values, *(f"{whole}{at}/Nm" for at in _WITHIN)),
        document=first(values, *ids),
    )


# Since version 8 a party is within <Pty>.
_WITHIN = ("", "/Pty")


def _is_booked(values: Values) -> bool:
    status = first(values, "Ntry/Sts/Cd", "Ntry/Sts")
    if status not in ("BOOK", "PDNG", "INFO", "FUTR"):
        reason = _("“%(status)s” is not a status of an entry.")
        raise FileRefused(reason % {"status": fields.shown(status)})
    return status == "BOOK"


def _check_batch(values: Values, transactions: list[_Transaction]) -> None:
    said = values.get("Ntry/NtryDtls/Btch/NbOfTxs")
    if said and transactions and int(fields.digits(said, None)) != len(transactions):
        reason = _("The batch says %(said)s transactions, but has %(found)s.")
        details = {"said": fields.shown(said), "found": len(transactions)}
        raise FileRefused(reason % details)


def _shares(
    amount: Decimal, transactions: list[_Transaction]
) -> list[tuple[_Transaction, Decimal]]:
    """Each transaction of a batch with its amount. They are the entry together."""
    amounts = [each.amount or ZERO for each in transactions]
    if amount < 0 and all(own >= 0 for own in amounts):
        amounts = [-own for own in amounts]
    if sum(amounts, ZERO) != amount:
        reason = _("The entry is %(said)s, but its transactions are %(found)s together.")
        details = {"said": shown(amount), "found": shown(sum(amounts, ZERO))}
        raise FileRefused(reason % details)
    return list(zip(transactions, amounts, strict=True))


def _code(values: Values) -> str:
    if own := values.get("Ntry/BkTxCd/Prtry/Cd"):
        return own
    domain = ("Cd", "Fmly/Cd", "Fmly/SubFmlyCd")
    codes = (values.get(f"Ntry/BkTxCd/Domn/{name}", "") for name in domain)
    return "-".join(filter(None, codes))
