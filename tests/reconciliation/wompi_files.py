"""Settlement files as Wompi may write them, from docs/settlement-files.md."""

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal

HEADER = (
    "ID transacción,Referencia,Fecha transacción,Fecha desembolso,Monto,Comisión,IVA comisión,"
    "ReteICA,ReteIVA,Retefuente,Impoconsumo,Valor desembolsado"
)
DAY = date(2026, 3, 3)


@dataclass
class Sale:
    """Of Wompi's tariff for cards in rails.md: 2.35 % + 400, IVA 19 %, retefuente 1.5 %."""

    transaction_id: str
    gross: Decimal
    reference: str = ""
    paid_on: date = date(2026, 3, 2)
    day: date = DAY
    ica: Decimal = Decimal(0)
    changes: dict[str, Decimal] = field(default_factory=dict)

    @property
    def cells(self) -> list[str]:
        commission = self.gross * Decimal("0.0235") + 400
        taken = {
            "commission": cut(commission),
            "vat": cut(commission * Decimal("0.19")),
            "ica": self.ica,
            "vat_withheld": Decimal(0),
            "income": cut(self.gross * Decimal("0.015")),
            "consumption": Decimal(0),
        }
        taken.update({name: value for name, value in self.changes.items() if name != "net"})
        net = self.changes.get("net", self.gross - sum(taken.values()))
        amounts = [self.gross, *taken.values(), net]
        return [
            self.transaction_id,
            self.reference,
            f"{self.paid_on} 14:03:11",
            f"{self.day}",
            *(f"{amount:.2f}" for amount in amounts),
        ]

    @property
    def net(self) -> Decimal:
        return Decimal(self.cells[-1])


def cut(amount: Decimal) -> Decimal:
    return Decimal(int(amount * 100)) / 100


def text(*sales: Sale, header: str = HEADER) -> str:
    return "\r\n".join([header, *(",".join(sale.cells) for sale in sales), ""])


def data(*sales: Sale, header: str = HEADER) -> bytes:
    return text(*sales, header=header).encode()


def sale(number: int, gross: str = "50000", **changes: object) -> Sale:
    return Sale(f"1292-{1602113476 + number}-10985", Decimal(gross), **changes)
