"""Orders, payouts and events in a terminal."""

import argparse
import uuid
from collections.abc import Iterable, Mapping
from decimal import Decimal, InvalidOperation
from typing import Any

from .. import _json
from .._client import Pasarela
from . import feed

ORDER = ("id", "status", "amount", "currency", "reference", "createdAt")
PAYOUT = ("payoutId", "status", "amount", "recipientName", "createdAt")


def list_orders(client: Pasarela, given: argparse.Namespace) -> int:
    found = client.orders.list(status=given.status, reference=given.reference, limit=given.limit)
    return _rows(found, ORDER, given.json)


def get_order(client: Pasarela, given: argparse.Namespace) -> int:
    return _record(client.orders.get(given.id), given.json)


def create_order(client: Pasarela, given: argparse.Namespace) -> int:
    fields: dict[str, Any] = {
        "reference": given.reference or f"cli-{uuid.uuid4().hex[:12]}",
        "amount": given.amount,
        "customerName": given.name,
        "customerEmail": given.email,
        "description": given.description,
    }
    if given.document:
        fields["customerDocType"], _, fields["customerDocNumber"] = given.document.partition(":")
    fields = {name: value for name, value in fields.items() if value is not None}
    made = client.orders.create(idempotency_key=given.idempotency_key, **fields)
    return _record(made, given.json)


def list_payouts(client: Pasarela, given: argparse.Namespace) -> int:
    found = client.payouts.list(status=given.status, limit=given.limit)
    return _rows(found, PAYOUT, given.json)


def get_payout(client: Pasarela, given: argparse.Namespace) -> int:
    return _record(client.payouts.get(given.id), given.json)


def tail(client: Pasarela, given: argparse.Namespace) -> int:
    """The API has no log of requests; the console has. Events say what came of them."""
    for event in feed.follow(client, given):
        if given.json:
            print(_json.dumps(event), flush=True)
        else:
            data = event["data"]
            what = data.get("reference") or data.get("id") or ""
            print(event["timestamp"], event["event"], event["id"], what, flush=True)
    return 0


def amount(text: str) -> Decimal:
    try:
        return Decimal(text)
    except InvalidOperation:
        raise argparse.ArgumentTypeError(f"{text} is no amount, such as 50000 or 12.50") from None


def _rows(found: Iterable[Mapping[str, Any]], names: tuple[str, ...], as_json: bool) -> int:
    for record in found:
        if as_json:
            print(_json.dumps(record))
        else:
            print("  ".join(_text(record.get(name)) for name in names))
    return 0


def _record(record: Mapping[str, Any], as_json: bool) -> int:
    if as_json:
        print(_json.dumps(record))
        return 0
    width = max(map(len, record))
    for name, value in record.items():
        print(f"{name:{width}}  {_text(value)}")
    return 0


def _text(value: object) -> str:
    if value is None or value == "":
        return "-"
    return _json.dumps(value) if isinstance(value, dict | list) else str(value)
