"""What files are read, and which are refused whole."""

import io
import zipfile
from typing import Any
from unittest import mock

import pytest

from payments.payout_batches.files import limits
from payments.payout_batches.files.headings import recognise
from payments.payout_batches.files.reading import read_sheet
from payments.payout_batches.files.sheets import FileRefused, Formula, Moment, Number
from tests.payout_batches import flow


def _refusal(content: bytes) -> str:
    with pytest.raises(FileRefused) as refused:
        recognise(read_sheet(content).rows[0].cells)
    return refused.value.code


@pytest.mark.parametrize("separator", [";", ",", "\t", "|"])
def test_separator_is_recognised(separator: str) -> None:
    text = f'Nombre{separator}Valor\n"Ana{separator} hija"{separator}"1.000"\n'
    rows = read_sheet(text.encode()).rows
    name = " ".join(f"Ana{separator} hija".split())
    assert [row.cells for row in rows] == [["Nombre", "Valor"], [name, "1.000"]]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
def test_encoding_is_recognised(encoding: str) -> None:
    rows = read_sheet("Descripción;Valor\r\nPeña Ñañez;1.000\r\n".encode(encoding)).rows
    assert rows[0].cells == ["Descripción", "Valor"]
    assert rows[1].cells == ["Peña Ñañez", "1.000"]


def test_separator_that_the_file_declares_counts_and_lines_keep_their_numbers() -> None:
    rows = read_sheet(b"sep=,\nNombre,Valor\n\nAna;hija,1000\n").rows
    assert [(row.number, row.cells) for row in rows] == [
        (2, ["Nombre", "Valor"]),
        (4, ["Ana;hija", "1000"]),
    ]


def test_apostrophe_of_a_text_is_no_part_of_it() -> None:
    assert read_sheet(b"Nombre;Llave\nAna;'@anaperez\n").rows[1].cells == ["Ana", "@anaperez"]


def test_headings_are_recognised_in_both_languages_and_any_order() -> None:
    spanish = recognise(["VALOR A PAGAR", "Cédula", "Tipo doc.", "Nombre", "No. cuenta", "Sede"])
    assert spanish.places == {
        "amount": 0,
        "doc_number": 1,
        "doc_type": 2,
        "recipient_name": 3,
        "account_number": 4,
    }
    assert spanish.ignored == ("Sede",)
    english = recognise(["Name", "Document type", "Document number", "Bre-B key", "Amount"])
    assert list(english.places) == [
        "recipient_name",
        "doc_type",
        "doc_number",
        "key_value",
        "amount",
    ]


def test_workbook_keeps_what_each_cell_is() -> None:
    import datetime

    content = flow.workbook(
        [["00123", 123, 1250000.5, 3001234567890123456, "=A2+1", datetime.date(2026, 3, 5), True]],
        headings="A;B;C;D;E;F;G",
    )
    cells = read_sheet(content).rows[1].cells
    assert cells == [
        *("00123", "123", "1250000.5", "3.00123E+18", "=A2+1", "2026-03-05T00:00:00", "TRUE")
    ]
    assert [type(cell) for cell in cells[:6]] == [str, Number, Number, Number, Formula, Moment]


