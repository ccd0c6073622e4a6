"""Colombian mobile numbers: ten digits that begin with 3.

Numbers move between operators, so that a prefix is a hint and never a reason to refuse.
"""

import re

_SEPARATORS = re.compile(r"[ -]")
_MOBILE = re.compile(r"(?:\+57)?(3[0-9]{9})")


def normalize_mobile(text: str) -> str | None:
    """The ten digits, or None. +57, spaces and dashes may be there; nothing else may."""
    found = _MOBILE.fullmatch(_SEPARATORS.sub("", text))
    return found[1] if found else None
