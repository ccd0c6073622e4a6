"""What the search for agreements looks through, and how it reads what somebody typed.

Both sides go through `plain`, so that they agree about case and accents. PostgreSQL's unaccent
would do it too, but not as an immutable function, which an index needs.
"""

from typing import Any
from unicodedata import combining, normalize

MAX_LENGTH = 600


def fold(text: str) -> str:
    """Without case and accents, single spaces: "  Energía  de NARIÑO" -> "energia de narino"."""
    letters = normalize("NFKD", text.casefold())
    return " ".join("".join(one for one in letters if not combining(one)).split())


def search_words(query: str) -> list[str]:
    """What must occur, in any order and also inside of words."""
    return list(dict.fromkeys(fold(query).split()))


def searchable_text(agreement: Any) -> str:
    """An agreement's name, then its type and number. Pages are sorted by this text."""
    # Some letters become many: an index takes 2,700 bytes.
    return fold(f"{agreement.name} {agreement.type} {agreement.pk}")[:MAX_LENGTH]
