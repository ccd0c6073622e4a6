"""Statements in the service's own CSV, and the bank account that they belong to."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal

from payments.ledger.models import Posting
from payments.reconciliation.models import BankAccount, StatementFile, StatementLine
from payments.reconciliation.services.bank_accounts import NewBankAccount, create_bank_account
from payments.reconciliation.services.imports import NewStatement, import_statement

NUMBER = "12345678901"
NOW = datetime(2026, 11, 20, 15, tzinfo=UTC)


def open_account(slug: str = "main", number: str = NUMBER) -> BankAccount:
    new = NewBankAccount(
        slug=slug,
        label="Main account",
        bank_code="1007",
        number=number,
        account_type=BankAccount.Type.SAVINGS,
        holder="Pasarela SAS",
        document="901234567",
    )
    return create_bank_account(new=new, actor="ana", reason="our account", now=NOW)


@dataclass(frozen=True, kw_only=True)
class Row:
    day: int
    amount: str
    text: str = "TRANSFERENCIA"
    reference: str = ""
    operation: str = ""
    document: str = ""

    @property
    def date(self) -> date:
        return date(2026, 11, self.day)


def statement(rows: Iterable[Row], opening: str | None = "0", number: str = NUMBER) -> bytes:
    """With balances, unless `opening` is None."""
    header = "date,amount,description,reference,document,operation_id"
    header += ",account" if number else ""
    header += ",balance" if opening is not None else ""
    lines, balance = [header], Decimal(opening or "0")
    for row in rows:
        balance += Decimal(row.amount)
        cells = [row.date.isoformat(), row.amount, row.text, row.reference]
        cells += [row.document, row.operation, *([number] if number else [])]
        cells += [str(balance)] if opening is not None else []
        lines.append(",".join(cells))
    return "\n".join([*lines, ""]).encode()


def give(
    content: bytes, name: str = "file.csv", account: str = "", accepted_gap: str = ""
) -> StatementFile:
    new = NewStatement(
        name=name,
        content=content,
        source=StatementFile.Source.COMMAND,
        account=account,
        accepted_gap=accepted_gap,
    )
    return import_statement(new=new, actor="ana", now=NOW)


def stored() -> list[tuple[int, str, str, str, str]]:
    lines = StatementLine.objects.order_by("booked_on", "amount", "number")
    return [
        (one.booked_on.day, f"{one.amount:.2f}", one.description, one.reference, one.operation_id)
        for one in lines
    ]


def books(code: str) -> Decimal:
    postings = Posting.objects.filter(account__code=code)
    return sum((posting.amount for posting in postings), Decimal(0))
