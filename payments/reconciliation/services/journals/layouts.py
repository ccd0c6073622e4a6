"""Columns of the files for accountants (docs/operations/bank.md, Exports)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from payments.console.csvtext import Cell
from payments.reconciliation.services.journals.entries import JournalLine

# The 27 columns of the template of Siigo Nube. Two have spaces at their end, as the template has.
SIIGO = (
    "Tipo de comprobante",
    "Consecutivo comprobante",
    "Fecha de elaboración ",
    "Sigla moneda",
    "Tasa de cambio",
    "Código cuenta contable",
    "Identificación tercero",
    "Sucursal",
    "Código producto",
    "Código de bodega",
    "Acción",
    "Cantidad producto",
    "Prefijo",
    "Consecutivo",
    "No. cuota",
    "Fecha vencimiento",
    "Código impuesto",
    "Código grupo activo fijo",
    "Código activo fijo",
    "Descripción",
    "Código centro/subcentro de costos",
    "Débito",
    "Crédito",
    "Observaciones",
    "Base gravable libro compras/ventas  ",
    "Base exenta libro compras/ventas",
    "Mes de cierre",
)
# A voucher of accounting in Siigo. The accountant's number of it may be another one.
SIIGO_VOUCHER = 1
TEXT_MAX = 100


@dataclass(frozen=True, slots=True)
class Layout:
    headers: Sequence[str]
    cells: Callable[[JournalLine], Sequence[Cell]]


def _plain(line: JournalLine) -> Sequence[Cell]:
    return (
        line.entry,
        line.day,
        line.puc,
        line.puc_name,
        line.account,
        line.third_party,
        line.description,
        line.record,
        line.debit,
        line.credit,
    )


def _siigo(line: JournalLine) -> Sequence[Cell]:
    given: dict[str, Cell] = {
        "Tipo de comprobante": SIIGO_VOUCHER,
        "Consecutivo comprobante": line.entry,
        "Fecha de elaboración ": f"{line.day:%d/%m/%Y}",
        "Código cuenta contable": line.puc,
        "Identificación tercero": line.third_party,
        "Descripción": line.description[:TEXT_MAX],
        "Débito": line.debit or None,
        "Crédito": line.credit or None,
        "Observaciones": line.record,
    }
    return [given.get(header) for header in SIIGO]


def _alegra(line: JournalLine) -> Sequence[Cell]:
    return (
        line.entry,
        f"{line.day:%d/%m/%Y}",
        line.puc,
        line.third_party,
        line.description[:TEXT_MAX],
        line.debit or None,
        line.credit or None,
        line.record,
    )


_PLAIN_HEADERS = (
    *("entry", "day", "puc", "pucName", "account", "thirdParty"),
    *("description", "record", "debit", "credit"),
)
_ALEGRA_HEADERS = (
    *("Número", "Fecha", "Cuenta contable", "Contacto"),
    *("Descripción", "Débito", "Crédito", "Observaciones"),
)
LAYOUTS: Mapping[str, Layout] = {
    "journal": Layout(_PLAIN_HEADERS, _plain),
    "siigo": Layout(SIIGO, _siigo),
    "alegra": Layout(_ALEGRA_HEADERS, _alegra),
}
