"""Banco de Bogotá's export: no year in the date, no balance, no account."""

import csv
import io

from tests.reconciliation.shop.writers.period import Period


def write(period: Period) -> bytes:
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\r\n")
    out.writerow(["Fecha", "Transacción", "Oficina", "Documento", "Débito", "Crédito"])
    for line in period.lines:
        debit, credit = ("", f"{line.amount:.2f}")
        if line.amount < 0:
            debit, credit = f"{-line.amount:.2f}", ""
        digits = line.typed.replace(" ", "")
        out.writerow([f"{line.day:%m/%d}", line.text, "0001", digits, debit, credit])
    return text.getvalue().encode("utf-8-sig")
