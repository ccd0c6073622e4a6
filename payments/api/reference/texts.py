"""The English texts of the reference that are not in its template.

The OpenAPI document stays English. The page translates its texts with gettext, and `makemessages`
collects them from here.
"""

import re
from collections.abc import Iterator

from payments.api.reference import error_codes, magic_values, sections
from payments.api.reference.catalogue import PRODUCTS
from payments.api.reference.document import document
from payments.api.reference.event_fields import event_fields
from payments.api.reference.requests import Keys, operations
from payments.core.products import products

# Parts of a cell of the magic values that are the same in each language: codes and outcomes.
_CODES = re.compile(r"`[^`]*`|\b[a-z]+(?:-[a-z]+)+\b|^[a-z]+$|\b[A-Z_]+\b")
_WORD = re.compile(r"[A-Za-z]{2}")


def collected() -> list[str]:
    """Every text once, in the order of the page."""
    return list(dict.fromkeys(" ".join(text.split()) for text in _texts() if text.strip()))


def is_prose(cell: str) -> bool:
    return bool(_WORD.search(_CODES.sub("", cell)))


def _texts() -> Iterator[str]:
    yield document()["info"]["description"]
    yield from (product.plural for product in products() if product.urls)
    for product in PRODUCTS:
        yield from (product.tag, product.text, product.magic_key)
    for operation in operations(document()).values():
        yield operation.about["summary"]
        yield operation.about.get("description", "")
    for _product, of_product in sections.by_product(Keys(), ""):
        for section in of_product:
            yield from (row.text for row in (*section.parameters, *section.body, *section.answer))
    for webhook in document()["webhooks"].values():
        yield webhook["post"]["summary"]
    for event in event_fields():
        yield from (row.text for row in event.rows)
    for code in error_codes.table():
        yield from (code.meaning, code.advice, code.remedy.cause, code.remedy.then)
    for table in magic_values.tables():
        yield from filter(is_prose, (cell for row in (table.head, *table.rows) for cell in row))
