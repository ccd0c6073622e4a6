"""The persons of a payment, from the outside: merchant, payer, bank and receiver.

The receiver checks signatures as the contract's text says, with code of its own. A file that
imports these fixtures has this merchant, and its books are checked after each test.
"""

import hashlib
import hmac
import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from django.test import Client
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from merchants.models import Merchant
from payments.core import clock
from payments.ledger import services as ledger
from payments.rates import services as rates
from tests.support.factories import MerchantFactory, order_body
from tests.support.fixtures import ApiClient

RETRY_DELAYS = [0, 300, 1800, 7200, 86400]


class Receiver:
    """A merchant's webhook endpoint on a real socket. It believes only what is signed and fresh."""

    def __init__(self, server: HTTPServer) -> None:
        self.server = server
        self.url = server.url_for("/hooks")
        self.secret = ""
        self.posts: list[Request] = []
        self.answer: Callable[[], Response] = lambda: Response('{"received":true}', 200)
        server.expect_request("/hooks", method="POST").respond_with_handler(self._receive)

    def _receive(self, request: Request) -> Response:
        request.get_data(cache=True)
        self.posts.append(request)
        return self.answer()

    def believed(self) -> list[dict[str, Any]]:
        """The events that came with a good signature; all of them must have one."""
        assert all(self.accepts(post, clock.now()) for post in self.posts)
        return [json.loads(post.get_data()) for post in self.posts]

    def accepts(self, post: Request, now: datetime, body: bytes | None = None) -> bool:
        """Contract, Signature, rules 1 to 4, word by word."""
        timestamp = post.headers["X-Service-Timestamp"]
        raw = post.get_data() if body is None else body
        signed = timestamp.encode() + b"." + raw
        expected = hmac.new(self.secret.encode(), signed, hashlib.sha256).hexdigest()
        fresh = abs(now.timestamp() * 1000 - int(timestamp)) <= 300_000
        return fresh and hmac.compare_digest(
            post.headers["X-Service-Signature"], f"sha256={expected}"
        )


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    # Threads of its own: a slow answer must not hold up the next request in the test's place.
    with HTTPServer(threaded=True) as server:
        yield Receiver(server)


@pytest.fixture
def merchant(receiver: Receiver, settings: Any) -> Merchant:
    """Café Andino, whose webhooks go to the receiver. Only the test runs the pump."""
    settings.DOORBELL = False
    settings.WEBHOOK_RETRY_DELAYS = RETRY_DELAYS
    rates.load_default_rates(now=clock.now())
    merchant = MerchantFactory(webhook_url=receiver.url)
    receiver.secret = merchant.webhook_secret
    return merchant


@pytest.fixture
def api(merchant: Merchant) -> ApiClient:
    return ApiClient(merchant)


@pytest.fixture
def payer() -> Client:
    """A browser with cookies, and CSRF checks as in earnest."""
    return Client(enforce_csrf_checks=True)


@pytest.fixture(autouse=True)
def _books_add_up(transactional_db: None) -> Iterator[None]:
    yield
    assert ledger.verify().problems == []


def create(api: ApiClient, **changes: Any) -> dict[str, Any]:
    response = api.post("/collect", order_body(amount=50000, **changes))
    assert response.status_code == 201
    return response.body["data"]


def read(api: ApiClient, order: dict[str, Any]) -> dict[str, Any]:
    return api.get(f"/collect/{order['id']}").body["data"]


def told(kind: str, order: dict[str, Any], at: str, **changes: Any) -> dict[str, Any]:
    """What the receiver must be told of an order of 50,000, field by field."""
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", at)
    data = {
        "id": order["id"],
        "reference": order["reference"],
        "amount": 50025,
        "baseAmount": 50000,
        "feeAmount": 25,
        "currency": "COP",
        "paidAt": order["paidAt"],
        "metadata": {},
        **changes,
    }
    return {"event": kind, "data": data, "timestamp": at}


def submit(browser: Client, path: str, **fields: str) -> Any:
    """Opens the page of a form and sends it with its token, as a browser would."""
    page = browser.get(path)
    assert page.status_code == 200, path
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.content.decode())
    assert token, path
    return browser.post(path, {"csrfmiddlewaretoken": token[1], **fields})


def pay_at_the_bank(payer: Client, order: dict[str, Any], decision: str) -> str:
    """PSE: the payment page, the bank, a decision there, and back. Returns where it led."""
    page = order["collectUrl"].removeprefix("http://testserver")
    assert payer.get(page).status_code == 200
    started = submit(
        payer,
        f"{page}/pse",
        bank="1007",
        person_type="NATURAL",
        document_type="CC",
        document_number="1.020.304.050",
        name="María Fernanda Ñáñez",
        email="maria@example.com",
        phone="300 123 4567",
        consent="on",
    )
    assert (started.status_code, started.headers["Location"]) == (303, f"{page}/go")
    bank = re.search(r"/simulator/bank/\w+", payer.get(f"{page}/go").content.decode())
    assert bank
    back = submit(payer, bank[0], decision=decision)
    assert back.status_code == 302
    return str(back.headers["Location"])


def deposit(payer: Client, order: dict[str, Any], amount: str) -> None:
    """Bank transfer: asks for the account, then plays the deposit at the simulator's desk."""
    page = order["collectUrl"].removeprefix("http://testserver")
    choice = payer.get(f"{page}/methods").content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', choice)
    assert token
    assert payer.post(f"{page}/transfer", {"csrfmiddlewaretoken": token[1]}).status_code == 303
    desk = re.search(r"/simulator/transfer/\w+", payer.get(page).content.decode())
    assert desk
    assert submit(payer, desk[0], amount=amount).status_code == 302
