"""What the tests of bad input ask with: bodies in which each field is spelled exactly as given (no
JSON library would write most of them), and the path of an order that does not exist.
"""

from payments.core import jsontext
from tests.support.factories import order_body

ABSENT = "/collect/col_00000000000000000000000000"


def spelled(**values: str) -> str:
    """A valid body of POST /collect in which each field is spelled exactly as given."""
    body = {name: f"@{name}@" for name in values}
    text = jsontext.dumps({**order_body(), **body})
    for name, value in values.items():
        text = text.replace(f'"@{name}@"', value)
    return text
