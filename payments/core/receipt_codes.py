"""Codes that people read aloud: twelve characters of Crockford's base32, in groups of four.

The first eleven are 55 random bits, too many to guess on a page that limits requests. The last is
a check character (Luhn modulo 32): it finds every wrong character and nearly every swapped pair
without a query.
"""

import re
import secrets

from stdnum import luhn

from payments.core.ids import ALPHABET

LENGTH = 12
_CODE = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}")
# Letters that look like digits, and characters that people type between the groups.
_READ_AS = str.maketrans({"o": "0", "i": "1", "l": "1", **dict.fromkeys(" -\t.–—", "")})


def new_code() -> str:
    """Such as `7k3m9qz20fhd`."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH - 1))
    return body + luhn.calc_check_digit(body, ALPHABET)


def read(text: str) -> str | None:
    """The code that a person typed. None if its form or check character is wrong."""
    code = text[:60].lower().translate(_READ_AS)
    if not _CODE.fullmatch(code) or not luhn.is_valid(code, ALPHABET):
        return None
    return code


def count_characters(text: str) -> int:
    """Of what a person typed, without what stands between the groups."""
    return len(text.translate(_READ_AS))


def written(code: str) -> str:
    """`7K3M-9QZ2-0FHD`."""
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4)).upper()
