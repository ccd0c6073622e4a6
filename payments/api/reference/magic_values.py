"""The magic values of the simulator, from the tables of docs/simulator.md, their only source."""

import re
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.safestring import SafeString

from payments.api.reference.fields import html

MANUAL = settings.BASE_DIR / "docs" / "simulator.md"
# The sections with such tables, and their titles on the page.
SECTIONS = {
    "Magic values": "Collections: the payer's document or the order's amount",
    "Payouts": "Payouts: the beneficiary's document",
    "Top-ups": "Top-ups: the phone",
    "Bills": "Bill payments: the reference",
    "Refunds": "Refunds: the payer's document",
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
    """Empty without the manual or the simulator."""
    if settings.PAYIN_PROVIDER != "simulator" or not MANUAL.is_file():
        return ()
    _intro, *parts = _SECTION.split(MANUAL.read_text())
    sections = dict(zip(parts[::2], parts[1::2], strict=True))
    return tuple(
        _table(title, found[0])
        for section, title in SECTIONS.items()
        for found in _TABLE.finditer(sections.get(section, ""))
    )


def _table(title: str, text: str) -> Table:
    head, _line, *rows = (
        tuple(html(cell.strip()) for cell in line.strip("|").split("|"))
        for line in text.splitlines()
    )
    return Table(title, head, tuple(rows))
