"""The accepted names of columns (docs/settlement-files.md).

The header of a real file is not public. So every likely name counts, in Spanish and
English, and the arithmetic of each row proves that the columns were understood.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence

_NAMES = {
    "transaction_id": """
        id_transaccion id_de_la_transaccion id_de_transaccion transaccion_id transaction_id
        id_transaction numero_de_transaccion transaccion transaction
    """,
    "reference": """
        referencia referencia_de_pago referencia_pago referencia_de_la_transaccion
        referencia_transaccion reference payment_reference transaction_reference
    """,
    "day": """
        fecha_desembolso fecha_de_desembolso fecha_del_desembolso fecha_abono fecha_de_abono
        fecha_dispersion disbursement_date disbursed_at disbursed_on settlement_date
    """,
    "number": """
        id_desembolso id_del_desembolso id_de_desembolso desembolso_id numero_de_desembolso
        numero_desembolso disbursement_id id_disbursement disbursement
    """,
    "paid_on": """
        fecha_transaccion fecha_de_transaccion fecha_de_la_transaccion transaction_date
        fecha_pago fecha_de_pago fecha_venta finalized_at created_at fecha date
    """,
    "gross": """
        monto_bruto valor_bruto gross_amount gross monto_transaccion monto_de_la_transaccion
        valor_transaccion valor_de_la_transaccion transaction_amount valor_venta
        valor_total monto valor amount
    """,
    "commission": """
        comision comision_wompi comisiones valor_comision comision_sin_iva commission fee
        commission_amount
    """,
    "vat": """
        iva_comision iva_de_la_comision iva_de_comision iva_comision_wompi iva_comisiones
        commission_vat commission_iva vat_on_commission fee_vat commission_tax iva vat
    """,
    "ica_withheld": """
        reteica rete_ica retencion_ica retencion_de_ica retencion_en_la_fuente_ica
        valor_reteica ica ica_withholding
    """,
    "vat_withheld": """
        reteiva rete_iva retencion_iva retencion_de_iva retencion_en_la_fuente_iva
        valor_reteiva vat_withholding
    """,
    "income_tax_withheld": """
        retefuente rete_fuente reterenta rete_renta retencion_fuente retencion_en_la_fuente
        retencion_en_la_fuente_renta retencion_renta valor_retefuente income_tax_withholding
        withholding
    """,
    "consumption_tax": """
        impoconsumo impuesto_al_consumo impuesto_consumo valor_impoconsumo consumption_tax
        inc
    """,
    "net": """
        neto valor_neto monto_neto valor_desembolsado monto_desembolsado valor_a_desembolsar
        monto_a_desembolsar valor_desembolso monto_desembolso total_desembolsado
        total_a_desembolsar desembolsado valor_a_abonar net net_amount disbursed
        disbursed_amount disbursement_amount
    """,
}
# Of two columns with accepted names, the name that comes first here counts.
NAMES: Mapping[str, Sequence[str]] = {field: names.split() for field, names in _NAMES.items()}
# Without these a row cannot be checked.
REQUIRED = ("gross", "commission", "vat", "net")


class RepeatedColumn(ValueError):
    """Two columns have the same name."""


def normalised(name: str) -> str:
    """`IVA de la Comisión ($)` is `iva_de_la_comision`."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "_", plain).strip("_")


def places(cells: Sequence[str]) -> dict[str, int]:
    """{field: its column}. Raises RepeatedColumn."""
    columns = [normalised(cell) for cell in cells]
    found = {}
    for field, names in NAMES.items():
        name = next((name for name in names if name in columns), None)
        if name is None:
            continue
        if columns.count(name) > 1:
            raise RepeatedColumn(cells[columns.index(name)].strip())
        found[field] = columns.index(name)
    return found


def is_header(cells: Sequence[str]) -> bool:
    """Text before the header, such as the shop's name, is none."""
    columns = {normalised(cell) for cell in cells}
    return not columns.isdisjoint(NAMES["gross"]) and not columns.isdisjoint(NAMES["net"])
