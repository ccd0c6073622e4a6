"""The blocks of code of the guides."""

import re
from dataclasses import dataclass

from payments.api.guides import library

LANGUAGES = ("en", "es")
_BLOCK = re.compile(r"^```([^\n]*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """`info` is what stands behind the fence: `sh node`."""

    info: str
    code: str


def blocks(slug: str, language: str = "en") -> list[Block]:
    return [Block(*found) for found in _BLOCK.findall(library.source(slug, language))]


def commands(slug: str) -> list[str]:
    """Those that send a request, in the order of the page."""
    return [
        each.code
        for each in blocks(slug)
        if each.info in ("sh", "sh curl") and re.search(r"^curl ", each.code, re.MULTILINE)
    ]
