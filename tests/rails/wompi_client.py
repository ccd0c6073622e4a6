"""A client of Wompi's collections for the tests of the fake, written beside the document."""

import hashlib
import itertools
from typing import Any

from tests.rails.fake_server.server import ControlClient
from tests.rails.http_calls import Answer, call, wait_until

PUBLIC_KEY = "pub_test_0123456789fakeFAKE"
PRIVATE_KEY = "prv_test_0123456789fakeFAKE"
INTEGRITY_SECRET = "test_integrity_0123456789fakeFAKE"
EVENTS_SECRET = "test_events_0123456789fakeFAKE"
CUSTOMER = {
    "full_name": "Ana Prueba",
    "phone_number": "573001234567",
    "legal_id": "1099888777",
    "legal_id_type": "CC",
}
PSE = {
    "type": "PSE",
    "user_type": 0,
    "user_legal_id_type": "CC",
    "user_legal_id": "1099888777",
    "financial_institution_code": "1",
    "payment_description": "Pedido 123",
}
NEQUI = {"type": "NEQUI", "phone_number": "3991111111"}
QR = {"type": "BANCOLOMBIA_QR", "payment_description": "Pedido 123"}
TRANSFER = {"type": "BANCOLOMBIA_TRANSFER", "payment_description": "Pedido 123"}
DAVIPLATA = {
    "type": "DAVIPLATA",
    "user_legal_id": "1099888777",
    "user_legal_id_type": "CC",
    "payment_description": "Pedido 123",
}
numbers = itertools.count(1)


def sign(body: dict[str, Any], secret: str = INTEGRITY_SECRET) -> str:
    signed = f"{body['reference']}{body['amount_in_cents']}{body['currency']}"
    return hashlib.sha256(f"{signed}{body.get('expiration_time', '')}{secret}".encode()).hexdigest()


class WompiClient:
    def __init__(self, url: str, control_url: str) -> None:
        self.url = url
        self.control = ControlClient(control_url)

    def call(self, method: str, path: str, body: Any = None, key: str = PUBLIC_KEY) -> Answer:
        return call(method, f"{self.url}/v1{path}", body, {"Authorization": f"Bearer {key}"})

    def tokens(self) -> dict[str, Any]:
        merchant = call("GET", f"{self.url}/v1/merchants/{PUBLIC_KEY}").json["data"]
        return {
            "acceptance_token": merchant["presigned_acceptance"]["acceptance_token"],
            "accept_personal_auth": merchant["presigned_personal_data_auth"]["acceptance_token"],
        }

    def body(self, method: dict[str, Any] | None = None, **changes: Any) -> dict[str, Any]:
        """A good request with fresh tokens; a change to None leaves the field out."""
        body = self.tokens() | {
            "amount_in_cents": 2490000,
            "currency": "COP",
            "customer_email": "ana@example.com",
            "reference": f"chg-{next(numbers)}",
            "redirect_url": "https://pay.example.co/return/1",
            "customer_data": CUSTOMER,
            "payment_method": method or PSE,
        }
        body |= changes
        signature = {"signature": sign(body)} if "signature" not in changes else {}
        return {name: value for name, value in (body | signature).items() if value is not None}

    def post(self, method: dict[str, Any] | None = None, **changes: Any) -> Answer:
        return self.call("POST", "/transactions", self.body(method, **changes))

    def create(self, method: dict[str, Any] | None = None, **changes: Any) -> Any:
        answer = self.post(method, **changes)
        assert answer.status == 201, answer.content
        return answer.json["data"]

    def poll(self, number: str) -> Any:
        return self.call("GET", f"/transactions/{number}").json["data"]

    def poll_until(self, number: str, status: str) -> Any:
        def is_there() -> Any:
            found = self.poll(number)
            return found if found["status"] == status else None

        return wait_until(is_there)

    def poll_for_url(self, number: str, field: str = "async_payment_url") -> Any:
        return wait_until(lambda: self.poll(number)["payment_method"]["extra"].get(field))

    def search(self, **query: Any) -> Answer:
        pairs = "&".join(f"{name}={value}" for name, value in query.items())
        return self.call("GET", f"/transactions?{pairs}", key=PRIVATE_KEY)
