"""The HTTP API of Wompi's payouts: addresses, keys, and the shape of its answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext

from payments.providers import http
from payments.providers.account import InvalidCredentials, Mode, RailAccount
from payments.providers.ports import ProviderTimeout

HOSTS = {
    Mode.SANDBOX: "https://api.sandbox.payouts.wompi.co",
    Mode.LIVE: "https://api.payouts.wompi.co",
}
EVENTS_PREFIX = {Mode.SANDBOX: "test_events_", Mode.LIVE: "prod_events_"}


def check_credentials(account: RailAccount) -> None:
    """Raises InvalidCredentials. Only the events secret shows its environment."""
    for name in ("api_key", "user_principal_id", "account_id"):
        if not account.credentials.get(name):
            raise InvalidCredentials(name, gettext("It is missing."))
    if "@" not in account.credentials.get("email", ""):
        raise InvalidCredentials("email", gettext("It is no e-mail address."))
    prefix = EVENTS_PREFIX[account.mode]
    if not account.credentials.get("events_secret", "").startswith(prefix):
        raise InvalidCredentials(
            "events_secret", gettext("It begins with %s in this mode.") % prefix
        )


@dataclass(frozen=True, slots=True)
class PayoutsClient:
    account: RailAccount

    def get(
        self, path: str, operation: str, *, reference: str = "", timeout: float | None = None
    ) -> http.RailAnswer:
        """4xx are returned."""
        return self._call("GET", path, operation, reference=reference, timeout=timeout)

    def post(
        self, path: str, body: Mapping[str, Any], *, reference: str, timeout: float
    ) -> http.RailAnswer:
        """`reference` is the idempotency key. The rail refuses a repetition for 24 hours."""
        return self._call(
            "POST",
            path,
            "wompi_payouts.send",
            reference=reference,
            headers={"idempotency-key": reference},
            json=body,
            timeout=timeout,
        )

    def _call(
        self,
        method: str,
        path: str,
        operation: str,
        *,
        headers: Mapping[str, str] | None = None,
        **more: Any,
    ) -> http.RailAnswer:
        credentials = self.account.credentials
        keys = {
            "x-api-key": credentials["api_key"],
            "user-principal-id": credentials["user_principal_id"],
            "Content-Type": "application/json",
        }
        base = self.account.base_url or HOSTS[self.account.mode]
        return http.call(
            http.RailCall(
                method=method,
                url=base + path,
                operation=operation,
                headers=keys | dict(headers or {}),
                **more,
            )
        )


def data_of(answer: http.RailAnswer) -> Any:
    """Some answers have an envelope and some have none."""
    body = answer.body
    return body["data"] if isinstance(body, dict) and "data" in body else body


def rows_of(answer: http.RailAnswer) -> list[dict[str, Any]]:
    """A list, a page of records, or one record. Raises ProviderTimeout for another shape."""
    data = data_of(answer)
    if isinstance(data, dict):
        data = data.get("records", [data])
    if not isinstance(data, list) or not all(isinstance(row, dict) for row in data):
        raise ProviderTimeout("the answer has another shape")
    return data


def error_code(answer: http.RailAnswer) -> str:
    body = answer.body
    return str(body.get("code", "")) if isinstance(body, dict) else ""


def is_own_error(answer: http.RailAnswer) -> bool:
    """Whether it has the documented shape. What stands before the rail answers in another one."""
    body = answer.body
    if not isinstance(body, dict) or body.get("status") != answer.status:
        return False
    return all(isinstance(body.get(name), str) and body[name] for name in ("code", "type"))
