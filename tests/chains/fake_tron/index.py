"""GET /v1/accounts/{address}/transactions/trc20 of TronGrid [S]."""

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from tests.chains.fake_tron import errors
from tests.chains.fake_tron.addresses import to_base58, to_hex
from tests.chains.fake_tron.chain import Chain
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document, Table

FLAGS = ("only_confirmed", "only_unconfirmed", "only_to", "only_from")
TIMES = ("min_timestamp", "max_timestamp", "min_block_timestamp", "max_block_timestamp")
PARAMETERS = {*FLAGS, *TIMES, "limit", "fingerprint", "order_by", "contract_address"}
ORDERS = ("block_timestamp,asc", "block_timestamp,desc")


class Index:
    def __init__(
        self, chain: Chain, settings: Settings, pages: Table, complain: Callable[[str], None]
    ) -> None:
        self._chain = chain
        self._settings = settings
        self._pages = pages
        self._complain = complain

    def page(self, address: str, query: Mapping[str, str], base_url: str) -> Document:
        account = to_hex(address)
        if account is None:
            raise errors.index_refusal(errors.NO_ADDRESS, f"no address: {address}")
        self._check(query)
        rows = self._rows(account, query)
        limit = int(query.get("limit", "20"))
        first = self._first(account, query)
        found = rows[first : first + limit]
        meta: Document = {"at": self._chain.milliseconds(self._chain.tip), "page_size": len(found)}
        if first + limit < len(rows) and not self._settings["fingerprint_lost"]:
            self._add_next(meta, account, query, first + limit, base_url)
        return {"data": [self._wire(row) for row in found], "success": True, "meta": meta}

    def _check(self, query: Mapping[str, str]) -> None:
        if unknown := sorted(set(query) - PARAMETERS):
            self._complain(f"unknown parameters {unknown}")
            if self._settings["unknown_fields"] == "refuse":
                raise errors.index_refusal(f"Unknown parameters {unknown}", "")
        for name in FLAGS:
            if query.get(name, "true") not in {"true", "false"}:
                raise errors.index_refusal(f"Invalid {name}", f"{name}={query[name]}")
        if query.get("only_confirmed") == query.get("only_unconfirmed") == "true":
            both = "only_confirmed and only_unconfirmed"
            raise errors.index_refusal(f"{both} exclude each other", both)
        for name in (*TIMES, "limit"):
            if not query.get(name, "1").isdecimal():
                raise errors.index_refusal(f"Invalid {name}", f"{name}={query[name]}")
        if not 1 <= int(query.get("limit", "20")) <= 200:
            raise errors.index_refusal("limit must be at most 200", f"limit={query['limit']}")
        if query.get("order_by", ORDERS[0]) not in ORDERS:
            raise errors.index_refusal("Invalid order_by", f"order_by={query['order_by']}")
        if "contract_address" in query and to_hex(query["contract_address"]) is None:
            wrong = query["contract_address"]
            raise errors.index_refusal("Invalid contract address", f"contract {wrong}")

    def _rows(self, account: str, query: Mapping[str, str]) -> list[Document]:
        rows = [
            row | {"transaction": each, "height": body["height"], "number": body["number"]}
            for each, body in self._chain.known().items()
            if self._shows(each, body, query)
            for row in body["transfers"]
            if account in (row["from"], row["to"]) and self._matches(account, row, query)
        ]
        rows = [row for row in rows if self._in_time(row, query)]
        self._sort(rows, query)
        return [row for row in rows for _ in range(self._settings["repeats"])]

    def _shows(self, transaction: str, body: Document, query: Mapping[str, str]) -> bool:
        """A transaction that failed has no events, and one in no block is not indexed."""
        height = body["height"]
        if height is None or body["result"] != "SUCCESS":
            return False
        if height > self._chain.tip - self._settings["list_lag_blocks"]:
            return False
        is_solid = height <= self._chain.solid
        lost = set(self._settings["lost"])
        if not is_solid:
            lost |= set(self._settings["lost_unconfirmed"])
        if query.get("only_confirmed") == "true":
            lost |= set(self._settings["lost_confirmed"])
            return is_solid and transaction not in lost
        if query.get("only_unconfirmed") == "true":
            return not is_solid and transaction not in lost
        return transaction not in lost

    def _matches(self, account: str, row: Document, query: Mapping[str, str]) -> bool:
        wanted = to_hex(query["contract_address"]) if "contract_address" in query else row["token"]
        if row["token"] != wanted:
            return False
        is_to, is_from = query.get("only_to") == "true", query.get("only_from") == "true"
        if not self._settings["only_to_works"] or is_to == is_from:  # both: as none [S]
            return True
        return bool(row["to"] == account if is_to else row["from"] == account)

    def _in_time(self, row: Document, query: Mapping[str, str]) -> bool:
        moment = self._chain.milliseconds(row["height"])
        lowest = query.get("min_timestamp", query.get("min_block_timestamp", "0"))
        highest = query.get("max_timestamp", query.get("max_block_timestamp", str(10**15)))
        return int(lowest) <= moment <= int(highest)

    def _sort(self, rows: list[Document], query: Mapping[str, str]) -> None:
        if "order_by" not in query and self._settings["list_order"] == "any":
            rows.sort(key=lambda row: row["transaction"])
            return
        is_up = query.get("order_by") == ORDERS[0]
        rows.sort(key=lambda row: (row["height"], row["number"]), reverse=not is_up)

    def _first(self, account: str, query: Mapping[str, str]) -> int:
        given = query.get("fingerprint")
        if given is None:
            return 0
        page = self._pages.get(given)
        if page is None:
            raise errors.index_refusal("Invalid fingerprint", f"fingerprint {given}")
        if page["of"] != _others(account, query):
            raise errors.index_refusal("Invalid fingerprint", "other filters than the page before")
        return int(page["first"])

    def _add_next(
        self, meta: Document, account: str, query: Mapping[str, str], first: int, base_url: str
    ) -> None:
        of = _others(account, query)
        mark = hashlib.sha256(f"{of}{first}".encode()).hexdigest()[:40]
        self._pages.save(mark, {"of": of, "first": first})
        meta["fingerprint"] = mark
        if self._settings["has_links"]:
            others = "&".join(f"{name}={query[name]}" for name in query if name != "fingerprint")
            path = f"/v1/accounts/{to_base58(account)}/transactions/trc20"
            meta["links"] = {"next": f"{base_url}{path}?{others}&fingerprint={mark}"}

    def _wire(self, row: Document) -> Document:
        value: Any = str(row["value"])
        return {
            "transaction_id": row["transaction"],
            "token_info": self._token_info(row["token"]),
            "block_timestamp": self._chain.milliseconds(row["height"]),
            "from": self._address(row["from"]),
            "to": self._address(row["to"]),
            "type": row["type"],
            "value": value if self._settings["value_as"] == "string" else int(value),
        }

    def _address(self, hexed: str) -> str:
        return hexed if self._settings["row_addresses"] == "hex" else to_base58(hexed)

    def _token_info(self, address: str) -> Document:
        token = self._chain.token(address)
        if self._settings["token_info"] == "empty" or token is None:
            return {}
        written = address if self._settings["token_info"] == "hex" else to_base58(address)
        return {"symbol": token["symbol"], "address": written} | {
            "decimals": token["decimals"],
            "name": token["name"],
        }


def _others(account: str, query: Mapping[str, str]) -> str:
    """All that has to stay the same from page to page."""
    kept = {name: query[name] for name in query if name != "fingerprint"}
    return json.dumps([account, kept], sort_keys=True)
