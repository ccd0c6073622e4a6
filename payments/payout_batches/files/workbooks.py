"""Workbooks of Excel (XLSX). openpyxl reads the rows one by one, without formulas' results."""

import io
import zipfile
from collections.abc import Iterator
from datetime import date, time
from typing import Any

from payments.payout_batches.files import limits, nodes
from payments.payout_batches.files.sheets import FileRefused, Formula, Moment, Number, Row, Sheet

_ENCRYPTED = 0x1
_LARGEST_EXACT = 10**15


def read(content: bytes) -> Sheet:
    """The first visible sheet. Raises FileRefused."""
    _check_package(content)
    # Imported here, because the import takes 8 MB, and few processes read this format.
    from openpyxl import load_workbook

    try:
        book = load_workbook(io.BytesIO(content), read_only=True, data_only=False, keep_links=False)
        sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
        rows = list(_rows(sheets[0])) if sheets else []
    except FileRefused:
        raise
    except Exception:  # whatever a broken or malicious package makes of it
        raise FileRefused("broken_workbook") from None
    return Sheet(format="xlsx", rows=rows)


def _check_package(content: bytes) -> None:
    """A small file may say that it extracts to gigabytes, or lie about it: openpyxl reads parts
    through zipfile, which stops at the size that the directory declares.
    """
    try:
        package = zipfile.ZipFile(io.BytesIO(content))
        parts = package.infolist()
    except (zipfile.BadZipFile, OSError, ValueError):
        raise FileRefused("broken_workbook") from None
    names = {part.filename for part in parts}
    if "xl/workbook.xml" not in names:
        raise FileRefused("compressed")
    if any(part.flag_bits & _ENCRYPTED for part in parts):
        raise FileRefused("password")
    total = sum(part.file_size for part in parts)
    if total > limits.WORKBOOK_BYTES_MAX or len(parts) > limits.WORKBOOK_PARTS_MAX:
        raise _too_large()
    _check_nodes(package)


def _check_nodes(package: zipfile.ZipFile) -> None:
    """An element of four bytes, which compresses to nothing, takes hundreds of bytes once openpyxl
    has read it. So they are counted before.
    """
    counted = nodes.Count()
    try:
        for part in package.infolist():
            with package.open(part) as file:
                counted.read(file)
    except nodes.TooMany:
        raise _too_large() from None
    except Exception:  # as above
        raise FileRefused("broken_workbook") from None


def _too_large() -> FileRefused:
    return FileRefused("too_large", most=limits.FILE_BYTES_MAX // 1024 // 1024)


def _rows(sheet: Any) -> Iterator[Row]:
    # The size that the sheet declares may be a lie, or that of a formatted empty column.
    sheet.reset_dimensions()
    rows = sheet.iter_rows(max_col=limits.COLUMNS_MAX, max_row=limits.ROWS_MAX + 1)
    for number, cells in enumerate(rows, start=1):
        if number > limits.ROWS_MAX:
            raise FileRefused("too_many_lines", most=limits.LINES_MAX)
        texts = [_text(cell) for cell in cells]
        while texts and not texts[-1]:
            texts.pop()
        if texts:
            yield Row(number=number, cells=texts)


def _text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "f" or not isinstance(value, str | int | float | date | time):
        return Formula(str(value)[: limits.CELL_CHARACTERS_MAX])
    if isinstance(value, bool):
        return str(value).upper()
    if isinstance(value, date | time):
        return Moment(value.isoformat())
    if isinstance(value, int | float):
        return Number(_plain(value))
    text = " ".join(value.split())
    return Formula(text) if text.startswith("=") else text.removeprefix("'")


def _plain(value: float) -> str:
    """Excel keeps 15 digits. A longer number has lost some, and is shown as Excel shows it."""
    if abs(value) >= _LARGEST_EXACT:
        return f"{value:.5E}"
    whole = int(value)
    return str(whole) if whole == value else f"{value:.10f}".rstrip("0")
