"""Which files are read at all: encodings, line ends, sizes, other kinds of files."""

import gzip
import io
import tracemalloc
import zipfile

import openpyxl
import pytest

from payments.reconciliation import formats
from payments.reconciliation.formats.values import FileRefused

from .samples import ASOBANCARIA, BANCOLOMBIA, BOGOTA, MT940, OWN_CSV, TODAY, read


def refusal(content: str | bytes) -> FileRefused:
    with pytest.raises(FileRefused) as refused:
        read(content)
    return refused.value


def zipped(name: str, content: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(name, content)
    return file.getvalue()


def workbook() -> bytes:
    file = io.BytesIO()
    openpyxl.Workbook().save(file)
    return file.getvalue()


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "latin-1", "utf-16", "utf-16-le", "utf-16-be"]
)
def test_encodings_of_banks_are_recognised(encoding):
    statement = read(OWN_CSV.encode(encoding))
    assert statement.lines[1].description == "Comisión, marzo"
    assert statement.lines[1].line == 4


@pytest.mark.parametrize("ends", [("\n",), ("\r\n",), ("\r",), ("\r\n", "\n", "\r")])
@pytest.mark.parametrize("content", [ASOBANCARIA, BANCOLOMBIA, OWN_CSV, MT940])
def test_line_ends_may_be_mixed(content, ends):
    lines = content.replace("\r\n", "\n").splitlines()
    mixed = "".join(line + ends[at % len(ends)] for at, line in enumerate(lines))
    assert read(mixed) == read(content)


def test_blank_lines_at_the_end_are_no_lines():
    for content in (ASOBANCARIA, BANCOLOMBIA, MT940):
        assert read(content + "\r\n\r\n") == read(content)


def test_file_is_read_from_an_open_file_that_stays_open():
    file = io.BytesIO(OWN_CSV.encode())
    assert formats.parse(file, today=TODAY) == read(OWN_CSV)
    file.seek(0)
    assert file.read() == OWN_CSV.encode()


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        (b"", None, "empty"),
        (b" \r\n\r\n", None, "empty"),
        (zipped("a.csv", BANCOLOMBIA.encode()), None, "compressed (zip)"),
        (zipped("bomb.csv", b"0" * 10_000_000), None, "compressed (zip)"),
        (workbook(), None, "Excel workbook"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 512, None, "Excel workbook"),
        (gzip.compress(BANCOLOMBIA.encode()), None, "gzip"),
        (b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n", None, "PDF"),
        ("\n <!DOCTYPE html><html><body>Sesión", None, "web page"),
        ("<html><table><tr><td>1", None, "web page"),
        ("<html>Sesión".encode("utf-16"), None, "web page"),
        ("<ofx></ofx>", None, "not CAMT.053"),
        ('{"movimientos": []}', None, "movimientos"),
        ("Hola,esto,es,otra,cosa\n1,2,3,4,5\n", None, "Hola,esto,es,otra,cosa"),
        ("date,amount\n", None, "no movements"),
        (BOGOTA.splitlines()[0], None, "no movements"),
        (OWN_CSV.replace("Pago", "Pa\x00go"), 3, "U+0000"),
        (OWN_CSV.replace("Pago", "Pa\x1bgo"), 3, "U+001B"),
        (OWN_CSV.replace("Pago", "Pa\u202ego"), 3, "U+202E"),
        (OWN_CSV.encode("cp1252").replace(b"Pago", b"Pa\x81go"), None, "not text"),
        (OWN_CSV.encode("utf-16")[:-1], None, "not text"),
        (OWN_CSV.encode("utf-32"), 1, "U+0000"),
        (bytes(range(256)) * 20, None, ""),
    ],
)
def test_other_files_are_refused_with_what_they_are(content, line, words):
    refused = refusal(content)
    assert refused.line == line or not words
    assert words in refused.reason


def test_file_above_the_limits_is_refused_before_it_is_held(settings):
    row = "12345678901,1,,20260302,,1.00,1,PAGO,0\n"

    settings.BANK_STATEMENT_MAX_LINES = 1000
    assert len(read(row * 1000).lines) == 1000
    assert "more than 1000 movements" in refusal(row * 1001).reason
    ten_millions = io.BytesIO(b"x\n" * 10_000_000)
    tracemalloc.start()
    with pytest.raises(FileRefused, match="more than 10000 lines"):
        formats.parse(ten_millions, today=TODAY)
    assert tracemalloc.get_traced_memory()[1] < 3_000_000
    tracemalloc.stop()

    settings.BANK_STATEMENT_MAX_BYTES = 100
    assert "4000 bytes, and at most 100" in refusal("x" * 4000).reason


@pytest.mark.parametrize("content", [ASOBANCARIA, BANCOLOMBIA, OWN_CSV, MT940])
def test_file_that_was_cut_anywhere_is_never_read_with_another_total(content):
    """It is refused, or what is left is a whole file with fewer lines at its end."""
    whole = read(content)
    for end in range(len(content) - 1, 0, -7):
        try:
            part = read(content[:end])
        except FileRefused:
            continue
        # The last line of a file of rows may be cut in its last column.
        assert [line.amount for line in part.lines] == [
            line.amount for line in whole.lines[: len(part.lines)]
        ]
