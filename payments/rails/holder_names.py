"""Whether a name may be the one that a rail masks: "Ana María Peña" and "A** P***".

Accents, case, dots and order do not count. A bank may know more names than the merchant, or fewer:
each word of the shorter name has to fit another word of the longer one. A masked word fits if its
visible letters begin and end the word and its length is the same. If all masks are equally long,
the rail masks with a fixed length, which then tells nothing.
"""

import re
from collections.abc import Sequence
from unicodedata import combining, normalize

STAR = "*"
MOST_WORDS = 12
_JOINED = re.compile(r"[.'’`´]")  # S.A.S., D'Angelo
_WORD = re.compile(r"[^\W_*]*\*+[^\W_]*|[^\W_]+")


def may_be(name: str, masked: str) -> bool:
    """True also if there is nothing to compare."""
    words, masks = _words(name), _words(masked)
    tells_length = not _is_fixed(masks)
    fits = [[_fits(word, mask, tells_length) for mask in masks] for word in words]
    if len(words) > len(masks):
        fits = [list(column) for column in zip(*fits, strict=True)]
    return _is_assignable(fits)


def _words(text: str) -> list[str]:
    plain = "".join(char for char in normalize("NFKD", text) if not combining(char))
    return _WORD.findall(_JOINED.sub("", plain).upper())[:MOST_WORDS]


def _is_fixed(masks: Sequence[str]) -> bool:
    stars = [mask.count(STAR) for mask in masks if STAR in mask]
    return len(stars) > 1 and len(set(stars)) == 1


def _fits(word: str, mask: str, tells_length: bool) -> bool:
    start, star, rest = mask.partition(STAR)
    if not star:
        return word == mask
    end = rest.rpartition(STAR)[2]
    if not (word.startswith(start) and word.endswith(end)):
        return False
    return len(word) == len(mask) if tells_length else len(word) >= len(start) + len(end)


def _is_assignable(fits: Sequence[Sequence[bool]]) -> bool:
    """Whether each row gets a column of its own (Kuhn's algorithm)."""
    taken: dict[int, int] = {}

    def place(row: int, tried: set[int]) -> bool:
        for column, does_fit in enumerate(fits[row]):
            if does_fit and column not in tried:
                tried.add(column)
                if column not in taken or place(taken[column], tried):
                    taken[column] = row
                    return True
        return False

    return all(place(row, set()) for row in range(len(fits)))
