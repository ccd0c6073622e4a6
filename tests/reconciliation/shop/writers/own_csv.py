"""The service's own CSV, as docs/bank-statements.md describes it."""

import csv
import io

from tests.reconciliation.shop.writers.period import Period

COLUMNS = ("date", "amount", "description", "reference", "document", "name", "operation")


def write(period: Period) -> bytes:
    text = io.StringIO()
    out = csv.writer(text)
    out.writerow(COLUMNS)
    for line in period.lines:
        row = [line.day, line.amount, line.text, line.typed]
        out.writerow([*row, line.document, line.name, line.operation])
    return text.getvalue().encode()
