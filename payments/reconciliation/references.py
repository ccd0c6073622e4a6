"""The numeric references that payers type, with a check digit.

Eleven digits: mobile phones and documents have ten at most, a phone with its country code twelve.
Banks pad references with zeros on the left, which do not change the check digit (Damm).
"""

import re
import secrets

from stdnum import damm

LENGTH = 11
PATTERN = rf"[1-9]\d{{{LENGTH - 1}}}"
# Groups of digits in a text; those that are padded have zeros before them.
_GROUP = re.compile(rf"(?<!\d)0*({PATTERN})(?!\d)")


def new_reference(_ours: str = "") -> str:
    first = 10 ** (LENGTH - 2)
    number = str(first + secrets.randbelow(9 * first))
    return number + damm.calc_check_digit(number)


def find_references(text: str) -> list[str]:
    """Those with a right check digit, in the order of the text, each once."""
    found = (group for group in _GROUP.findall(text) if damm.is_valid(group))
    return list(dict.fromkeys(found))
