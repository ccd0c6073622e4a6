"""CAMT.053, the statement of ISO 20022."""

from datetime import date
from decimal import Decimal

import pytest

from payments.reconciliation.formats.values import FileRefused

from .samples import BATCH_ENTRY, SINGLE_ENTRY, amounts, camt, read

SINGLE = camt(SINGLE_ENTRY, closing="251000.00")
BATCH = camt(BATCH_ENTRY, version="02", closing="699.50")


def refusal(content: str | bytes) -> FileRefused:
    with pytest.raises(FileRefused) as refused:
        read(content)
    return refused.value


def test_entry_is_read():
    statement = read(SINGLE)

    assert statement.format == "CAMT_053"
    assert statement.account_number == "12345678901"
    assert (statement.first_day, statement.last_day) == (date(2026, 3, 1), date(2026, 3, 3))
    assert (statement.opening, statement.closing) == (Decimal(1000), Decimal(251000))
    (line,) = statement.lines
    # 02:30 in Greenwich is the evening before in Bogotá.
    assert line.booked_on == date(2026, 3, 2)
    assert line.amount == Decimal(250000)
    assert line.reference == "987654321"
    assert line.description == "Pago pedido 1"
    assert (line.counterparty, line.document) == ("Ana Prueba", "1099888777")
    assert (line.code, line.operation_id) == ("PMNT-RCDT-ESCT", "OP-1")


def test_transactions_of_a_batch_are_movements():
    statement = read(BATCH)

    assert amounts(statement) == [Decimal("-100"), Decimal("-200.50")]
    first, second = statement.lines
    assert (first.line, second.line) == (1, 2)
    assert (first.reference, first.counterparty) == ("12", "Luis Prueba")
    assert first.operation_id == "B-7/1"
    assert second.operation_id == "B-7-2"
    assert second.reference == ""
    assert {line.description for line in statement.lines} == {"DISPERSION NOMINA"}


@pytest.mark.parametrize("version", ["02", "04", "06", "08", "10", "13"])
def test_every_version_is_read(version):
    assert len(read(camt(SINGLE_ENTRY, version, closing="251000.00")).lines) == 1


def test_pending_entries_are_no_movements():
    pending = SINGLE_ENTRY.replace("BOOK", "PDNG")
    assert read(camt(pending, closing="1000.00")).lines == []


def test_closing_balance_of_the_day_before_opens():
    content = SINGLE.replace("OPBD", "PRCD").replace("<Dt>2026-03-01</Dt>", "<Dt>2026-02-28</Dt>")
    statement = read(content)
    assert statement.opening == Decimal(1000)
    assert statement.first_day == date(2026, 3, 1)


def test_document_in_an_envelope_and_with_prefixes_is_read():
    body = SINGLE.split("?>", 1)[1]
    assert len(read(f"<Envelope><Header/>{body}</Envelope>").lines) == 1
    prefixed = body.replace("</", "</c:").replace("<", "<c:").replace("<c:/c:", "</c:")
    prefixed = prefixed.replace("xmlns=", "xmlns:c=")
    assert read(prefixed).lines == read(SINGLE).lines


def test_encoding_of_the_declaration_is_used():
    content = SINGLE.replace("Ana Prueba", "Ana Peña")
    for name in ("iso-8859-1", "utf-16", "windows-1252"):
        encoded = content.replace('"UTF-8"', f'"{name}"').encode(name)
        assert read(encoded).lines[0].counterparty == "Ana Peña"


def test_totals_of_the_summary_are_checked():
    def with_summary(count: str, total: str) -> str:
        summary = (
            f"<TxsSummry><TtlCdtNtries><NbOfNtries>{count}</NbOfNtries><Sum>{total}</Sum>"
            "</TtlCdtNtries></TxsSummry>"
        )
        return SINGLE.replace(SINGLE_ENTRY, summary + SINGLE_ENTRY)

    assert len(read(with_summary("1", "250000.00")).lines) == 1
    assert "says 2" in refusal(with_summary("2", "250000.00")).reason
    assert "250000.01" in refusal(with_summary("1", "250000.01")).reason
    assert "-1" in refusal(with_summary("-1", "250000.00")).reason


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (SINGLE.replace(">251000.00<", ">251000.01<"), "251,000.01"),
        (SINGLE.replace(">250000.00<", ">250000.005<"), "250000.005"),
        (SINGLE.replace(">250000.00<", ">-250000.00<"), "-250000.00"),
        (SINGLE.replace(">250000.00<", ">1E5<"), "1E5"),
        (SINGLE.replace(">250000.00<", ">NaN<"), "NaN"),
        (SINGLE.replace(">250000.00<", f">{'9' * 30}<"), "9" * 30),
        (SINGLE.replace(">250000.00<", ">２50000<"), "２50000"),
        (SINGLE.replace('Ccy="COP">250000', 'Ccy="USD">250000'), "USD"),
        (SINGLE.replace("<Ccy>COP", "<Ccy>USD"), "USD"),
        (SINGLE.replace("<Cd>BOOK", "<Cd>XXXX"), "XXXX"),
        (SINGLE.replace("2026-03-03T02:30:00Z", "2026-02-30T02:30:00Z"), "2026-02-30"),
        (SINGLE.replace("CLBD", "ITBD"), "CLBD"),
        (SINGLE.replace("<Othr><Id>12345678901</Id></Othr>", ""), "no account"),
        (SINGLE.replace("camt.053", "camt.054"), "camt.054"),
        (SINGLE.replace("urn:iso:std:iso:20022:tech:xsd:camt.053", "urn:other"), "not CAMT.053"),
        (SINGLE[: len(SINGLE) // 2], "broken"),
        (BATCH.replace(">100.00<", ">100.01<"), "300.51"),
        (BATCH.replace("<NbOfTxs>2<", "<NbOfTxs>3<"), "says 3"),
        (BATCH.replace("<NbOfTxs>2<", "<NbOfTxs>-2<"), "-2"),
    ],
)
def test_statement_with_a_wrong_value_is_refused(content, words):
    assert content not in (SINGLE, BATCH)
    assert words in refusal(content).reason


def test_refusal_names_the_entry():
    two = SINGLE_ENTRY + SINGLE_ENTRY.replace(">CRDT<", ">CREDIT<")
    assert refusal(camt(two)).reason == "Entry 2: “CREDIT” is neither CRDT nor DBIT."


@pytest.mark.parametrize(
    "declaration",
    [
        '<!DOCTYPE d [<!ENTITY a "x">]>',
        '<!DOCTYPE d [<!ENTITY a SYSTEM "file:///etc/passwd">]>',
        '<!DOCTYPE d SYSTEM "http://example.com/a.dtd">',
        '<!DOCTYPE d [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">]>',
    ],
)
def test_document_types_and_entities_are_refused(declaration):
    content = SINGLE.replace("?>", f"?>{declaration}", 1)
    assert "document type or entities" in refusal(content).reason
    in_utf_16 = content.replace("UTF-8", "UTF-16").encode("utf-16")
    assert "document type or entities" in refusal(in_utf_16).reason


def test_xml_of_many_different_elements_does_not_fill_the_memory():
    content = SINGLE.replace("<GrpHdr>", "<GrpHdr>" + "".join(f"<a{n}/>" for n in range(20_000)))
    assert "too many different elements" in refusal(content).reason


def test_deeply_nested_xml_is_refused():
    content = SINGLE.replace("<GrpHdr>", "<GrpHdr>" + "<a>" * 100)
    assert "nested too deeply" in refusal(content).reason
