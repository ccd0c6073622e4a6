"""Lines of statements, as an import stores them, and the account that they belong to."""

from datetime import date
from decimal import Decimal
from typing import Any

from django.db import transaction

from payments.core import clock
from payments.core.days import day_of
from payments.ledger import recipes
from payments.reconciliation.models import BankAccount, StatementFile, StatementLine

CREDENTIALS = {
    "bank_code": "1007",
    "account_number": "12345678901",
    "account_type": "SAVINGS",
    "holder": "Tienda Andina SAS",
    "document": "900123456",
}


def own_account(slug: str = "main", **changes: str) -> BankAccount:
    values = {
        "label": "Bancolombia",
        "bank_code": CREDENTIALS["bank_code"],
        "number": CREDENTIALS["account_number"],
        "account_type": CREDENTIALS["account_type"],
        "holder": CREDENTIALS["holder"],
        "document": CREDENTIALS["document"],
    }
    return BankAccount.objects.create(
        slug=slug, created_by="olga", created_at=clock.now(), **{**values, **changes}
    )


def add_line(
    account: BankAccount, amount: Decimal | int, booked_on: date | None = None, **facts: Any
) -> StatementLine:
    """Due at once. Each comes in a file of its own."""
    now, day = clock.now(), booked_on or day_of(clock.now())
    amount = Decimal(amount)
    number = StatementLine.objects.filter(account=account, booked_on=day, amount=amount).count()
    total = StatementFile.objects.count()
    file = StatementFile.objects.create(
        account=account,
        format="own",
        name=f"{total}.csv",
        sha256=f"{total:064x}",
        size=1,
        first_day=day,
        last_day=day,
        is_complete=False,
        lines=1,
        new_lines=1,
        credits=max(amount, Decimal(0)),
        debits=max(-amount, Decimal(0)),
        source="COMMAND",
        imported_by="olga",
        imported_at=now,
    )
    read = recipes.ReadStatement(
        account=account.pk, file_id=file.pk, credits=file.credits, debits=file.debits
    )
    with transaction.atomic():
        recipes.statement_imported(read, now=now)
    return StatementLine.objects.create(
        account=account,
        booked_on=day,
        amount=amount,
        number=number + 1,
        file=file,
        file_line=1,
        match_at=now,
        created_at=now,
        **facts,
    )
