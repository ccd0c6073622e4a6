"""The whole story of a collection, from the outside: merchant, payer, bank and receiver.

The receiver checks signatures as the contract's text says, with code of its own.
"""

import hashlib
import hmac
import json
import re
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
import time_machine
from django.test import Client
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from merchants import services as merchants
from merchants.models import Merchant
from payments.collect import tasks
from payments.core import clock
from payments.ledger import services as ledger
from payments.rates import services as rates
from tests.factories import MerchantFactory, order_body
from tests.fixtures import ApiClient
from webhooks import pump

pytestmark = pytest.mark.django_db(transaction=True)
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
    """Café Andino, whose webhooks go to the receiver. Nobody but the test runs the pump."""
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


def available(merchant: Merchant, currency: str = "COPM") -> Decimal:
    return ledger.balances(merchant.pk).get(currency, {}).get("available", Decimal(0))


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


def test_a_payment_at_the_bank_reaches_balance_and_receiver(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver
) -> None:
    order = create(api, metadata={"pedido": 7, "precio": Decimal("1.10")})
    assert order["status"] == "PENDING"

    back = pay_at_the_bank(payer, order, "approve")

    assert back == f"{order['collectUrl']}/return"
    assert payer.get(back).status_code in (302, 303)
    paid = read(api, order)
    assert (paid["status"], paid["selectedMethod"]) == ("COMPLETED", "PSE")
    assert available(merchant) == 50000

    assert receiver.posts == []  # nothing is sent while a request is answered
    pump.run()
    (event,) = receiver.believed()
    assert event == told(
        "payment.completed",
        paid,
        event["timestamp"],
        status="COMPLETED",
        metadata={"pedido": 7, "precio": 1.1},
    )
    assert event["data"]["paidAt"] is not None
    (post,) = receiver.posts
    assert post.headers["Content-Type"] == "application/json"
    assert not receiver.accepts(post, clock.now(), post.get_data() + b" ")
    assert not receiver.accepts(post, clock.now() + timedelta(seconds=301))
    assert pump.run().sent == 0
    assert len(receiver.posts) == 1
    statistics = api.get("/collect/stats").body["data"]
    assert (statistics["completed"], statistics["totalCollected"]) == (1, "50025")


def test_a_transfer_in_two_parts(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver
) -> None:
    order = create(api)
    deposit(payer, order, "20000")
    assert read(api, order)["status"] == "WAITING_TRANSFER"
    assert available(merchant) == 0
    pump.run()
    assert receiver.posts == []

    desk = re.search(
        r"/simulator/transfer/\w+",
        payer.get(order["collectUrl"].removeprefix("http://testserver")).content.decode(),
    )
    assert desk
    submit(payer, desk[0], amount="30025")
    assert read(api, order)["status"] == "COMPLETED"
    assert available(merchant) == 50000
    pump.run()
    assert [event["event"] for event in receiver.believed()] == ["payment.completed"]


@pytest.mark.parametrize("method", ["PSE", "BANK_TRANSFER", "CRYPTO"])
def test_the_sandbox_plays_the_same_story(
    api: ApiClient, merchant: Merchant, receiver: Receiver, method: str
) -> None:
    order = create(api)
    wish = {"status": "COMPLETED", "method": method}
    assert api.post(f"/sandbox/collect/{order['id']}", wish).status_code == 200

    assert read(api, order)["selectedMethod"] == method
    assert available(merchant) == 50000
    pump.run()
    (event,) = receiver.believed()
    assert (event["event"], event["data"]["amount"]) == ("payment.completed", 50025)


def test_a_payment_that_the_bank_refuses(
    api: ApiClient, merchant: Merchant, payer: Client, receiver: Receiver
) -> None:
    order = create(api)
    pay_at_the_bank(payer, order, "refuse")

    failed = read(api, order)
    assert (failed["status"], failed["paidAt"]) == ("FAILED", None)
    assert available(merchant) == 0
    pump.run()
    (event,) = receiver.believed()
    assert event == told("payment.failed", failed, event["timestamp"], status="FAILED")
    assert event["data"]["paidAt"] is None


@pytest.mark.parametrize("enabled", [True, False])
def test_an_order_that_nobody_pays(
    api: ApiClient, merchant: Merchant, receiver: Receiver, enabled: bool
) -> None:
    merchant.event_kinds = ["payment.expired"] if enabled else []
    merchant.save()
    order = create(api, expirationMinutes=5)

    with time_machine.travel(clock.now() + timedelta(minutes=4, seconds=50)) as traveller:
        tasks.expire_due()
        assert read(api, order)["status"] == "PENDING"
        traveller.shift(11)
        tasks.expire_due()
        assert read(api, order)["status"] == "EXPIRED"
        assert available(merchant) == 0
        pump.run()
        events = receiver.believed()
        assert len(events) == enabled
        for event in events:
            expired = read(api, order)
            assert event == told("payment.expired", expired, event["timestamp"], status="EXPIRED")
            assert event["data"]["paidAt"] is None


