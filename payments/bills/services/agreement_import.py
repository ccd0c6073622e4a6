"""Agreements from a CSV file: all rows are checked, and the valid ones are loaded together.

Columns: agreementId, name, referenceLabel, type; code:<rail> for each rail, with its code for the
agreement, empty if it does not reach the agreement; and `enabled` (yes, no), which may be missing.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING, cast

from django.db import transaction
from django.db.models import CharField

from payments.api.fields import is_plain_text
from payments.bills.models import Agreement, BillTerms
from payments.core import audit
from payments.core.errors import ServiceError

if TYPE_CHECKING:
    import _csv

# CSV column -> field of the table.
TEXTS = {"name": "name", "referenceLabel": "reference_label", "type": "type"}
REQUIRED = ("agreementId", *TEXTS)
CODE = re.compile(r"code:([a-z0-9_-]{1,40})")
MAX_CODE_LENGTH = 40
# The largest whole number that all JSON clients read exactly.
MAX_ID = 2**53 - 1
WRITTEN = ["name", "reference_label", "type", "codes", "is_enabled", "searchable"]
BATCH = 1000


class BadFile(ServiceError):
    """The file cannot be read: nothing was loaded."""


@dataclass(frozen=True, slots=True)
class AgreementRow:
    """A valid row. `codes` by rail, empty if the rail does not reach the agreement. `is_enabled` is
    None without that column.
    """

    id: int
    texts: dict[str, str]
    codes: dict[str, str]
    is_enabled: bool | None


@dataclass(slots=True)
class FileContents:
    """Valid rows, and the problems of the others as (line, reason)."""

    rows: list[AgreementRow] = field(default_factory=list)
    problems: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportCounts:
    created: int
    updated: int
    unchanged: int
    disabled: int


def read_file(file: IO[bytes]) -> FileContents:
    """Checks every row. Raises BadFile for wrong columns, or if it is no CSV in UTF-8."""
    try:
        text = file.read().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadFile(f"The file is not UTF-8: byte {error.start}.") from error
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    contents = FileContents()
    numbered: list[tuple[int, AgreementRow]] = []
    try:
        header = [name.strip() for name in next(lines, [])]
        _check_header(header)
        for line, cells in _rows(lines):
            try:
                numbered.append((line, _row(header, cells)))
            except ValueError as error:
                contents.problems.append((line, str(error)))
    except csv.Error as error:
        raise BadFile(f"Line {lines.line_num} is not CSV: {error}.") from error
    _keep_unique(numbered, contents)
    return contents


@transaction.atomic
def load_agreements(
    contents: FileContents, *, actor: str, disable_missing: bool = False
) -> ImportCounts:
    """Writes the valid rows, all or none. Agreements that are not in the file stay as they are.

    `disable_missing` switches those off. It raises BadFile if any row is invalid, because that may
    be the row of a missing agreement, and if no row is valid.
    """
    if disable_missing and (contents.problems or not contents.rows):
        raise BadFile("Nothing was loaded: only a file without bad rows tells what is missing.")
    known = {one.pk: one for one in Agreement.objects.select_for_update(no_key=True).order_by("pk")}
    created, updated = [], []
    for row in contents.rows:
        before = known.get(row.id)
        after = _merged(row, before)
        if before is None:
            created.append(after)
        elif any(getattr(after, name) != getattr(before, name) for name in WRITTEN):
            updated.append(after)
    Agreement.objects.bulk_create(
        [*created, *updated],
        batch_size=BATCH,
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=WRITTEN,
    )
    disabled = _disable_others(contents.rows) if disable_missing else 0
    counts = {"created": len(created), "updated": len(updated), "disabled": disabled}
    # One audit row for the file, with the terms as its subject.
    terms = BillTerms(id=1)
    audit.record(actor=actor, action="agreements.loaded", subject=terms, reason="", **counts)
    return ImportCounts(unchanged=len(contents.rows) - len(created) - len(updated), **counts)


def _check_header(header: list[str]) -> None:
    names = Counter(header)
    missing = [name for name in REQUIRED if name not in names]
    rails = [name for name in names if CODE.fullmatch(name)]
    unknown = [name for name in names if name not in (*REQUIRED, "enabled", *rails)]
    twice = [name for name, count in names.items() if count > 1]
    if missing or not rails:
        raise BadFile(f"Columns are missing: {', '.join(missing) or 'code:<rail>'}.")
    if unknown or twice:
        raise BadFile(f"Columns are not known, or come twice: {', '.join(unknown + twice)}.")


def _rows(lines: "_csv.Reader") -> Iterator[tuple[int, list[str]]]:
    """(the line where the row begins, its cells), without empty lines."""
    begins = lines.line_num + 1
    for cells in lines:
        if any(cell.strip() for cell in cells):
            yield begins, cells
        begins = lines.line_num + 1


def _row(header: list[str], cells: list[str]) -> AgreementRow:
    """Raises ValueError with what is wrong."""
    if len(cells) != len(header):
        raise ValueError(f"has {len(cells)} cells, not {len(header)}")
    values = {name: cell.strip() for name, cell in zip(header, cells, strict=True)}
    for name, value in values.items():
        if not is_plain_text(value):
            raise ValueError(f"{name} contains control characters")
    codes = {match[1]: values[name] for name in header if (match := CODE.fullmatch(name))}
    _check_codes(codes)
    return AgreementRow(
        id=_id(values["agreementId"]),
        texts={column: _text(name, values[name]) for name, column in TEXTS.items()},
        codes=codes,
        is_enabled=_switch(values.get("enabled", "")),
    )


def _id(value: str) -> int:
    if not re.fullmatch(r"[0-9]{1,16}", value, re.ASCII) or not 0 < int(value) <= MAX_ID:
        raise ValueError("agreementId is not a whole number above zero")
    return int(value)


def _text(name: str, value: str) -> str:
    longest = cast("CharField[str, str]", Agreement._meta.get_field(TEXTS[name])).max_length or 0
    if not value:
        raise ValueError(f"{name} is empty")
    if len(value) > longest:
        raise ValueError(f"{name} has more than {longest} characters")
    return value


def _check_codes(codes: dict[str, str]) -> None:
    if not any(codes.values()):
        raise ValueError("no rail has a code for it")
    if any(len(code) > MAX_CODE_LENGTH for code in codes.values()):
        raise ValueError(f"a code has more than {MAX_CODE_LENGTH} characters")


def _switch(value: str) -> bool | None:
    if value.lower() not in ("", "yes", "no"):
        raise ValueError("enabled is neither yes nor no")
    return value.lower() == "yes" if value else None


def _keep_unique(numbered: Iterable[tuple[int, AgreementRow]], contents: FileContents) -> None:
    """Leaves out all rows with the same id, because any of them may be wrong."""
    rows = list(numbered)
    times = Counter(row.id for _, row in rows)
    for line, row in rows:
        if times[row.id] > 1:
            contents.problems.append((line, f"agreementId {row.id} comes {times[row.id]} times"))
        else:
            contents.rows.append(row)
    contents.problems.sort()


def _merged(row: AgreementRow, before: Agreement | None) -> Agreement:
    """The agreement as in the file; rails without a column keep their codes."""
    codes = {**(before.codes if before else {}), **row.codes}
    was_enabled = before.is_enabled if before else True
    agreement = Agreement(
        id=row.id,
        codes={rail: code for rail, code in codes.items() if code},
        is_enabled=was_enabled if row.is_enabled is None else row.is_enabled,
        **row.texts,
    )
    agreement.index()
    return agreement


def _disable_others(rows: Iterable[AgreementRow]) -> int:
    others = Agreement.objects.filter(is_enabled=True).exclude(pk__in=[row.id for row in rows])
    return others.update(is_enabled=False)
