"""What a line says of its payer, against what the order says."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from payments.collect.models import Charge, Order
from payments.core.text import normalised_document
from payments.reconciliation.models import AwaitedTransfer, StatementLine
from payments.reconciliation.services.matching import texts
from payments.reconciliation.services.matching.values import Fact, fact

# Words of names that say nothing.
_FILL = {"DE", "DEL", "LA", "LAS", "LOS", "Y", "SAS", "SA", "LTDA", "CIA"}
_DIGITS = re.compile(r"\d{5,15}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Party:
    """Who pays, or who is paid."""

    name: str
    document: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Payer(Party):
    charge: Charge

    @property
    def order(self) -> Order:
        return self.charge.order


def read(transfers: Iterable[AwaitedTransfer]) -> Mapping[int, Payer]:
    """By the transfer's id. None for those of no charge."""
    by_charge = {one.charge_id: one.pk for one in transfers if one.charge_id}
    if not by_charge:
        return {}
    charges = Charge.objects.filter(pk__in=by_charge).select_related("order")
    return {by_charge[one.pk]: _payer(one) for one in charges}


def _payer(charge: Charge) -> Payer:
    given = charge.payer or {}
    order = charge.order
    document = given.get("document_number") or order.customer_doc_number
    return Payer(
        charge=charge,
        name=given.get("name") or order.customer_name or "",
        document=normalised_document(document),
    )


def amount_facts(line: StatementLine, transfer: AwaitedTransfer) -> Fact:
    missing = transfer.missing
    if line.amount == missing:
        return fact("amount", amount=line.amount)
    if missing == 0:
        return fact("paid_already", amount=transfer.amount)
    name = "amount_short" if line.amount < missing else "amount_above"
    return fact(name, amount=line.amount, missing=missing)


def compare(line: StatementLine, payer: Payer | None) -> tuple[list[Fact], list[Fact]]:
    """What agrees and what differs. A thing that one of them does not say is neither."""
    return ([], []) if payer is None else compare_party(line, payer)


def compare_party(line: StatementLine, payer: Party) -> tuple[list[Fact], list[Fact]]:
    agrees: list[Fact] = []
    differs: list[Fact] = []
    for found in (_document(line, payer), _name(line, payer)):
        if found is not None:
            (differs if found["fact"].endswith("differs") else agrees).append(found)
    return agrees, differs


def _document(line: StatementLine, payer: Party) -> Fact | None:
    if not payer.document:
        return None
    if line.document:
        is_same = same_document(line.document, payer.document)
        return fact("document" if is_same else "document_differs", document=payer.document)
    if len(payer.document) >= 6 and payer.document in _numbers(line.description):
        return fact("document", document=payer.document)
    return None


def same_document(one: str, other: str) -> bool:
    """Also where one of them has the check digit of a NIT, or zeros on the left."""
    first, second = (_bare(text) for text in (one, other))
    if first == second:
        return bool(first)
    longer, shorter = sorted((first, second), key=len, reverse=True)
    is_nit = len(shorter) == 9 and shorter.isdigit() and shorter[0] in "89"
    return is_nit and len(longer) == 10 and longer[:9] == shorter


def _bare(document: str) -> str:
    return normalised_document(document).upper().lstrip("0")


def _numbers(text: str) -> set[str]:
    return {found.lstrip("0") for found in _DIGITS.findall(text)}


def _name(line: StatementLine, payer: Party) -> Fact | None:
    wanted = words(payer.name)
    if len(wanted) < 2:
        return None
    if given := words(line.counterparty):
        if is_same_name(wanted, given):
            return fact("name", payer=payer.name)
        if len(wanted & given) >= 2:
            return fact("name_similar", payer=payer.name)
        return fact("name_differs", payer=payer.name, given=line.counterparty)
    if len(wanted) >= 3 and wanted <= words(line.description):
        return fact("name", payer=payer.name)
    return None


def is_same_name(wanted: set[str], given: set[str]) -> bool:
    """Banks leave out second names, and cut long ones: three words, or all words, agree."""
    common = wanted & given
    return wanted == given or (len(common) >= 3 and common in (wanted, given))


def words(name: str) -> set[str]:
    return {one for one in texts.words(name) if len(one) > 1 and one.isalpha()} - _FILL
