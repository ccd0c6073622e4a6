"""Wompi's HTTP API: addresses, keys, and the shape of its errors."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from django.utils.translation import gettext

from payments.providers import http
from payments.providers.account import InvalidCredentials, Mode, RailAccount
from payments.providers.ports import ProviderTimeout

HOSTS = {
    Mode.SANDBOX: "https://sandbox.wompi.co/v1",
    Mode.LIVE: "https://production.wompi.co/v1",
}
# For each mode: the prefix of each credential, and the name of the environment in events.
PREFIXES = {
    Mode.SANDBOX: {
        "public_key": "pub_test_",
        "private_key": "prv_test_",
        "integrity_secret": "test_integrity_",
        "events_secret": "test_events_",
    },
    Mode.LIVE: {
        "public_key": "pub_prod_",
        "private_key": "prv_prod_",
        "integrity_secret": "prod_integrity_",
        "events_secret": "prod_events_",
    },
}
ENVIRONMENTS = {Mode.SANDBOX: "test", Mode.LIVE: "prod"}
PAGE_SIZE = "200"
BANK = {"financial_institution_code", "financial_institution_name"}


def check_credentials(account: RailAccount) -> None:
    """Raises InvalidCredentials, also for credentials of the other environment."""
    for name, prefix in PREFIXES[account.mode].items():
        value = account.credentials.get(name, "")
        if not value.startswith(prefix) or value == prefix:
            raise InvalidCredentials(name, gettext("It begins with %s in this mode.") % prefix)


@dataclass(frozen=True, slots=True)
class WompiClient:
    account: RailAccount

    @property
    def base_url(self) -> str:
        return self.account.base_url or HOSTS[self.account.mode]

    def merchant(self) -> dict[str, Any]:
        return data_of(self.merchant_answer())

    def merchant_answer(self) -> http.RailAnswer:
        key = self.account.credentials["public_key"]
        return self._get(f"/merchants/{key}", "wompi.merchant", key="")

    def banks(self) -> list[dict[str, Any]]:
        path = "/pse/financial_institutions"
        found = self._get(path, "wompi.banks", key="public_key").body
        if not isinstance(found, dict) or not isinstance(found.get("data"), list):
            raise ProviderTimeout("the banks have another shape")
        banks = list(found["data"])
        if not all(isinstance(one, dict) and BANK.issubset(one) for one in banks):
            raise ProviderTimeout("a bank has another shape")
        return banks

    def create(self, body: Mapping[str, Any]) -> http.RailAnswer:
        """Creates a transaction. Returns a 4xx instead of raising an error."""
        return http.call(
            http.RailCall(
                method="POST",
                url=f"{self.base_url}/transactions",
                operation="wompi.create",
                reference=str(body["reference"]),
                headers=self._headers("public_key"),
                json=body,
            )
        )

    def transactions_of(self, reference: str) -> list[dict[str, Any]]:
        """The transactions, newest first. Empty if the rail does not know the reference."""
        query = {"reference": reference, "page_size": PAGE_SIZE}
        answer = self._get(
            "/transactions", "wompi.query", key="private_key", reference=reference, query=query
        )
        if not isinstance(answer.body, dict) or not isinstance(answer.body.get("data"), list):
            raise ProviderTimeout("the transactions have another shape")
        # The rail's filter is not trusted with money: transactions of other references are left
        # out.
        return [one for one in answer.body["data"] if one.get("reference") == reference]

    def transaction(self, transaction_id: str) -> dict[str, Any] | None:
        """None if the rail does not know the id."""
        path = f"/transactions/{quote(transaction_id, safe='')}"
        answer = self._send_get(path, "wompi.query_by_id", key="public_key")
        if answer.status == 404 and any(error_messages(answer)):
            return None  # a 404 of another shape comes from what stands before the rail
        return data_of(_success(answer, "wompi.query_by_id"))

    def _get(
        self,
        path: str,
        operation: str,
        *,
        key: str,
        reference: str = "",
        query: Mapping[str, str] | None = None,
    ) -> http.RailAnswer:
        answer = self._send_get(path, operation, key=key, reference=reference, query=query)
        return _success(answer, operation)

    def _send_get(
        self,
        path: str,
        operation: str,
        *,
        key: str,
        reference: str = "",
        query: Mapping[str, str] | None = None,
    ) -> http.RailAnswer:
        """4xx are returned."""
        return http.call(
            http.RailCall(
                method="GET",
                url=self.base_url + path,
                operation=operation,
                reference=reference,
                headers=self._headers(key),
                query=query or {},
            )
        )

    def _headers(self, key: str) -> dict[str, str]:
        headers = {"Accept": "application/json", "Content-Type": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {self.account.credentials[key]}"
        return headers


def _success(answer: http.RailAnswer, operation: str) -> http.RailAnswer:
    if not answer.is_success:
        raise ProviderTimeout(f"{operation}: {answer.status}")
    return answer


def data_of(answer: http.RailAnswer) -> dict[str, Any]:
    """The `data` of the response. Raises ProviderTimeout for another shape."""
    body = answer.body
    if not isinstance(body, dict) or not isinstance(body.get("data"), dict):
        raise ProviderTimeout("the answer has another shape")
    found: dict[str, Any] = body["data"]
    return found


def error_messages(answer: http.RailAnswer) -> Iterator[tuple[str, str]]:
    """(field, text) of `{"error": {"messages": {field: [text]}}}`; ("", text) of a `reason`."""
    error = answer.body.get("error") if isinstance(answer.body, dict) else None
    if not isinstance(error, dict):
        return
    if isinstance(reason := error.get("reason"), str):
        yield "", reason
    messages = error.get("messages")
    if isinstance(messages, dict):
        for name, texts in messages.items():
            for text in texts if isinstance(texts, list) else [texts]:
                yield str(name), str(text)
