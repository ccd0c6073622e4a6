"""What a file is before its columns are known: rows of cells."""

from dataclasses import dataclass


class Number(str):
    """A number of a workbook as plain text, such as `1250000.5`. Its point is the decimal one."""

    __slots__ = ()


class Formula(str):
    """What a spreadsheet computes. The file may show another value than it was saved with."""

    __slots__ = ()


class Moment(str):
    """A date of a workbook, which Excel makes of texts such as `3-5`."""

    __slots__ = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """`number` counts from 1, as spreadsheets show it."""

    number: int
    cells: list[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """`rows` without the empty ones; the first has the headings."""

    format: str
    rows: list[Row]


class FileRefused(Exception):
    """The file is refused whole. `code` is one of faults.FILE_FAULTS, `values` are its figures."""

    def __init__(self, code: str, /, **values: object) -> None:
        super().__init__(f"{code} {values}")
        self.code = code
        self.values = values
