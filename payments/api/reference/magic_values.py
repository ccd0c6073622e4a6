"""The magic values of the simulator, from the tables of docs/simulator.md, their only source."""

import re
from dataclasses import dataclass
from functools import cache

from django.conf import settings

from payments.api.reference.catalogue import PRODUCTS
from payments.api.reference.parts import Part

MANUAL = settings.BASE_DIR / "docs" / "simulator.md"
# The sections of docs/simulator.md with such tables, and their parts.
SECTIONS = {part.magic_title: part for part in PRODUCTS if part.magic_title}
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Table:
    """Cells are text with codes in backticks."""

    part: Part
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@cache
def tables() -> tuple[Table, ...]:
    """The tables. Empty if docs/simulator.md or the simulator is missing."""
    if settings.PAYIN_PROVIDER != "simulator" or not MANUAL.is_file():
        return ()
    _intro, *parts = _SECTION.split(MANUAL.read_text())
    return tuple(
        _table(SECTIONS[section], found[0])
        for section, text in zip(parts[::2], parts[1::2], strict=True)
        if section in SECTIONS
        for found in _TABLE.finditer(text)
    )


def _table(part: Part, text: str) -> Table:
    head, _line, *rows = (
        tuple(cell.strip() for cell in line.strip("|").split("|")) for line in text.splitlines()
    )
    return Table(part, head, tuple(rows))
