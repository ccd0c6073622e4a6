"""What the acquirer keeps of sales by card, and its daily file of disbursements."""

import csv
import io
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_DOWN, Decimal

from tests.reconciliation.shop.plan import Disbursement, Names

CENT = Decimal("0.01")
COLUMNS = ("ID transacción", "Referencia", "Fecha transacción", "Fecha desembolso", "Monto")
COLUMNS += ("Comisión", "IVA comisión", "ReteICA", "ReteIVA", "Retefuente", "Impoconsumo")
COLUMNS += ("Valor desembolsado",)


@dataclass(frozen=True)
class Kept:
    """Of one sale by card: the tariff of a contract, cut to the cent."""

    gross: Decimal

    @property
    def parts(self) -> list[Decimal]:
        """Commission, its VAT, local tax, withheld VAT, withheld income tax, consumption tax."""
        commission = self.gross * Decimal("0.0235") + 400
        income = self.gross * Decimal("0.015")
        none = Decimal(0)
        parts = (commission, commission * Decimal("0.19"), none, none, income, none)
        return [part.quantize(CENT, ROUND_DOWN) for part in parts]

    @property
    def net(self) -> Decimal:
        return self.gross - sum(self.parts)


def net(one: Disbursement, names: Names) -> Decimal:
    return sum((Kept(names.payables[sale.key]).net for sale in one.sales), Decimal(0))


def transaction_id(key: str) -> str:
    """As the acquirer numbers its transactions."""
    return f"1292-{1_702_113_476 + int(key[2:])}-10985"


def write(made: list[Disbursement], names: Names, day: date) -> bytes:
    """The file of the disbursements of a day."""
    text = io.StringIO()
    out = csv.writer(text, lineterminator="\r\n")
    out.writerow(COLUMNS)
    for one in made:
        for sale in one.sales if one.day == day else ():
            kept = Kept(names.payables[sale.key])
            amounts = [f"{amount:.2f}" for amount in (kept.gross, *kept.parts, kept.net)]
            when = f"{sale.at:%Y-%m-%d %H:%M:%S}"
            out.writerow([transaction_id(sale.key), sale.key, when, f"{day}", *amounts])
    return text.getvalue().encode()
