"""Blocks and transactions. A block's id is its height in 16 hex digits and 48 of a hash [S]."""

import hashlib
import time
from typing import Any

from tests.chains.fake_tron.addresses import to_hex
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document, Store

FIRST_HEIGHT = 66_000_000
PAYER = "415a523b449890854c8fc460ab602df9f31fe4293f"
USDT = "41a614f803b6fd780986a42c78ec9c7f77e6ded13c"
USDT_TOKEN = {"symbol": "USDT", "name": "Tether USD", "decimals": 6}


class Chain:
    def __init__(self, store: Store, settings: Settings) -> None:
        self._started = time.time()
        self._settings = settings
        self._facts = store.table("chain")
        self._salts = store.table("salt")
        self.transactions = store.table("transaction")
        self._tokens = store.table("token")

    @property
    def tip(self) -> int:
        mined = int(self._facts.get("tip", FIRST_HEIGHT))
        if not self._settings["mines_itself"]:
            return mined
        return mined + int((time.time() - self._started) / self._settings["block_seconds"])

    @property
    def solid(self) -> int:
        """As the solidity API sees it."""
        behind = self._settings["solid_depth"] + self._settings["solidity_lag_blocks"]
        return max(0, self.tip - int(behind))

    def token(self, address: str) -> Document | None:
        found = self._tokens.get(address)
        return USDT_TOKEN if found is None and address == USDT else found

    def add_token(self, address: str, token: Document) -> None:
        self._tokens.save(address, token)

    def block_id(self, height: int) -> str:
        if height == 0:
            middle = hashlib.sha256(b"genesis").hexdigest()[:40]
            return "0" * 16 + middle + str(self._settings["chain_id"])
        salt = self._salts.get(str(height), "")
        return f"{height:016x}" + hashlib.sha256(f"{salt}:{height}".encode()).hexdigest()[:48]

    def milliseconds(self, height: int) -> int:
        age = self._settings["tip_age_seconds"]
        age += (self.tip - height) * self._settings["block_seconds"]
        return int(time.time() - age) * 1000

    def block(self, height: int) -> Document:
        """Only the header; `detail` adds `transactions`."""
        header = {
            "number": height,
            "txTrieRoot": "0" * 64,
            "witness_address": "41e7860196ad5b5718c1d6326babab039b70b8c1cd",
            "parentHash": self.block_id(height - 1) if height else "0" * 64,
            "version": 34,
            "timestamp": self.milliseconds(height),
        }
        if height == 0:
            del header["number"], header["timestamp"]  # a zero is not written [?]
        signed = {"raw_data": header, "witness_signature": "5b" * 65}
        return {"blockID": self.block_id(height), "block_header": signed}

    def mine(self, blocks: int, transactions: list[str]) -> None:
        for each in transactions:
            self._place(each, self.tip + 1)
        self._facts.save("tip", self._facts.get("tip", FIRST_HEIGHT) + blocks)

    def _place(self, transaction: str, height: int | None) -> None:
        body = self.transactions[transaction]
        self.transactions.save(transaction, body | {"height": height})

    def create(self, given: Document) -> str:
        """Into a new block, or into none while `mined` is false."""
        number = self.transactions.count("number")
        transaction = hashlib.sha256(f"transaction {number}".encode()).hexdigest()
        body = {
            "transfers": [_transfer(each) for each in given["transfers"]],
            "result": given.get("result", "SUCCESS"),
            "logs_before": given.get("logs_before", 0),
            "height": None,
            "number": number,
        }
        self.transactions.save(transaction, body)
        if given.get("mined", True):
            self.mine(1, [transaction])
        return transaction

    def fork(self, depth: int, dropped: list[str]) -> None:
        """Other ids from the first replaced block on; the height stays."""
        first = self.tip - depth + 1
        for height in range(first, self.tip + 1):
            self._salts.save(str(height), self._salts.get(str(height), "") + "x")
        for each, body in self.known().items():
            if body["height"] is not None and body["height"] >= first:
                self._place(each, None if each in dropped else first)

    def known(self) -> dict[str, Document]:
        return {key: body for key, body in self.transactions.as_dict().items() if key != "number"}

    def find(self, transaction: str) -> Document | None:
        return self.known().get(transaction)


def _transfer(given: Document) -> Document:
    transfer: dict[str, Any] = {
        "from": to_hex(given.get("from", PAYER)),
        "to": to_hex(given["to"]),
        "token": to_hex(given.get("token", USDT)),
        "value": int(given["value"]),
        "type": given.get("type", "Transfer"),
    }
    if None in transfer.values():
        raise ValueError(f"no address in {given}")
    return transfer
