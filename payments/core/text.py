"""Text from people, in the form that machines compare."""

import re

_PHONE = re.compile(r"(?:\+?57)?([0-9]{10})")


def normalised_document(number: str) -> str:
    """Letters and digits in upper case: what search and rails use (docs/gaps.md, Documents)."""
    return "".join(char for char in number if char.isalnum()).upper()


def colombian_phone(text: str) -> str | None:
    """Ten digits, with or without +57 and separators; None when it is no such number."""
    match = _PHONE.fullmatch(re.sub(r"[\s().-]", "", text))
    return match[1] if match else None


def colombian_mobile(text: str) -> str | None:
    """A phone that starts with 3. Numbers move between operators, so no other digit decides."""
    phone = colombian_phone(text)
    return phone if phone and phone.startswith("3") else None
