"""CAMT.053 of ISO 20022, version 08: one statement, one entry per movement."""

from datetime import UTC
from decimal import Decimal
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from tests.reconciliation.shop.bank_calendar import moment
from tests.reconciliation.shop.lines import BankLine
from tests.reconciliation.shop.writers.period import Period

NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"


def write(period: Period) -> bytes:
    document = Element("Document", xmlns=NAMESPACE)
    message = SubElement(document, "BkToCstmrStmt")
    made = moment(period.last_day, 30).isoformat()
    _add(message, "GrpHdr/MsgId", f"EXTR{period.last_day:%Y%m%d}")
    _add(message, "GrpHdr/CreDtTm", made)
    statement = SubElement(message, "Stmt")
    _add(statement, "Id", f"{period.account.number}-{period.last_day:%Y%m%d}")
    _add(statement, "CreDtTm", made)
    _add(statement, "FrToDt/FrDtTm", moment(period.first_day, 0).isoformat())
    # In UTC the last second of Bogotá's day belongs to the next day.
    end = moment(period.last_day, 24 - 1 / 3600)
    _add(statement, "FrToDt/ToDtTm", end.astimezone(UTC).isoformat())
    _add(statement, "Acct/Id/Othr/Id", period.account.number)
    _add(statement, "Acct/Ccy", "COP")
    _add(statement, "Acct/Ownr/Nm", period.account.holder)
    _balance(statement, "OPBD", period.opening, f"{period.first_day}")
    _balance(statement, "CLBD", period.closing, f"{period.last_day}")
    for line in period.lines:
        _entry(statement, line)
    indent(document)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + tostring(document, encoding="utf-8")


def _balance(statement: Element, code: str, amount: Decimal, day: str) -> None:
    balance = SubElement(statement, "Bal")
    _add(balance, "Tp/CdOrPrtry/Cd", code)
    _amount(balance, amount)
    _add(balance, "Dt/Dt", day)


def _entry(statement: Element, line: BankLine) -> None:
    entry = SubElement(statement, "Ntry")
    _add(entry, "NtryRef", line.operation)
    _amount(entry, line.amount)
    _add(entry, "Sts/Cd", "BOOK")
    _add(entry, "BookgDt/Dt", f"{line.day}")
    _add(entry, "ValDt/Dt", f"{line.day}")
    _add(entry, "AcctSvcrRef", line.operation)
    _add(entry, "BkTxCd/Prtry/Cd", line.code)
    details = SubElement(SubElement(entry, "NtryDtls"), "TxDtls")
    _add(details, "Refs/AcctSvcrRef", line.operation)
    _add(details, "Refs/EndToEndId", line.typed or "NOTPROVIDED")
    _amount(details, line.amount)
    if line.name:
        _party(details, line)
    if line.remark:
        _add(details, "RmtInf/Ustrd", line.remark)
    _add(entry, "AddtlNtryInf", line.text)


def _party(details: Element, line: BankLine) -> None:
    side = "Dbtr" if line.amount > 0 else "Cdtr"
    party = SubElement(SubElement(SubElement(details, "RltdPties"), side), "Pty")
    _add(party, "Nm", line.name)
    if line.document:
        _add(party, "Id/PrvtId/Othr/Id", line.document)


def _amount(parent: Element, amount: Decimal) -> None:
    node = SubElement(parent, "Amt", Ccy="COP")
    node.text = f"{abs(amount):.2f}"
    _add(parent, "CdtDbtInd", "CRDT" if amount >= 0 else "DBIT")


def _add(parent: Element, path: str, text: str) -> None:
    """The elements of the path, of which existing parents are used again, with the text."""
    *parents, last = path.split("/")
    for name in parents:
        found = parent.find(name)
        parent = SubElement(parent, name) if found is None else found
    SubElement(parent, last).text = text
