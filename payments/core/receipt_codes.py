"""Codes that people read to each other: twelve letters and digits, the last one a check.

Crockford's base32 without I, L, O and U, written in groups of four. 55 random bits: too many to
guess over a page that counts its visitors. The check (Luhn, modulo 32) tells every single wrong
sign, and nearly every pair that changed places, without a look into the database.
"""

import re
import secrets

from payments.core.ids import ALPHABET

LENGTH = 12
_BASE = len(ALPHABET)
_SIGNS = re.compile(rf"[{ALPHABET}]{{{LENGTH}}}")
# What is heard or read wrongly, and what people put between the groups.
_HEARD = str.maketrans({"o": "0", "i": "1", "l": "1", **dict.fromkeys(" -\t.–—", "")})


def new_code() -> str:
    """Returns e.g. `7k3m9qz20fhd`, which nobody had before."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(LENGTH - 1))
    return body + _check(body)


def read(text: str) -> str | None:
    """The code that somebody typed; None when it cannot be one."""
    code = text[:60].lower().translate(_HEARD)
    if not _SIGNS.fullmatch(code) or _check(code[:-1]) != code[-1]:
        return None
    return code


def written(code: str) -> str:
    """`7K3M-9QZ2-0FHD`."""
    return "-".join(code[at : at + 4] for at in range(0, len(code), 4)).upper()


def _check(body: str) -> str:
    total = 0
    for at, sign in enumerate(reversed(body)):
        value = ALPHABET.index(sign) * (1 if at % 2 else 2)
        total += value // _BASE + value % _BASE
    return ALPHABET[-total % _BASE]