def _zip(**parts: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, content in parts.items():
            package.writestr(name.replace("__", "/").replace("_xml", ".xml"), content)
    return file.getvalue()


BOMB = _zip(xl__workbook_xml=b"<x/>", xl__worksheets__sheet1_xml=b"0" * (70 * 2**20))


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b" \n\n", "empty"),
        (b"%PDF-1.7 ...", "pdf"),
        (b"\xd0\xcf\x11\xe0 old", "old_workbook"),
        (b"\x1f\x8b zipped", "compressed"),
        (_zip(nomina_csv=b"a;b"), "compressed"),
        (_zip(xl__workbook_xml=b"<broken"), "broken_workbook"),
        (b"PK\x03\x04 no zip", "broken_workbook"),
        (BOMB, "too_large"),
        (b"a" * (limits.FILE_BYTES_MAX + 1), "too_large"),
        (b"<html><body>Sesi\xc3\xb3n</body></html>", "web_page"),
        (b"Nombre;Valor\nAna\x00;1\n", "control_character"),
        (b"\xff\xfeN\x00o", "encoding"),
        (b"Nombre;Valor\n", "headings_missing"),
        (b"Nombre;Beneficiario;Valor\n", "heading_twice"),
        (b"x" + b";" * 100, "too_many_columns"),
        (b"a;b\n" + b"1;2\n" * 10_001, "too_many_lines"),
    ],
)
def test_file_that_is_no_list_of_payments_is_refused_with_the_reason(
    content: bytes, code: str
) -> None:
    assert _refusal(content) == code


def test_workbook_that_declares_a_million_rows_costs_its_own_lines_only() -> None:
    content = flow.workbook([["Ana", "1"]], headings="Nombre;Valor")
    source, changed = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(changed, "w") as package:
        for name in source.namelist():
            part = source.read(name).replace(b'ref="A1:B2"', b'ref="A1:XFD1048576"')
            package.writestr(name, part)
    assert len(read_sheet(changed.getvalue()).rows) == 2


def _with_sheet(sheet: bytes) -> bytes:
    """A workbook whose first sheet has this XML between the tags of its data."""
    content = flow.workbook([["Ana", "1"]], headings="Nombre;Valor")
    source, changed = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(changed, "w", zipfile.ZIP_DEFLATED) as package:
        for name in source.namelist():
            part = source.read(name)
            if name.endswith("sheet1.xml"):
                before, rest = part.split(b"<sheetData>")
                after = rest.partition(b"</sheetData>")[2]
                part = b"<sheetData>".join((before, sheet)) + b"</sheetData>" + after
            package.writestr(name, part)
    return changed.getvalue()


@pytest.mark.parametrize(
    "sheet",
    [
        b"<row>" + b"<c/>" * 250_000 + b"</row>",
        b"<row>" + (b"<c/>" * 20_000 + b"<row/>") * 12 + b"</row>",
        b"<row/>" * 3_000_001,
        b"<row>" + b"".join(b'<c a%d=""/>' % n for n in range(150_000)) + b"</row>",
        b"<row " + b"".join(b'a%d="" ' % n for n in range(50_000)) + b"/>",
    ],
    ids=["a row of cells", "rows in a row", "rows", "attributes", "a tag"],
)
def test_workbook_whose_elements_would_fill_the_memory_is_refused(sheet: bytes) -> None:
    content = _with_sheet(sheet)
    assert len(content) < limits.FILE_BYTES_MAX
    with mock.patch("openpyxl.load_workbook") as load:
        assert _refusal(content) == "too_large"
    load.assert_not_called()


def test_long_text_and_many_columns_of_a_workbook_are_read() -> None:
    cell = b'<c t="inlineStr"><is><t>' + b"a" * 400_000 + b"</t></is></c>"
    row = read_sheet(_with_sheet(b"<row>" + cell + b"<c/>" * 16_000 + b"</row>")).rows[0]
    assert [len(text) for text in row.cells] == [400_000]


def test_line_with_a_million_empty_rows_above_it_is_refused() -> None:
    content = flow.workbook([["Ana", "1"]], headings="Nombre;Valor")
    source, changed = zipfile.ZipFile(io.BytesIO(content)), io.BytesIO()
    with zipfile.ZipFile(changed, "w") as package:
        for name in source.namelist():
            part: Any = source.read(name)
            if name.endswith("sheet1.xml"):
                part = part.replace(b'<row r="2"', b'<row r="1048000"')
                part = part.replace(b'r="A2"', b'r="A1048000"').replace(b'r="B2"', b'r="B1048000"')
            package.writestr(name, part)
    assert _refusal(changed.getvalue()) == "too_many_lines"
