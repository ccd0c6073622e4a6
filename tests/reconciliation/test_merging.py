"""Which of several equal amounts of a day a line of another format is."""

from datetime import date
from decimal import Decimal

from payments.reconciliation.formats.values import ParsedLine
from payments.reconciliation.services.merging import TEXTS, StoredLine, merge

DAY, AMOUNT = date(2026, 1, 8), Decimal(70_000)
REFERENCE = "70000308842"


def read(number: int, description: str = "", reference: str = "") -> ParsedLine:
    return ParsedLine(
        line=number, booked_on=DAY, amount=AMOUNT, description=description, reference=reference
    )


def stored(pk: int, **texts: str) -> StoredLine:
    values = tuple(texts.get(name, "") for name in TEXTS)
    return StoredLine(id=pk, booked_on=DAY, amount=AMOUNT, texts=values, same_format=None)


def test_line_with_the_reference_in_its_text_is_the_stored_one_with_that_reference() -> None:
    lines = [read(1, "PAGO LLAVE FERNANDA"), read(2, f"PAGO LLAVE VIVIANA 00{REFERENCE}")]
    new, known = merge(lines, [stored(1, reference=REFERENCE)])
    assert [one.line.description for one in new] == ["PAGO LLAVE FERNANDA"]
    assert [(one.line.line, one.stored.id) for one in known] == [(2, 1)]


def test_stored_text_with_the_reference_gets_the_line_with_that_reference() -> None:
    both = [
        stored(1, description="PAGO LLAVE FERNANDA"),
        stored(
            2, description=f"PAGO LLAVE VIVIANA {REFERENCE[:4]} {REFERENCE[4:8]} {REFERENCE[8:]}"
        ),
    ]
    new, known = merge([read(1, reference=REFERENCE)], both)
    assert not new
    assert [(one.stored.id, one.fills) for one in known] == [(2, {"reference": REFERENCE})]


def test_nobodys_name_is_given_to_a_movement_that_may_be_of_another_payer() -> None:
    lines = [read(1, "PAGO DE FERNANDA 1020304050"), read(2, "PAGO DE VIVIANA 52001002")]
    new, known = merge(lines, [stored(1, reference=REFERENCE)])
    assert [one.fills for one in known] == [{}]
    assert [one.line.description for one in new] == ["? PAGO DE FERNANDA ... / PAGO DE VIVIANA ..."]
    assert new[0].line.reference == new[0].line.document == ""


def test_reference_is_given_to_no_movement_that_may_be_of_another_payer() -> None:
    both = [stored(1, description="PAGO DE FERNANDA"), stored(2, description="PAGO DE VIVIANA")]
    new, known = merge([read(1, reference=REFERENCE)], both)
    assert not new
    assert [one.fills for one in known] == [{}]


def test_only_movement_of_its_amount_is_the_same_one_and_learns_the_text() -> None:
    new, known = merge([read(1, "PAGO DE FERNANDA")], [stored(1, reference=REFERENCE)])
    assert not new
    assert [one.fills for one in known] == [{"description": "PAGO DE FERNANDA"}]
