"""/wallet/gettransactioninfobyid, and the same under /walletsolidity for solid blocks [S]."""

from tests.chains.fake_tron.chain import Chain
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document

TRANSFER = "ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"
APPROVAL = "8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925"
OTHER_EVENT = "c66625d03b4a832d8245f0df593e32e0fbbbad96d4aa45440aa1535b80983083"


class Receipts:
    def __init__(self, chain: Chain, settings: Settings) -> None:
        self._chain = chain
        self._settings = settings

    def find(self, transaction: str, *, solid: bool) -> Document:
        """{} for what is in no block, or in none that is solid."""
        body = self._chain.find(transaction)
        if body is None or body["height"] is None:
            return {}
        newest = self._chain.tip - self._settings["receipt_lag_blocks"]
        if body["height"] > (min(newest, self._chain.solid) if solid else newest):
            return {}
        return self._wire(transaction, body)

    def _wire(self, transaction: str, body: Document) -> Document:
        succeeded = body["result"] == "SUCCESS"
        receipt = {"energy_usage_total": 64285, "net_usage": 345}
        wire: Document = {
            "id": transaction,
            "fee": 13_844_850,
            "blockNumber": body["height"],
            "blockTimeStamp": self._chain.milliseconds(body["height"]),
            "contractResult": ["" if succeeded else "08c379a0"],
            "receipt": receipt | {"result": self._word(body["result"])},
        }
        if body["transfers"]:
            wire["contract_address"] = body["transfers"][0]["token"]
        if not succeeded:  # success is the enum's zero, and a zero is not written
            return wire | {"result": "FAILED", "resMessage": "5245564552542065786563757465"}
        if logs := self._logs(body):
            wire["log"] = logs
        return wire

    def _word(self, result: str) -> str:
        return str(self._settings["success_word"]) if result == "SUCCESS" else result

    def _logs(self, body: Document) -> list[Document]:
        token = body["transfers"][0]["token"] if body["transfers"] else "41" + "00" * 20
        other = {"address": self._address(token), "topics": [OTHER_EVENT], "data": "00" * 32}
        return [other] * body["logs_before"] + [self._log(each) for each in body["transfers"]]

    def _log(self, transfer: Document) -> Document:
        event = TRANSFER if transfer["type"] == "Transfer" else APPROVAL
        topics = [event, _padded(transfer["from"]), _padded(transfer["to"])]
        data = f"{transfer['value']:064x}"
        return {"address": self._address(transfer["token"]), "topics": topics, "data": data}

    def _address(self, hexed: str) -> str:
        return hexed if self._settings["log_addresses"] == "tron" else hexed[2:]


def _padded(hexed: str) -> str:
    return hexed[2:].rjust(64, "0")
