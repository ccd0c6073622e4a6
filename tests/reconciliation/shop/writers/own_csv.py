"""The service's own CSV, as docs/bank-statements.md describes it."""

import csv
import io

from tests.reconciliation.shop.writers.period import Period

COLUMNS = ("date", "amount", "description", "reference", "document", "counterparty")
COLUMNS += ("operation_id", "account", "balance")


def write(period: Period) -> bytes:
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(COLUMNS)
    number = period.account.number
    for line in period.lines:
        row = [line.day, line.amount, line.text, line.typed, line.document, line.name]
        out.writerow([*row, line.operation, number, line.balance])
    return text.getvalue().encode()
