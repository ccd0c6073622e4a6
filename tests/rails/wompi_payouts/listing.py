"""Pages of payouts and of transactions: {page, limit, total, pages, records[]} [S]."""

from collections.abc import Mapping

from tests.rails.fake_server.store import Document
from tests.rails.wompi_payouts import errors

PAYOUT_PARAMETERS = {"reference", "status", "fromDate", "toDate", "page", "limit"}
LINE_PARAMETERS = {"status", "page", "limit"}
MAXIMUM = 1000


def select_payouts(query: Mapping[str, str], wires: list[Document]) -> list[Document]:
    return [
        wire
        for wire in select_lines(query, wires)
        if query.get("reference", wire["reference"]) == wire["reference"]
        and wire["createdAt"][:10] >= query.get("fromDate", "")[:10]
        and wire["createdAt"][:10] <= query.get("toDate", "9999-12-31")[:10]
    ]


def select_lines(query: Mapping[str, str], wires: list[Document]) -> list[Document]:
    """`status` is one or several with commas between them."""
    statuses = set(query["status"].split(",")) if query.get("status") else None
    return [wire for wire in wires if statuses is None or wire["status"] in statuses]


def page_of(query: Mapping[str, str], found: list[Document]) -> Document:
    page, limit = _number(query, "page", 1), _number(query, "limit", 50)
    return {
        "page": page,
        "limit": limit,
        "total": len(found),
        "pages": -(-len(found) // limit),
        "records": found[(page - 1) * limit : page * limit],
    }


def _number(query: Mapping[str, str], name: str, default: int) -> int:
    value = query.get(name, str(default))
    if not value.isdigit() or not 1 <= int(value) <= MAXIMUM:
        raise errors.invalid(f"{name} is a number from 1 to {MAXIMUM}, not {value!r}")
    return int(value)
