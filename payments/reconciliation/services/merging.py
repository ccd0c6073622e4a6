"""Which movements of a file are stored already.

Formats have no id of a movement that all of them share. So the n-th movement of a day and an amount
is the same one in every file, with two exceptions: in files of one format, movements with different
references or numbers of the operation are different ones; and what two formats say of payer and
text decides which one of equal amounts it is. Where that is not known, a movement gets no name and
no reference: a person decides.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal

from payments.reconciliation.formats.values import ParsedLine
from payments.reconciliation.models.statements import UNKNOWN_PAYER
from payments.reconciliation.references import find_references

# What a later file adds where the stored movement has nothing.
TEXTS = ("description", "reference", "document", "counterparty", "code", "operation_id")
Slot = tuple[date, Decimal]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredLine:
    """same_format  operation id and reference as a file of the new file's format has them. None:
    no file of this format has the movement.
    """

    id: int
    booked_on: date
    amount: Decimal
    texts: tuple[str, ...]
    same_format: tuple[str, str] | None


@dataclass(frozen=True, slots=True)
class Known:
    """`fills` are texts that the stored movement does not have yet."""

    line: ParsedLine
    stored: StoredLine
    fills: dict[str, str]


@dataclass(frozen=True, slots=True)
class New:
    """`number` counts the movements of its day and amount, from 1."""

    line: ParsedLine
    number: int


def merge(
    lines: Iterable[ParsedLine], stored: Iterable[StoredLine]
) -> tuple[list[New], list[Known]]:
    """The movements of the file in its order: those that are new, and those that are not."""
    slots: dict[Slot, list[StoredLine]] = defaultdict(list)
    for one in stored:
        slots[one.booked_on, one.amount].append(one)
    read: dict[Slot, list[ParsedLine]] = defaultdict(list)
    new: list[New] = []
    known: list[Known] = []
    counts: dict[Slot, int] = defaultdict(int)
    for line in lines:
        slot = line.booked_on, line.amount
        if slot in slots:
            read[slot].append(line)
        else:
            counts[slot] += 1
            new.append(New(line, counts[slot]))
    for slot, group in read.items():
        rest = _merge_slot(group, slots[slot], known)
        new += (New(line, len(slots[slot]) + n) for n, line in enumerate(rest, start=1))
    if read:
        new.sort(key=lambda one: one.line.line)
    return new, known


def _merge_slot(
    lines: Sequence[ParsedLine], stored: Sequence[StoredLine], known: list[Known]
) -> list[ParsedLine]:
    """Appends to `known`. Returns the lines that are not stored."""
    same = [one for one in stored if one.same_format is not None]
    others = [one for one in stored if one.same_format is None]
    rest = list(lines)
    for line_key, stored_key in _SAME_FORMAT:
        rest, same = _pair(rest, same, line_key, stored_key, known)
    for line_key, stored_key in _OTHER_FORMAT:
        rest, others = _pair(rest, others, line_key, stored_key, known)
    return _pair_by_count(rest, others, known)


def _pair_by_count(
    lines: Sequence[ParsedLine], stored: Sequence[StoredLine], known: list[Known]
) -> list[ParsedLine]:
    """What is left is equal in day and amount only. Returns the lines that are not stored."""
    is_certain = _are_interchangeable(lines, stored)
    known += (
        Known(line, one, _fills(line, one) if is_certain else {})
        for line, one in zip(lines, stored, strict=False)
    )
    rest = lines[len(stored) :]
    if is_certain or not stored:
        return list(rest)
    return [_without_identity(line, lines) for line in rest]


def _are_interchangeable(lines: Sequence[ParsedLine], stored: Sequence[StoredLine]) -> bool:
    """Whether it makes no difference which line is which of the stored ones."""
    are_stored_alike = len({one.texts for one in stored}) <= 1
    if len({_texts(one) for one in lines}) <= 1:
        return are_stored_alike or len(lines) >= len(stored)
    if not are_stored_alike:
        return False
    return len(lines) <= len(stored) or not any(one.texts[n] for one in stored for n in _IDENTITY)


def _without_identity(line: ParsedLine, possible: Sequence[ParsedLine]) -> ParsedLine:
    """It is one of the `possible` ones, and the others of them are stored: a person decides."""
    told = dict.fromkeys(_NUMBER.sub("...", one.description) for one in possible)
    return ParsedLine(
        line=line.line,
        booked_on=line.booked_on,
        amount=line.amount,
        balance=line.balance,
        description=(UNKNOWN_PAYER + " / ".join(filter(None, told)))[:300],
    )


LineKey = Callable[[ParsedLine], Hashable]
StoredKey = Callable[[StoredLine], Hashable]
_DESCRIPTION, _REFERENCE, _DOCUMENT = (
    TEXTS.index(name) for name in ("description", "reference", "document")
)
_IDENTITY = [TEXTS.index(name) for name in ("reference", "document", "counterparty")]
# References, documents and phones.
_NUMBER = re.compile(r"\d{5,}")


def _texts(line: ParsedLine) -> tuple[str, ...]:
    return tuple(getattr(line, name) for name in TEXTS)


def _own_reference(reference: str, description: str) -> str:
    """Ours, wherever a format has it. Empty for several."""
    found = find_references(f"{reference}; {description}")
    return found[0] if len(found) == 1 else ""


_SAME_FORMAT: Sequence[tuple[LineKey, StoredKey]] = (
    (
        lambda line: ((line.operation_id, line.reference), line.document, line.description),
        lambda one: (one.same_format, one.texts[_DOCUMENT], one.texts[_DESCRIPTION]),
    ),
    (
        lambda line: (line.operation_id, line.reference),
        lambda one: one.same_format,
    ),
)
_OTHER_FORMAT: Sequence[tuple[LineKey, StoredKey]] = (
    (lambda line: line.reference, lambda one: one.texts[_REFERENCE]),
    (
        lambda line: _own_reference(line.reference, line.description),
        lambda one: _own_reference(one.texts[_REFERENCE], one.texts[_DESCRIPTION]),
    ),
    (lambda line: line.document, lambda one: one.texts[_DOCUMENT]),
    (lambda line: line.description, lambda one: one.texts[_DESCRIPTION]),
)


def _pair(
    lines: Sequence[ParsedLine],
    stored: Sequence[StoredLine],
    line_key: LineKey,
    stored_key: StoredKey,
    known: list[Known],
) -> tuple[list[ParsedLine], list[StoredLine]]:
    """Pairs equal keys in the order of both. Empty keys are no keys. Returns what is left."""
    if not (lines and stored):
        return list(lines), list(stored)
    waiting: dict[Hashable, deque[StoredLine]] = defaultdict(deque)
    for one in stored:
        if key := stored_key(one):
            waiting[key].append(one)
    rest: list[ParsedLine] = []
    paired: set[int] = set()
    for line in lines:
        if (key := line_key(line)) and (found := waiting.get(key)):
            one = found.popleft()
            paired.add(one.id)
            known.append(Known(line, one, _fills(line, one)))
        else:
            rest.append(line)
    return rest, [one for one in stored if one.id not in paired]


def _fills(line: ParsedLine, stored: StoredLine) -> dict[str, str]:
    pairs = zip(TEXTS, stored.texts, strict=True)
    return {name: getattr(line, name) for name, text in pairs if not text and getattr(line, name)}
