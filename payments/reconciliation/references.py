"""The numeric references that payers type, with a check digit.

Eleven digits: mobile phones and documents have ten at most, a phone with its country code twelve.
Banks pad references with zeros on the left, which do not change the check digit (Damm).
"""

import re
import secrets

from stdnum import damm

LENGTH = 11
PATTERN = rf"[1-9]\d{{{LENGTH - 1}}}"
# Digits, and digits that a person wrote in groups: 7000 0030 884.
_DIGITS = re.compile(r"\d+(?:[ .-]\d+)*")
_GROUP = re.compile(r"\d+")
# A shorter or longer group is a number of its own: a day, a year with other digits, a document.
_GROUP_SIZES = range(3, 6)


def new_reference(_ours: str = "") -> str:
    first = 10 ** (LENGTH - 2)
    number = str(first + secrets.randbelow(9 * first))
    return number + damm.calc_check_digit(number)


def find_references(text: str) -> list[str]:
    """Those with a right check digit, in the order of the text, each once.

    A reference is a whole number of the text, or groups of one size with a shorter one at the end.
    Other neighbours are never joined: one in ten of such numbers has a right check digit by chance.
    """
    found: dict[str, None] = {}
    for run in _DIGITS.findall(text):
        groups = _GROUP.findall(run)
        place = 0
        while place < len(groups):
            count = _groups_of_reference(groups, place)
            number = "".join(groups[place : place + count]).lstrip("0")
            if re.fullmatch(PATTERN, number) and damm.is_valid(number):
                found[number] = None
            place += count
    return list(found)


def _groups_of_reference(groups: list[str], start: int) -> int:
    """How many groups from `start` on are one number: one, unless they look like a reference."""
    size = len(groups[start])
    count = -(-LENGTH // size)
    sizes = [len(group) for group in groups[start : start + count]]
    is_grouped = size in _GROUP_SIZES and sizes == [size] * (count - 1) + [LENGTH % size]
    is_part_of_longer = start > 0 and len(groups[start - 1]) == size
    return count if is_grouped and not is_part_of_longer else 1
