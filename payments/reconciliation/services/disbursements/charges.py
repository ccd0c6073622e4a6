"""Which payment of ours a row of a settlement file is, and what the acquirer kept of it."""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal

from payments.collect.models import Charge
from payments.core import money
from payments.core.ids import has_id_shape
from payments.rails.models import WireReference
from payments.reconciliation.settlement_formats.values import ParsedPayment

# Ids of one query.
CHUNK = 5000
TAX_NAMES = {
    "vat": "IVA",
    "ica_withheld": "reteICA",
    "vat_withheld": "reteIVA",
    "income_tax_withheld": "retefuente",
    "consumption_tax": "impoconsumo",
}


def find_charges(account: str, payments: Iterable[ParsedPayment]) -> dict[int, str]:
    """{line of the file: id of the charge}.

    By the acquirer's id of the payment; else by the reference that the acquirer got from us.
    """
    rows = list(payments)
    by_id = _by_provider_id(account, {row.transaction_id for row in rows if row.transaction_id})
    rest = [row for row in rows if row.transaction_id not in by_id and row.reference]
    by_reference = _by_reference(account, {row.reference for row in rest})
    found = {row.line: by_id.get(row.transaction_id) for row in rows}
    found |= {row.line: by_reference.get(row.reference) for row in rest}
    return {line: charge for line, charge in found.items() if charge}


def keep_fees(charges: Mapping[int, str], payments: Iterable[ParsedPayment]) -> None:
    """Stores the fee of each payment with its charge. The file is newer than any report.

    Call it inside a transaction. It locks the charges.
    """
    kept = {charges[row.line]: row for row in payments if row.line in charges and row.gross > 0}
    for ids in _chunks(kept):
        rows = Charge.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
        changed = list(rows.only("pk"))
        for charge in changed:
            taken = kept[charge.pk].deductions
            charge.provider_fee = taken.get("commission", Decimal(0))
            charge.provider_taxes = [
                {"name": name, "amount": money.text(taken[field])}
                for field, name in TAX_NAMES.items()
                if taken.get(field)
            ]
        Charge.objects.bulk_update(changed, ["provider_fee", "provider_taxes"], batch_size=500)


def _by_provider_id(account: str, ids: set[str]) -> dict[str, str]:
    found: dict[str, str] = {}
    for chunk in _chunks(ids):
        # A charge to which an operator applied money is not the one that the rail knows.
        rows = Charge.objects.filter(provider_id__in=chunk, provider=account, origin=None)
        found |= dict(rows.values_list("provider_id", "pk"))
    return found


def _by_reference(account: str, references: set[str]) -> dict[str, str]:
    """Our ids are references, too."""
    found = {text: text for text in references if has_id_shape(text)}
    for chunk in _chunks(references - set(found)):
        rows = WireReference.objects.filter(wire_reference__in=chunk, account=account)
        found |= dict(rows.values_list("wire_reference", "reference"))
    known: set[str] = set()
    for chunk in _chunks(set(found.values())):
        known |= set(Charge.objects.filter(pk__in=chunk).values_list("pk", flat=True))
    return {reference: charge for reference, charge in found.items() if charge in known}


def _chunks(ids: Iterable[str]) -> Iterator[list[str]]:
    ordered = sorted(ids)
    for start in range(0, len(ordered), CHUNK):
        yield ordered[start : start + CHUNK]
