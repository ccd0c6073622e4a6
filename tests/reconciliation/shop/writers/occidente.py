"""Banco de Occidente's export: six lines of heading, amounts as "$ 111.827,59"."""

import csv
import io
from decimal import Decimal

from tests.reconciliation.shop.writers.period import Period

COLUMNS = ("Fecha", "Hora", "Transacción", "Nro. Documento", "Débitos", "Créditos")


def write(period: Period) -> bytes:
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\r\n")
    days = f"{period.first_day:%Y/%m/%d} - {period.last_day:%Y/%m/%d}"
    for heading in (
        ["Banco de Occidente"],
        ["Consulta de movimientos"],
        ["Titular", period.account.holder],
        ["Cuenta", period.account.number],
        ["Periodo", days],
        COLUMNS,
    ):
        out.writerow(heading)
    for line in period.lines:
        debit, credit = _pesos(Decimal(0)), _pesos(line.amount)
        if line.amount < 0:
            debit, credit = _pesos(-line.amount), _pesos(Decimal(0))
        digits = line.typed.replace(" ", "")
        out.writerow([f"{line.day:%Y/%m/%d}", "", line.text, digits, debit, credit])
    return text.getvalue().encode("latin-1")


def _pesos(amount: Decimal) -> str:
    return "$ " + f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))
