"""What the contract says that an acquirer takes. It checks the file and is never the source."""

from dataclasses import dataclass
from datetime import date
from decimal import ROUND_DOWN, Decimal

from payments.reconciliation.models import DisbursementRow, ProviderTariff

CENT = Decimal("0.01")


@dataclass(frozen=True, slots=True, kw_only=True)
class TariffDifference:
    """name  of a deduction."""

    row: DisbursementRow
    name: str
    expected: Decimal
    declared: Decimal


def expected(tariff: ProviderTariff, gross: Decimal) -> dict[str, Decimal]:
    """Measured on files of an acquirer: it cuts off after the cent, and takes the IVA of the
    commission before that.
    """
    commission = tariff.rate * gross + tariff.fixed
    return {
        "commission": _cut(commission),
        "vat": _cut(tariff.vat_rate * commission),
        "income_tax_withheld": _cut(tariff.income_tax_rate * gross),
        "ica_withheld": _cut(tariff.ica_rate * gross),
    }


class Tariffs:
    """Those of one account, read once."""

    def __init__(self, account: str) -> None:
        rows = ProviderTariff.objects.filter(account=account)
        self._newest_first = list(rows.order_by("-first_day", "-pk"))

    def find(self, method: str, day: date) -> ProviderTariff | None:
        """The newest one of the method; else the newest one of all methods."""
        valid = [one for one in self._newest_first if one.first_day <= day]
        own = [one for one in valid if one.method == method]
        return next(iter(own or [one for one in valid if not one.method]), None)

    def differences(self, row: DisbursementRow) -> list[TariffDifference]:
        """Empty without a tariff, and for a payment that was taken back."""
        if not self._newest_first or row.is_reversal:
            return []
        tariff = self.find(row.charge.method if row.charge else "", row.paid_on)
        if tariff is None:
            return []
        return [
            TariffDifference(row=row, name=name, expected=amount, declared=getattr(row, name))
            for name, amount in expected(tariff, row.gross).items()
            if amount != getattr(row, name)
        ]


def _cut(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, rounding=ROUND_DOWN)
