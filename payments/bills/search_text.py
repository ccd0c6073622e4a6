"""The search for agreements: its index and its queries go through the same `fold`.

PostgreSQL's unaccent is not an immutable function, which an index needs.
"""

from unicodedata import combining, normalize

MAX_LENGTH = 600


def fold(text: str) -> str:
    """Without case and accents, single spaces: "  Energía  de NARIÑO" -> "energia de narino"."""
    letters = normalize("NFKD", text.casefold())
    return " ".join("".join(one for one in letters if not combining(one)).split())


def search_words(query: str) -> list[str]:
    """The words that must occur, in any order and also inside other words."""
    return list(dict.fromkeys(fold(query).split()))


def searchable_text(*, name: str, kind: str, number: int) -> str:
    """Of an agreement. Pages are sorted by this text."""
    # Some letters become many: an index takes 2,700 bytes.
    return fold(f"{name} {kind} {number}")[:MAX_LENGTH]
