"""The file formats. Rows become pieces that are stored, and a file is made of its pieces.

Neither the whole list nor the whole file is ever in memory.
"""

import io
import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import TYPE_CHECKING, Any, ClassVar
from xml.sax.saxutils import escape

from django.utils.timezone import localtime

from payments.console import csvtext
from payments.console.csvtext import Cell

if TYPE_CHECKING:
    from openpyxl import Workbook

# The rows below the header. A sheet has no more.
ROWS_OF_A_SHEET = 1_048_575
# Above these limits a spreadsheet silently drops digits and characters.
_DIGITS_MAX = 15
_CHARACTERS_MAX = 32_767
# Excel shows #### where a time does not fit.
_WIDTH = 20
_DAY = "dd/mm/yyyy"
_FIRST_DAY = datetime(1899, 12, 30)  # noqa: DTZ001
_SHEET = "xl/worksheets/sheet1.xml"
_END_OF_ROWS = b"</sheetData>"
_SIZE = re.compile(rb"<dimension [^>]*/>")
# Characters that XML cannot contain, but that a merchant may have sent.
_ILLEGAL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


class Csv:
    """UTF-8 with a byte order mark, by which Excel recognises UTF-8."""

    is_for_people: ClassVar[bool] = False
    suffix: ClassVar[str] = "csv"
    content_type: ClassVar[str] = "text/csv; charset=utf-8"

    def __init__(self, headers: Sequence[str]) -> None:
        self._headers = headers

    def piece(self, rows: Iterable[Sequence[Cell]], first: int) -> bytes:
        return "".join(csvtext.line(cells) for cells in rows).encode()

    def file(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        yield (csvtext.MARK + csvtext.line(self._headers)).encode()
        yield from pieces


class Xlsx:
    """One sheet with a frozen header. openpyxl makes everything but the rows.

    openpyxl would have to write its rows in one process without a break, with a Python object
    for each cell. Then no other worker could continue an export after a crash, and one export
    would delay the others for minutes.
    """

    is_for_people: ClassVar[bool] = True
    suffix: ClassVar[str] = "xlsx"
    content_type: ClassVar[str] = (
        "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
    )

    def __init__(self, headers: Sequence[str]) -> None:
        # Imported here, because the import takes 8 MB, and few processes write this format.
        from openpyxl import Workbook
        from openpyxl.styles import Font
        from openpyxl.utils import get_column_letter

        self._letters = [get_column_letter(place) for place in range(1, len(headers) + 1)]
        book = Workbook()
        sheet: Any = book.active
        for place, header in enumerate(headers, start=1):
            cell = sheet.cell(1, place, header)
            cell.font = Font(bold=True)
            sheet.column_dimensions[cell.column_letter].width = max(_WIDTH, len(header) + 4)
        sheet.freeze_panes = "A2"
        # Text stays text even when the cell is edited. Amounts are grouped by thousands.
        self._text, self._whole, self._fraction, self._time, self._day = (
            _style(sheet, number_format)
            for number_format in ("@", "#,##0", "#,##0.00######", f"{_DAY} hh:mm:ss", _DAY)
        )
        self._package = _saved(book)

    def piece(self, rows: Iterable[Sequence[Cell]], first: int) -> bytes:
        return "".join(
            self._row(number, cells) for number, cells in enumerate(rows, first + 2)
        ).encode()

    def file(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        head, end, tail = self._package[_SHEET].partition(_END_OF_ROWS)
        sink = _Sink()
        with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED, compresslevel=4) as package:
            for name, content in self._package.items():
                if name != _SHEET:
                    package.writestr(name, content)
            with package.open(_SHEET, "w") as sheet:
                sheet.write(head)
                for piece in pieces:
                    sheet.write(piece)
                    yield sink.drained()
                sheet.write(end + tail)
        yield sink.drained()

    def _row(self, number: int, cells: Sequence[Cell]) -> str:
        inside = "".join(
            self._cell(f"{letter}{number}", cell)
            for letter, cell in zip(self._letters, cells, strict=True)
            if cell is not None and cell != ""
        )
        return f'<row r="{number}">{inside}</row>'

    def _cell(self, place: str, cell: Cell) -> str:
        if isinstance(cell, bool):
            return f'<c r="{place}" t="b"><v>{int(cell)}</v></c>'
        if isinstance(cell, date):
            style = self._time if isinstance(cell, datetime) else self._day
            return f'<c r="{place}" s="{style}"><v>{_serial(cell)}</v></c>'
        text = csvtext.plain(cell)
        if isinstance(cell, Decimal | int) and _digits(text) <= _DIGITS_MAX:
            style = self._fraction if "." in text else self._whole
            return f'<c r="{place}" s="{style}"><v>{text}</v></c>'
        # An inline string is never a formula, whatever its first character.
        shown = escape(_ILLEGAL.sub("", text)[:_CHARACTERS_MAX])
        return (
            f'<c r="{place}" s="{self._text}" t="inlineStr">'
            f'<is><t xml:space="preserve">{shown}</t></is></c>'
        )


class _Sink(io.RawIOBase):
    """The target of a zip that is sent while it is written. It cannot seek and keeps no data."""

    def __init__(self) -> None:
        super().__init__()
        self._waiting = bytearray()

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._waiting += data
        return len(data)

    def drained(self) -> bytes:
        """Returns the bytes that were written since the last call."""
        content = bytes(self._waiting)
        self._waiting.clear()
        return content


def _style(sheet: Any, number_format: str) -> int:
    """The number of the cell style with this format. Leaves no cell in the sheet."""
    cell = sheet.cell(2, 1)
    cell.number_format = number_format
    number = int(cell.style_id)
    sheet.delete_rows(2)
    return number


def _saved(book: "Workbook") -> dict[str, bytes]:
    file = io.BytesIO()
    book.save(file)
    with zipfile.ZipFile(file) as package:
        files = {name: package.read(name) for name in package.namelist()}
    # The size that openpyxl writes would say that the sheet has only a header, and some readers
    # trust it.
    return {**files, _SHEET: _SIZE.sub(b"", files[_SHEET])}


def _serial(at: date) -> str:
    """The days since Excel's first one. Excel knows no zones: a time is in the local time."""
    if not isinstance(at, datetime):
        return str((at - _FIRST_DAY.date()).days)
    passed = localtime(at).replace(tzinfo=None, microsecond=0) - _FIRST_DAY
    return f"{passed.days + passed.seconds / 86_400:.8f}"


def _digits(text: str) -> int:
    return len(text.replace("-", "").replace(".", "").lstrip("0"))
