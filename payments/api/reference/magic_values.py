"""The magic values of the simulator, from the tables of docs/simulator.md, their only source."""

import re
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.safestring import SafeString

from payments.api.reference.catalogue import PRODUCTS
from payments.api.reference.fields import html

MANUAL = settings.BASE_DIR / "docs" / "simulator.md"
# The sections of docs/simulator.md with such tables, and their titles on the page.
SECTIONS = {
    part.magic_title: f"{part.tag}: {part.magic_key}" for part in PRODUCTS if part.magic_title
}
_SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
_TABLE = re.compile(r"(?:^\|.*\|\n)+", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Table:
    """Cells are HTML that is safe: everything but `code` is escaped."""

    title: str
    head: tuple[SafeString, ...]
    rows: tuple[tuple[SafeString, ...], ...]


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


def _table(title: str, text: str) -> Table:
    head, _line, *rows = (
        tuple(html(cell.strip()) for cell in line.strip("|").split("|"))
        for line in text.splitlines()
    )
    return Table(title, head, tuple(rows))
