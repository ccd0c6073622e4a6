"""The numeric references that payers type, with a check digit.

Eleven digits: mobile phones and documents have ten at most, a phone with its country code twelve.
Banks pad references with zeros on the left, which do not change the check digit (Damm).
"""

import re
import secrets
from collections.abc import Iterator

from stdnum import damm

LENGTH = 11
PATTERN = rf"[1-9]\d{{{LENGTH - 1}}}"
# Digits, and digits that a person wrote in groups: 7000 0030 884.
_DIGITS = re.compile(r"\d+(?:[ .-]\d+)*")
_GROUP = re.compile(r"\d+")


def new_reference(_ours: str = "") -> str:
    first = 10 ** (LENGTH - 2)
    number = str(first + secrets.randbelow(9 * first))
    return number + damm.calc_check_digit(number)


def find_references(text: str) -> list[str]:
    """Those with a right check digit, in the order of the text, each once."""
    found: dict[str, None] = {}
    for run in _DIGITS.findall(text):
        groups = _GROUP.findall(run)
        for start in range(len(groups)):
            for number in _joined(groups[start:]):
                if re.fullmatch(PATTERN, number) and damm.is_valid(number):
                    found[number] = None
    return list(found)


def _joined(groups: list[str]) -> Iterator[str]:
    """The first group, the first two, and so on, without zeros on the left."""
    number = ""
    for group in groups:
        number = (number + group).lstrip("0")
        if len(number) > LENGTH:
            return
        yield number
