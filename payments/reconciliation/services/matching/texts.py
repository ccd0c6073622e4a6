"""Texts of banks in one spelling."""

import re
import unicodedata


def plain(text: str) -> str:
    """Upper case, without accents, with single spaces."""
    decomposed = unicodedata.normalize("NFKD", text.upper())
    letters = "".join(one for one in decomposed if not unicodedata.combining(one))
    return " ".join(letters.split())


def words(text: str) -> set[str]:
    return set(re.findall(r"[A-Z0-9]+", plain(text)))
