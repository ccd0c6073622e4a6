"""Which transactions moved tokens to an address: TronGrid's index.

The index lists events by account. It has lost some in the past, and lists approvals and transfers
of nothing, too. It is asked twice: for confirmed transfers of the coin, page by page, so that no
flood of worthless tokens hides them; and for the newest of all, which has what is on its way and
foreign tokens. Amounts count by the receipts.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from payments.providers.ports import ProviderTimeout
from payments.providers.ports.chain import Coin
from payments.providers.tron.addresses import address_of
from payments.providers.tron.client import TronClient

PAGE_SIZE = 200
# A thousand transfers of the coin to one address, which serves one order.
PAGES_MAX = 5
# Foreign tokens are only shown to operators.
FOREIGN_MAX = 20
TRANSACTION = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Row:
    """
    units   of the coin; None for a token that the account does not take.
    """

    transaction: str
    units: int | None


def find_rows(client: TronClient, address: str) -> list[Row]:
    """Transfers to the address, those of the coin first. A row may come twice."""
    coin = client.settings.coin
    confirmed = {"only_confirmed": "true", "contract_address": coin.token}
    found = [
        row for page in _pages(client, address, confirmed) for row in _rows(page, address, coin)
    ]
    newest = next(_pages(client, address, {}), [])
    rows = list(_rows(newest, address, coin))
    found += [row for row in rows if row.units is not None]
    foreign = dict.fromkeys(row for row in rows if row.units is None)
    return found + list(foreign)[:FOREIGN_MAX]


def _pages(
    client: TronClient, address: str, filters: Mapping[str, str]
) -> Iterator[list[dict[str, Any]]]:
    """The newest first. `meta.links.next` is not followed: the answer would choose the address."""
    query = {
        **filters,
        "only_to": "true",
        "limit": str(PAGE_SIZE),
        "order_by": "block_timestamp,desc",
    }
    for _ in range(PAGES_MAX):
        body = client.transfers(address, query).body
        data = body.get("data")
        if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
            raise ProviderTimeout("the transfers have another shape")
        yield data
        meta = body.get("meta")
        mark = meta.get("fingerprint") if isinstance(meta, dict) else None
        if not isinstance(mark, str) or not mark or not data or mark == query.get("fingerprint"):
            return
        query = {**query, "fingerprint": mark}


def _rows(page: list[dict[str, Any]], address: str, coin: Coin) -> Iterator[Row]:
    """Raises ProviderTimeout for a row of the coin that contradicts itself or the question."""
    for row in page:
        transaction = str(row.get("transaction_id", "")).lower()
        if not TRANSACTION.fullmatch(transaction):
            raise ProviderTimeout("a transfer has no transaction")
        info = row.get("token_info")
        info = info if isinstance(info, dict) else {}
        if row.get("type", "Transfer") != "Transfer":
            continue
        if _address(info.get("address")) != coin.token:
            if _address(row.get("to")) in (address, ""):
                yield Row(transaction, None)
            continue
        if info.get("decimals") != coin.decimals:
            raise ProviderTimeout(f"{coin.code} has {info.get('decimals')} decimals in an answer")
        yield from _row_of_coin(row, transaction, address)


def _row_of_coin(row: Mapping[str, Any], transaction: str, address: str) -> Iterator[Row]:
    sender, target = _address(row.get("from")), _address(row.get("to"))
    if not sender or not target or address not in (sender, target):
        raise ProviderTimeout("a transfer is of other addresses")
    units = _units(row.get("value"))
    if target == address != sender and units:
        yield Row(transaction, units)


def _units(value: object) -> int:
    """A string of digits; a whole number, too [?]."""
    if type(value) is int and value >= 0:
        return value
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= 78:
        return int(value)
    raise ProviderTimeout("a transfer has no amount")


def _address(value: object) -> str:
    """In base 58; empty for what is no address."""
    try:
        return address_of(value) if isinstance(value, str) else ""
    except ValueError:
        return ""
