"""The HTTP API: a node's calls under /wallet and /walletsolidity, and TronGrid's index under /v1.

A node answers a wrong question with status 200 and {"Error": …}, and an unknown thing with {}.
TronGrid's limits are 429, 403 or 503: payments.providers.http makes Unreachable of the first two.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from payments.providers import http
from payments.providers.ports import ProviderTimeout
from payments.providers.tron.account import TronSettings

KEY_HEADER = "TRON-PRO-API-KEY"
# Blocks come without their transactions, but an old node only has the call that shows all of them.
BLOCK_BYTES = 8 * 1024 * 1024
_NO_SUCH_CALL = (404, 405)


@dataclass(frozen=True, slots=True)
class TronClient:
    settings: TronSettings

    def newest_block(self, *, is_solid: bool) -> dict[str, Any]:
        """Without the transactions, where the node is not too old for that."""
        node = "walletsolidity" if is_solid else "wallet"
        answer = self._post(f"/{node}/getblock", {"detail": False}, "tron.block")
        if answer.status in _NO_SUCH_CALL:
            answer = self._post(f"/{node}/getnowblock", {}, "tron.block")
        return _object(answer)

    def first_block(self) -> dict[str, Any]:
        return _object(self._post("/wallet/getblockbynum", {"num": 0}, "tron.first_block"))

    def transaction(self, transaction: str, *, is_solid: bool) -> dict[str, Any]:
        """The receipt. Empty for what the node does not know, or not as solid."""
        node = "walletsolidity" if is_solid else "wallet"
        path = f"/{node}/gettransactioninfobyid"
        return _object(self._post(path, {"value": transaction}, "tron.receipt"))

    def call_contract(self, contract: str, function: str, caller: str) -> dict[str, Any]:
        """A function that only reads, without parameters."""
        body = {
            "owner_address": caller,
            "contract_address": contract,
            "function_selector": function,
            "visible": True,
        }
        return _object(self._post("/wallet/triggerconstantcontract", body, "tron.contract"))

    def transfers(self, address: str, query: Mapping[str, str]) -> http.RailAnswer:
        """One page of the index."""
        path = f"/v1/accounts/{address}/transactions/trc20"
        answer = self._call("GET", path, "tron.transfers", query=query)
        body = answer.body
        if not answer.is_success or not isinstance(body, dict) or body.get("success") is not True:
            raise ProviderTimeout(f"tron.transfers: {answer.status} {_reason(body)}")
        return answer

    def _post(self, path: str, body: Mapping[str, Any], operation: str) -> http.RailAnswer:
        return self._call("POST", path, operation, body=body)

    def _call(
        self,
        method: str,
        path: str,
        operation: str,
        *,
        body: Mapping[str, Any] | None = None,
        query: Mapping[str, str] | None = None,
    ) -> http.RailAnswer:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if self.settings.api_key:
            headers[KEY_HEADER] = self.settings.api_key
        return http.call(
            http.RailCall(
                method=method,
                url=self.settings.base_url + path,
                operation=operation,
                headers=headers,
                query=query or {},
                json=body,
                max_bytes=BLOCK_BYTES,
            )
        )


def _object(answer: http.RailAnswer) -> dict[str, Any]:
    """Of a node. Raises ProviderTimeout for an error, and for another shape."""
    body = answer.body
    if not answer.is_success or not isinstance(body, dict) or "Error" in body:
        raise ProviderTimeout(f"the node refused: {answer.status} {_reason(body)}")
    return body


def _reason(body: object) -> str:
    if not isinstance(body, dict):
        return ""
    return str(body.get("Error") or body.get("error") or "")[:200]
