"""GET /transactions with the private key: filters, order, pages of at most 200 [S]."""

from collections.abc import Mapping

from tests.rails.fake_server.store import Document
from tests.rails.wompi import errors

EXACT = ("reference", "id", "payment_method_type", "status", "customer_email")
PARAMETERS = {*EXACT, "from_date", "until_date", "page", "page_size", "order_by", "order"}
ORDERS = {"created_at", "amount_in_cents", "finalized_at"}


def list_transactions(query: Mapping[str, str], rows: list[Document]) -> Document:
    page = _number(query, "page", 1, 10**6)
    size = _number(query, "page_size", 50, 200)
    _check_order(query)
    found = [row for row in rows if _matches(row, query)]
    found.sort(
        key=lambda row: (row[query.get("order_by", "created_at")] or "", row["id"]),
        reverse=query.get("order", "DESC").upper() == "DESC",
    )
    meta = {"page": page, "page_size": size, "total_results": len(found)}
    return {"data": found[(page - 1) * size : page * size], "meta": meta}


def unknown_parameters(query: Mapping[str, str]) -> list[str]:
    return sorted(set(query) - PARAMETERS)


def _matches(row: Document, query: Mapping[str, str]) -> bool:
    day = row["created_at"][:10]
    return (
        all(row[name] == query[name] for name in EXACT if name in query)
        and day >= query.get("from_date", "")[:10]
        and day <= query.get("until_date", "9999-12-31")[:10]
    )


def _check_order(query: Mapping[str, str]) -> None:
    if query.get("order_by", "created_at") not in ORDERS:
        raise errors.invalid({"order_by": ["es inválido"]}, "wrong order_by")
    if query.get("order", "DESC").upper() not in {"ASC", "DESC"}:
        raise errors.invalid({"order": ["es inválido"]}, "wrong order")


def _number(query: Mapping[str, str], name: str, default: int, maximum: int) -> int:
    value = query.get(name, str(default))
    if not value.isdigit() or not 1 <= int(value) <= maximum:
        raise errors.invalid({name: [f"debe estar entre 1 y {maximum}"]}, f"wrong {name}: {value}")
    return int(value)
