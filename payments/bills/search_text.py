"""The search for agreements: texts and queries are folded in the same way.

PostgreSQL's own `unaccent` cannot be used in an index, because it is not immutable.
"""

from unicodedata import combining, normalize

MAX_LENGTH = 600


def fold(text: str) -> str:
    """Removes case and accents, and joins spaces: " Energía de NARIÑO" -> "energia de narino"."""
    letters = normalize("NFKD", text.casefold())
    return " ".join("".join(one for one in letters if not combining(one)).split())


def search_words(query: str) -> list[str]:
    """The words of a query. Each must occur, in any order, also inside another word."""
    return list(dict.fromkeys(fold(query).split()))


def searchable_text(*, name: str, kind: str, number: int) -> str:
    """The text of an agreement by which it is found and sorted."""
    # Cut, because an index entry has at most 2,700 bytes, and folding makes some letters longer.
    return fold(f"{name} {kind} {number}")[:MAX_LENGTH]
