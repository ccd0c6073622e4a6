"""JSON-RPC with an operator's own node, over payments.providers.http.

Every call only reads, so a doubtful one may be sent again.
"""

import itertools
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from payments.providers import http
from payments.providers.ports import ProviderTimeout

_ids = itertools.count(1)
_MESSAGE_CHARACTERS = 200


class RpcError(ProviderTimeout):
    """The node answered with an error. The text is the node's: for logs, never for payers."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(f"{code}: {message[:_MESSAGE_CHARACTERS]}")
        self.code = code


@dataclass(frozen=True, slots=True)
class Ask:
    method: str
    params: Sequence[object] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class JsonRpc:
    """
    name       of the operation in the log: `bitcoin` becomes `bitcoin.getblock`.
    headers    of each request, such as those of `basic_auth`.
    in_batches sends a single call as a batch of one. Bitcoin Core answers an error of a single call
               with HTTP 500, which hides it, and an error in a batch with 200.
    """

    url: str = field(repr=False)
    name: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    in_batches: bool = False
    timeout: float | None = None

    def ask(self, method: str, *params: object, max_bytes: int = http.MAX_BODY_BYTES) -> Any:
        """The result. Raises RpcError, ProviderTimeout and ProviderUnreachable."""
        asked = Ask(method, params)
        if self.in_batches:
            result = self.ask_all([asked], max_bytes=max_bytes)[0]
        else:
            request = _request(asked)
            result = _result(self._send(request, method, max_bytes), request["id"])
        if isinstance(result, RpcError):
            raise result
        return result

    def ask_all(self, asked: Sequence[Ask], *, max_bytes: int = http.MAX_BODY_BYTES) -> list[Any]:
        """One request. The results in the order of the questions; of a refused one its RpcError."""
        if not asked:
            return []
        requests = [_request(one) for one in asked]
        answers = self._send(requests, asked[0].method, max_bytes)
        if not isinstance(answers, list) or len(answers) != len(requests):
            raise _whole_error(answers) or ProviderTimeout("the batch has another shape")
        by_id = {str(one.get("id")): one for one in answers if isinstance(one, dict)}
        return [_result(by_id.get(str(one["id"])), one["id"]) for one in requests]

    def _send(self, body: Any, operation: str, max_bytes: int) -> Any:
        answer = http.call(
            http.RailCall(
                method="POST",
                url=self.url,
                operation=f"{self.name}.{operation}",
                headers={**self.headers, "Content-Type": "application/json"},
                json=body,
                timeout=self.timeout,
                max_bytes=max_bytes,
                is_own_node=True,
            )
        )
        if not answer.is_success and not isinstance(answer.body, dict | list):
            raise ProviderTimeout(f"status {answer.status}")
        return answer.body


def basic_auth(user: str, password: str) -> dict[str, str]:
    return {"Authorization": "Basic " + b64encode(f"{user}:{password}".encode()).decode()}


def _request(asked: Ask) -> dict[str, object]:
    return {
        "jsonrpc": "2.0",
        "id": next(_ids),
        "method": asked.method,
        "params": list(asked.params),
    }


def _result(answer: object, request_id: object) -> Any:
    """Raises ProviderTimeout for an answer to another question, or of another shape."""
    if not isinstance(answer, dict):
        raise ProviderTimeout("the answer has another shape")
    error = answer.get("error")
    if error is not None:
        return _error(error)
    if answer.get("id") != request_id or "result" not in answer:
        raise ProviderTimeout("the answer is to another question")
    return answer["result"]


def _whole_error(answer: object) -> RpcError | None:
    """A node may refuse a whole batch by one error."""
    if isinstance(answer, dict) and answer.get("error") is not None:
        return _error(answer["error"])
    return None


def _error(error: object) -> RpcError:
    """Some nodes send a text, or an object without a code."""
    if not isinstance(error, dict):
        return RpcError(0, str(error))
    code = error.get("code")
    return RpcError(code if isinstance(code, int) else 0, str(error.get("message", "")))
