"""A payer who reads the form of the page and accepts the rail's documents."""

import re

from payments.providers.ports import Term
from tests.collect.test_pages.conftest import Payer

# The documents of the fake Wompi.
WOMPI_TERMS = tuple(
    Term(url=f"https://wompi.example/assets/{name}.pdf", label=name)
    for name in ("end_user_policy", "personal_data_auth")
)
_BOX = re.compile(r'<input[^>]*name="terms"[^>]*>')


def box_of(page: str) -> dict[str, str]:
    """What the browser sends for the ticked box; nothing where there is none."""
    box = _BOX.search(page)
    value = box and re.search(r'value="([^"]*)"', box[0])
    return {"terms": value[1]} if value else {}


def accepted(payer: Payer, path: str, fields: dict[str, str]) -> dict[str, str]:
    """The fields of that form, with the box ticked."""
    return {**fields, **box_of(payer.see(path))}