def test_a_merchant_without_a_receiver_is_still_paid(api: ApiClient, merchant: Merchant) -> None:
    merchant.webhook_url = ""
    merchant.save()
    order = create(api)
    api.post(f"/sandbox/collect/{order['id']}", {"status": "COMPLETED"})
    pump.run()

    assert read(api, order)["status"] == "COMPLETED"
    assert available(merchant) == 50000


class TestABadReceiver:
    """Five POSTs in all: at once, then after 5 min, 30 min, 2 h and 24 h (docs/gaps.md)."""

    @pytest.fixture
    def paid(self, api: ApiClient) -> dict[str, Any]:
        order = create(api)
        api.post(f"/sandbox/collect/{order['id']}", {"status": "COMPLETED"})
        return order

    def run_through(self, receiver: Receiver) -> list[bool]:
        """Runs the pump at every due time; whether each attempt was believed at its time."""
        believed = []
        with time_machine.travel(clock.now(), tick=True) as traveller:
            for delay in [*RETRY_DELAYS, 7 * 86400]:
                before = len(receiver.posts)
                if delay:
                    traveller.shift(delay - 5)
                    pump.run()
                    assert len(receiver.posts) == before  # not a moment too early
                    traveller.shift(6)
                pump.run()
                believed += [
                    receiver.accepts(post, clock.now()) for post in receiver.posts[before:]
                ]
        return believed

    @pytest.mark.parametrize("status", [500, 404, 301, 302, 307])
    def test_every_attempt_is_signed_anew_and_the_body_never_changes(
        self, receiver: Receiver, paid: dict[str, Any], status: int
    ) -> None:
        elsewhere = {"Location": receiver.server.url_for("/elsewhere")}
        receiver.answer = lambda: Response("no", status, headers=elsewhere)

        assert self.run_through(receiver) == [True] * 5
        assert len({post.get_data() for post in receiver.posts}) == 1
        assert len({post.headers["X-Service-Signature"] for post in receiver.posts}) == 5
        assert len({post.headers["X-Service-Event-Id"] for post in receiver.posts}) == 1
        attempts = [post.headers["X-Service-Attempt"] for post in receiver.posts]
        assert attempts == ["1", "2", "3", "4", "5"]
        # A redirect is an answer that is not 2xx: it is never followed.
        assert {request.path for request, _ in receiver.server.log} == {"/hooks"}

    def test_once_it_answers_2xx_nothing_more_is_sent(
        self, receiver: Receiver, paid: dict[str, Any]
    ) -> None:
        statuses = iter([503, 204])
        receiver.answer = lambda: Response("", next(statuses))
        with time_machine.travel(clock.now(), tick=True) as traveller:
            for seconds in (0, 301, 1801, 7201, 86401):
                traveller.shift(seconds)
                pump.run()
        assert len(receiver.posts) == 2

    def test_a_dead_receiver_delays_no_answer_and_hears_of_it_later(
        self, api: ApiClient, merchant: Merchant, receiver: Receiver, paid: dict[str, Any]
    ) -> None:
        merchant.webhook_url = "http://127.0.0.1:9/hooks"  # nobody listens there
        merchant.save()
        pump.run()
        started = time.monotonic()
        assert read(api, paid)["status"] == "COMPLETED"
        assert time.monotonic() - started < 1

        merchant.webhook_url = receiver.url  # mended: the pending retry goes there
        merchant.save()
        with time_machine.travel(clock.now() + timedelta(seconds=301), tick=True):
            pump.run()
            assert [event["data"]["id"] for event in receiver.believed()] == [paid["id"]]

    def test_a_slow_receiver_is_given_up_and_asked_again(
        self, receiver: Receiver, paid: dict[str, Any], settings: Any
    ) -> None:
        settings.WEBHOOK_TIMEOUT_SECONDS = 0.3
        slowness = iter([1.0, 0.0])

        def answer() -> Response:
            time.sleep(next(slowness))
            return Response("ok", 200)

        receiver.answer = answer
        started = time.monotonic()
        pump.run()
        assert time.monotonic() - started < 1
        with time_machine.travel(clock.now() + timedelta(seconds=301), tick=True):
            pump.run()
            assert receiver.accepts(receiver.posts[-1], clock.now())
        assert len(receiver.posts) == 2

    def test_a_regenerated_secret_signs_what_is_still_pending(
        self, merchant: Merchant, receiver: Receiver, paid: dict[str, Any]
    ) -> None:
        receiver.answer = lambda: Response("", 500)
        pump.run()
        old = receiver.secret
        receiver.secret = merchants.regenerate_webhook_secret(merchant=merchant, actor="tests")
        with time_machine.travel(clock.now() + timedelta(seconds=301), tick=True):
            pump.run()
            _, second = receiver.posts
            assert receiver.accepts(second, clock.now())
            receiver.secret = old
            assert not receiver.accepts(second, clock.now())
