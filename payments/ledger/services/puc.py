"""The PUC account (Colombian chart of accounts, Decreto 2650 of 1993) of each of our accounts.

The defaults are proposals. The accountant changes them in the console, for one account or for all
of a kind, with a reason: `change`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.db import transaction

from payments.core import audit
from payments.ledger.models import Account, Cost, PucCode

Kind = Account.Kind


class PucAccount(NamedTuple):
    """The names of the chart are Spanish, as accountants know them."""

    code: str
    name: str


# By kind, or by kind and owner.
DEFAULTS: Mapping[str, PucAccount] = {
    Kind.AVAILABLE: PucAccount("281505", "Valores recibidos para terceros"),
    Kind.HELD: PucAccount("281505", "Valores recibidos para terceros"),
    Kind.CLEARING: PucAccount("138020", "Cuentas por cobrar de terceros"),
    Kind.TRANSIT: PucAccount("111505", "Remesas en tránsito, moneda nacional"),
    Kind.BANK: PucAccount("111005", "Bancos, moneda nacional"),
    Kind.FEES: PucAccount("415030", "Comisiones"),
    Kind.TAXES: PucAccount("2408", "Impuesto sobre las ventas por pagar"),
    Kind.SUSPENSE: PucAccount("281595", "Ingresos recibidos para terceros, otros"),
    f"{Kind.SUSPENSE}:bank": PucAccount("238095", "Acreedores varios, otros"),
    Kind.CONVERSION: PucAccount("129595", "Otras inversiones, diversas"),
    Kind.LOSSES: PucAccount("531595", "Gastos extraordinarios, otros"),
    Kind.EQUITY: PucAccount("3705", "Utilidades acumuladas"),
    Kind.SANDBOX: PucAccount("839595", "Otras cuentas deudoras de control, diversas"),
    Kind.COSTS: PucAccount("530595", "Gastos financieros, otros"),
    f"{Kind.COSTS}:{Cost.BANK_COMMISSION}": PucAccount("530505", "Gastos bancarios"),
    f"{Kind.COSTS}:{Cost.PROVIDER_COMMISSION}": PucAccount("530515", "Comisiones"),
    f"{Kind.COSTS}:{Cost.VAT}": PucAccount("2408", "Impuesto sobre las ventas por pagar"),
    f"{Kind.COSTS}:{Cost.GMF}": PucAccount("511595", "Impuestos, otros"),
    f"{Kind.COSTS}:{Cost.CONSUMPTION_TAX}": PucAccount("511595", "Impuestos, otros"),
    f"{Kind.COSTS}:{Cost.INCOME_WITHHOLDING}": PucAccount("135515", "Retención en la fuente"),
    f"{Kind.COSTS}:{Cost.VAT_WITHHOLDING}": PucAccount("135517", "Impuesto a las ventas retenido"),
    f"{Kind.COSTS}:{Cost.ICA_WITHHOLDING}": PucAccount(
        "135518", "Impuesto de industria y comercio retenido"
    ),
    f"{Kind.COSTS}:{Cost.INTEREST}": PucAccount("421005", "Intereses"),
}


@dataclass(frozen=True, slots=True)
class PucTable:
    """All of them, read once for an export."""

    changed: Mapping[str, PucAccount]

    @classmethod
    def load(cls) -> "PucTable":
        rows = PucCode.objects.values_list("target", "code", "name")
        return cls({target: PucAccount(code, name) for target, code, name in rows})

    def of(self, kind: str, owner: str = "") -> PucAccount:
        """The accountant's choice for the account, then for its kind, then the defaults."""
        own = target_of(kind, owner)
        if owner and own in self.changed:
            return self.changed[own]
        # A default of one cost says more than the accountant's choice for all costs.
        if own in DEFAULTS and owner:
            return DEFAULTS[own]
        return self.changed.get(kind) or DEFAULTS[kind]


def target_of(kind: str, owner: str = "") -> str:
    return f"{kind}:{owner}" if owner else str(kind)


@transaction.atomic
def change(*, target: str, puc: PucAccount, actor: str, reason: str) -> PucCode:
    """Exports from now on have the new account. `target` as of target_of."""
    row, _ = PucCode.objects.update_or_create(target=target, defaults=puc._asdict())
    audit.record(
        actor=actor, action="ledger.puc_changed", subject=row, reason=reason, **puc._asdict()
    )
    return row
