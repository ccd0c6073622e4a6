"""Decides what a file is by its first bytes, and reads its rows."""

from payments.payout_batches.files import csv_files, limits, workbooks
from payments.payout_batches.files.sheets import FileRefused, Sheet

_ZIP = b"PK\x03\x04"
_OTHERS = {
    b"\xd0\xcf\x11\xe0": "old_workbook",
    b"%PDF": "pdf",
    b"\x1f\x8b": "compressed",
    b"Rar!": "compressed",
    b"7z\xbc\xaf": "compressed",
    b"BZh": "compressed",
}


def read_sheet(content: bytes) -> Sheet:
    """Raises FileRefused."""
    if not content.strip():
        raise FileRefused("empty")
    if len(content) > limits.FILE_BYTES_MAX:
        raise FileRefused("too_large", most=limits.FILE_BYTES_MAX // 1024 // 1024)
    for start, code in _OTHERS.items():
        if content.startswith(start):
            raise FileRefused(code)
    sheet = workbooks.read(content) if content.startswith(_ZIP) else csv_files.read(content)
    if not sheet.rows:
        raise FileRefused("empty")
    if len(sheet.rows) - 1 > limits.LINES_MAX:
        raise FileRefused("too_many_lines", most=limits.LINES_MAX)
    return sheet
