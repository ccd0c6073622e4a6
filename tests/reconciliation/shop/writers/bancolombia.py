"""Bancolombia's movements: nine columns without a header, and lines with balances among them."""

import csv
import io
from datetime import date
from decimal import Decimal

from tests.reconciliation.shop.writers.period import Period

DAY_FIRST = (11, 20)  # between these days of a month the bank writes the day first


def write(period: Period) -> bytes:
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\r\n")

    def row(day: date, amount: Decimal, code: str, description: str) -> None:
        when = f"{day:%d%m%Y}" if DAY_FIRST[0] <= period.last_day.day <= DAY_FIRST[1] else ""
        when = when or f"{day:%Y%m%d}"
        number = period.account.number
        out.writerow([number, "245", "", when, "", f"{amount:,.2f}", code, description, "0"])

    row(period.first_day, period.opening, "0000", "SALDO INICIAL")
    for today in period.by_day():
        for line in today.lines:
            row(line.day, line.amount, line.code, line.text)
        row(today.last_day, today.closing, "0000", "SALDO DIA")
    return text.getvalue().encode("latin-1")
