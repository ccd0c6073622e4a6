"""A client of Wompi's payouts for the tests of the fake, written beside the document."""

import itertools
from typing import Any

from tests.rails.fake_server.server import ControlClient
from tests.rails.http_calls import Answer, call, wait_until
from tests.rails.wompi_payouts.company import ACCOUNT_ID, Company

API_KEY = "fake-test-api-key"
EVENTS_SECRET = "test_events_0123456789fakePAYOUTS"
KEY_LINE = {"key": "@elias123", "email": "ana@example.com"}
numbers = itertools.count(1)


class WompiPayoutsClient:
    def __init__(self, url: str, control_url: str, company: Company) -> None:
        self.url = url
        self.control = ControlClient(control_url)
        self.headers = {"x-api-key": API_KEY, "user-principal-id": company.principal_id}

    def get(self, path: str) -> Any:
        """The answer without its envelope, if it has one."""
        answer = call("GET", f"{self.url}{path}", headers=self.headers)
        found = answer.json
        return found["data"] if isinstance(found, dict) and "data" in found else found

    def status_of(self, path: str, **headers: str) -> int:
        return call("GET", f"{self.url}{path}", headers=self.headers | headers).status

    def bank_line(self, **changes: Any) -> dict[str, Any]:
        """A change to None leaves the field out."""
        line = {
            "legalIdType": "CC",
            "legalId": "1099888777",
            "bankId": self.get("/v1/banks")[0]["id"],
            "accountType": "AHORROS",
            "accountNumber": "12345678901",
            "personType": "NATURAL",
            "email": "ana@example.com",
            "description": "Pago 123",
        }
        return self._line(line, changes)

    def key_line(self, **changes: Any) -> dict[str, Any]:
        return self._line(KEY_LINE, changes)

    def _line(self, line: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
        shared = {"name": "Ana Prueba", "amount": 12500000, "reference": f"por-{next(numbers)}"}
        return {
            name: value for name, value in (line | shared | changes).items() if value is not None
        }

    def body(self, lines: list[dict[str, Any]], **changes: Any) -> dict[str, Any]:
        body = {
            "reference": f"batch-{next(numbers)}",
            "accountId": ACCOUNT_ID,
            "paymentType": "PROVIDERS",
            "transactions": lines,
        }
        return {name: value for name, value in (body | changes).items() if value is not None}

    def post(self, path: str, body: Any, key: str | None = None) -> Answer:
        headers = self.headers | {"idempotency-key": key or f"key-{next(numbers)}"}
        return call("POST", f"{self.url}{path}", body, headers)

    def pay(self, *lines: dict[str, Any], key: str | None = None, **changes: Any) -> Answer:
        """To the version that the lines need."""
        sent = list(lines) or [self.bank_line()]
        version = "v2" if any("key" in line for line in sent) else "v1"
        return self.post(f"/{version}/payouts", self.body(sent, **changes), key)

    def create(self, *lines: dict[str, Any], **changes: Any) -> str:
        answer = self.pay(*lines, **changes)
        assert answer.status == 201, answer.content
        return str(answer.json["data"]["payoutId"])

    def lines(self, payout: str) -> list[Any]:
        return list(self.get(f"/v1/payouts/{payout}/transactions")["records"])

    def wait_for(self, payout: str, status: str) -> Any:
        def is_there() -> Any:
            found = self.get(f"/v1/payouts/{payout}")
            return found if found["status"] == status else None

        return wait_until(is_there)
