"""Text that people typed and rails reported."""

import re
import unicodedata

_TWO_STOPS = re.compile(r"(?<=[ap]\.m)\.\.(?!\.)")
_COMPANY_NIT = re.compile(r"[89][0-9]{8}")
_PHONE = re.compile(r"(?:\+?57)?([0-9]{10})")


def normalised_document(number: str) -> str:
    """Letters and digits in upper case, as search and rails use it (docs/gaps.md, Documents)."""
    return "".join(char for char in number if char.isalnum()).upper()


# The letters of names, as PostgreSQL's translate() takes them.
ACCENTED = "áàâäãåéèêëíìîïóòôöõúùûüñçÁÀÂÄÃÅÉÈÊËÍÌÎÏÓÒÔÖÕÚÙÛÜÑÇ"
PLAIN = "aaaaaaeeeeiiiiooooouuuuncaaaaaaeeeeiiiiooooouuuunc"
_PLAIN = str.maketrans(ACCENTED, PLAIN)


def plain_letters(text: str) -> str:
    """Without case and accents."""
    return unicodedata.normalize("NFC", text).translate(_PLAIN).lower()


def colombian_phone(text: str) -> str | None:
    """Ten digits without +57 and separators. None if `text` is no Colombian number."""
    match = _PHONE.fullmatch(re.sub(r"[\s().-]", "", text))
    return match[1] if match else None


def colombian_mobile(text: str) -> str | None:
    """A phone that starts with 3. No other digit counts, because numbers move between operators."""
    phone = colombian_phone(text)
    return phone if phone and phone.startswith("3") else None


def is_company_nit(text: str) -> bool:
    """Whether it is a company's NIT without its check digit."""
    return _COMPANY_NIT.fullmatch(text) is not None


def quotable(text: str, max_length: int = 100) -> str:
    """For a message: short, and without control characters and lone surrogates."""
    cut = text if len(text) <= max_length else f"{text[: max_length - 1]}…"
    return "".join(char if char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in cut)


def storable(text: str, max_length: int) -> str:
    """For a column: PostgreSQL refuses NUL. An odd text must not keep what came with it from us."""
    return text.replace("\x00", "")[:max_length]


def one_stop(sentence: str) -> str:
    """One full stop where a sentence ends with a time: `until 6:13 p.m.`"""
    return _TWO_STOPS.sub(".", sentence)
