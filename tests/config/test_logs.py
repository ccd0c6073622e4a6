"""No line of any log holds a secret, a document, an account, a phone or an e-mail address; and a
task's lines name the request that rang for it."""

import io
import json
import logging
import re
import uuid
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import quote

import pytest
import structlog
from celery import shared_task
from celery.app.trace import build_tracer
from django.conf import settings
from django.contrib.auth.models import User
from django.core.signing import TimestampSigner
from django.db import IntegrityError, transaction
from django.test import Client
from werkzeug import Response

from config.celery import app
from merchants.models import Merchant
from payments.collect.models import Order
from payments.collect.services.refunds.refund_destinations import SALT
from payments.console import roles
from payments.core import jobs
from payments.core.ids import new_id
from tests.admin.conftest import Console, ana, console, without_mail  # noqa: F401
from tests.support import bills, topups
from tests.support.factories import key_payout_body, payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.invitations import accept, invited
from tests.support.journey import (  # noqa: F401
    Receiver,
    create,
    pay_at_the_bank,
    payer,
    receiver,
)
from tests.support.merchant_staff import browser_of, person_of

# Fixtures are arguments named as the functions above.
# ruff: noqa: F811
pytestmark = pytest.mark.django_db(transaction=True)
PASSWORD = "Volcán-Galeras-4276"


class Heard:
    """Everything that was logged, in the format of production."""

    def __init__(self) -> None:
        self.stream = io.StringIO()

    @property
    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self.stream.getvalue().splitlines()]

    @property
    def text(self) -> str:
        return json.dumps(self.lines, ensure_ascii=False)


@pytest.fixture(scope="module", autouse=True)
def _tasks() -> None:
    """As a worker does at its start."""
    app.autodiscover_tasks(force=True)


@pytest.fixture
def heard() -> Iterator[Heard]:
    """The service's own handler, on a stream of ours; also for loggers that stop at themselves."""
    heard, root = Heard(), logging.getLogger()
    formatter = next(
        handler.formatter for handler in root.handlers if type(handler) is logging.StreamHandler
    )
    handler = logging.StreamHandler(heard.stream)
    handler.setFormatter(formatter)
    loggers = [root] + [
        logger
        for logger in logging.root.manager.loggerDict.values()
        if isinstance(logger, logging.Logger) and not logger.propagate
    ]
    for logger in loggers:
        logger.addHandler(handler)
    yield heard
    for logger in loggers:
        logger.removeHandler(handler)


@pytest.fixture
def merchant(catalogues: None, receiver: Receiver, merchant: Merchant) -> Merchant:
    """Café Andino, whose webhooks go to the receiver."""
    merchant.webhook_url = receiver.url
    merchant.save()
    receiver.secret = merchant.webhook_secret
    return merchant


def work(name: str, *arguments: Any, request_id: str | None = None) -> None:
    """A message's task as a worker traces it: the headers of the message are its request."""
    trace = build_tracer(name, app.tasks[name], app=app)
    headers = {"request_id": request_id} if request_id else {}
    trace(str(uuid.uuid4()), arguments, {}, request={"is_eager": False, **headers})


@pytest.fixture
def _wake_ups_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """As a worker runs them: with the message's headers, Celery's signals and its own lines."""

    def send(message: tuple[str, tuple[Any, ...]], request_id: str | None = None) -> None:
        name, arguments = message
        if name.startswith("webhooks."):
            return  # the pump has a loop of its own; the test runs it
        work(name, *arguments, request_id=request_id)

    monkeypatch.setattr(jobs._sender, "send_soon", send)


def orders(api: ApiClient, payer: Client, console: Console, receiver: Receiver) -> None:
    """Paid, refused, and with a rail that does not answer; and what can be said wrongly."""
    pay_at_the_bank(payer, create(api), "approve")
    pay_at_the_bank(payer, create(api), "refuse")
    create(api, customerDocNumber="9999000007")
    create(api, customerDocNumber="9999000005")
    api.post("/collect", {"customerDocNumber": "1.020.304.050", "customerEmail": "maria@"})
    api.post("/collect", b'{"customerEmail": "maria@example.com", ')
    ApiClient().get("/collect", headers={"X-Api-Key": "k", "X-Api-Secret": "a wrong secret"})
    order = create(api)
    payer.post(order["collectUrl"].removeprefix("http://testserver") + "/pse", {"name": "María"})
    payer.get(order["collectUrl"].removeprefix("http://testserver") + "/nothing")
    for scanner in ("expire_due", "reconcile_due", "process_due"):
        work(f"payments.collect.tasks.{scanner}")


def payouts(api: ApiClient, payer: Client, console: Console, receiver: Receiver) -> None:
    """To accounts and keys: done, refused, doubtful, unreachable."""
    bodies = [payout_body(), key_payout_body(), key_payout_body("EMAIL", "juan@example.com")]
    bodies += [payout_body(recipientDocNumber=f"99990010{n:02d}") for n in range(1, 12)]
    for number, body in enumerate(bodies):
        api.post("/payout", body, headers={"Idempotency-Key": f"p-{number}"})
    api.post("/payout", payout_body(accountNumber="12345678901x"), headers={"Idempotency-Key": "x"})
    work("payments.payout.tasks.process_due")


def small_payments(api: ApiClient, payer: Client, console: Console, receiver: Receiver) -> None:
    """Top-ups and bills, likewise."""
    for phone in ("3001234567", topups.REFUSED, topups.UNAVAILABLE, topups.ERROR_AFTER, "300"):
        topups.buy(api, phone=phone)
    for magic in ("ordinary", "refused", "unavailable", "answer-lost-after"):
        bills.pay(api, bills.reference(magic), 50000)


def refund(api: ApiClient, payer: Client, console: Console, receiver: Receiver) -> None:
    order = create(api)
    pay_at_the_bank(payer, order, "approve")
    body = {"amount": 20000, "reason": "cold coffee"}
    path = f"/collect/{order['id']}/refunds"
    asked = api.post(path, body, headers={"Idempotency-Key": "r-1"})
    assert asked.status_code == 201, asked.content
    console.submit("collect_refund_approve", asked.body["data"]["id"])
    work("payments.collect.tasks.process_due")


def hooks(api: ApiClient, payer: Client, console: Console, receiver: Receiver) -> None:
    """Delivered, refused, and with a receiver that is gone."""
    create(api)
    work("webhooks.tasks.pump")
    receiver.answer = lambda: Response("maria@example.com 1020304050", 500)
    pay_at_the_bank(payer, create(api), "approve")
    work("webhooks.tasks.pump")
    Merchant.objects.update(webhook_url="http://127.0.0.1:9/hooks?secret=whsec_in_a_query")
    pay_at_the_bank(payer, create(api), "approve")
    work("webhooks.tasks.pump")
    forged = {"X-Simulator-Timestamp": "1", "X-Simulator-Signature": "f0f0f0f0f0f0f0f0"}
    body = '{"reference": "chg_x", "documentNumber": "1020304050"}'
    for product in ("payin", "payout", "refund"):
        path = f"/callbacks/{product}/simulator"
        Client().post(path, body, content_type="application/json", headers=forged)


def desk(api: ApiClient, payer: Client, console: Console, receiver: Receiver) -> None:
    """The operators' console: login, a wrong password, records, a search for a person."""
    browser = Console()
    browser.post("/admin/login/", {"username": "ana", "password": "a wrong password"})
    browser.post("/admin/login/", {"username": "ana", "password": PASSWORD})
    order = create(api)
    console.page("collect_order_change", order["id"])
    console.page("collect_order_changelist", q="1.020.304.050")
    console.page("merchants_merchant_change", api.merchant.pk)
    console.get("/admin/nothing/?q=1020304050")


JOURNEYS: list[Callable[..., None]] = [orders, payouts, small_payments, refund, hooks, desk]


def known(api: ApiClient) -> dict[str, str]:
    """What must not be found. People's names are not among them: merchants have names, too."""
    return {
        "api secret": api.headers["X-Api-Secret"],
        "webhook secret": api.merchant.webhook_secret,
        "webhook secret, encrypted": "gAAAAA",
        "secret in a webhook's address": "whsec_in_a_query",
        "secret key": settings.SECRET_KEY,
        "encryption key": settings.ENCRYPTION_KEYS[0],
        "callback secret": settings.SIMULATOR_CALLBACK_SECRET,
        "wrong secret": "a wrong secret",
        "wrong password": "a wrong password",
        "password": PASSWORD,
        "forged signature": "f0f0f0f0f0f0f0f0",
        "payer's document": "1020304050",
        "payer's document, as typed": "1.020.304.050",
        "payer's e-mail": "maria@example.com",
        "payer's phone": "300 123 4567",
        "phone": "3001234567",
        "magic phone": topups.REFUSED,
        "beneficiary's document": "79123456",
        "beneficiary's document, as typed": "79.123.456",
        "magic document": "9999001002",
        "account": "12345678901",
        "beneficiary's e-mail": "juan@example.com",
    }


@pytest.mark.usefixtures("_wake_ups_at_once")
@pytest.mark.parametrize("journey", JOURNEYS, ids=lambda journey: journey.__name__)
def test_no_line_tells_a_secret_or_a_person(
    journey: Callable[..., None],
    api: ApiClient,
    payer: Client,
    console: Console,
    receiver: Receiver,
    heard: Heard,
) -> None:
    fund(api.merchant, 50_000_000)
    journey(api, payer, console, receiver)

    assert heard.lines
    found = {what for what, text in known(api).items() if text in heard.text}
    assert found == set()
    tokens = Order.objects.values_list("token", flat=True)
    assert not [token for token in tokens if token in heard.text]


def test_what_the_database_refused_is_not_repeated(api: ApiClient, heard: Heard) -> None:
    """PostgreSQL's DETAIL has the whole row. Logged by us, by Django and by Celery."""
    order = create(api)

    def refused() -> None:
        with transaction.atomic():
            Order.objects.filter(pk=order["id"]).update(amount=-1)

    with pytest.raises(IntegrityError, match=r"(?s)order_amount.*1\.020\.304\.050"):
        refused()
    try:
        refused()
    except IntegrityError as error:
        logging.getLogger("django.request").error("Internal Server Error", exc_info=error)
        logging.getLogger("celery").error("Task raised unexpected: %r\n%s", error, error)
        logging.getLogger("payments").error("request.failed", exc_info=error)
    assert len(heard.lines) == 3
    assert "order_amount" in heard.text
    assert "violates check constraint" in heard.lines[0]["exception"]
    assert not re.search(r"DETAIL|1\.020\.304\.050|maria@", heard.text)


def test_link_of_a_refund_cannot_be_used_from_the_log(
    api: ApiClient, payer: Client, heard: Heard
) -> None:
    """Who has it can name the account that gets the money."""
    path = create(api)["collectUrl"].removeprefix("http://testserver")
    signed = TimestampSigner(salt=SALT).sign(new_id("ref"))
    link = f"{path}/refund/{signed}"
    payer.get(link)
    payer.get(quote(link))
    structlog.get_logger("payments").error("no.page", url=link, seen=[link])
    try:
        raise LookupError(quote(link, safe=""))
    except LookupError as error:
        logging.getLogger("django.request").error("Internal Server Error: %s", link, exc_info=error)
    assert len(heard.lines) == 4
    assert signed.rpartition(":")[2] not in heard.text
    assert path.removeprefix("/pay/") not in heard.text


def test_invitation_cannot_be_used_from_the_log(
    merchant: Merchant,
    ana: User,
    heard: Heard,
    without_mail: None,
) -> None:
    """A weak password leaves it open, and Django logs the address of the page that says so."""
    boss = browser_of(person_of(merchant, "gabriel", roles.MERCHANT_ADMINISTRATOR))
    link = invited(boss, merchant)
    token = link.rstrip("/").rpartition("/")[2]
    assert accept(link, "12345678").status_code == 400
    structlog.get_logger("payments").error("no.page", url=link, next=quote(link, safe=""))
    assert "Bad Request: /admin/invitation/..." in heard.text
    assert "no.page" in heard.text
    assert token not in heard.text
    assert accept(link).status_code == 302


def test_a_refusal_is_logged_with_its_request(api: ApiClient, heard: Heard) -> None:
    """Django writes this line when our middleware has ended."""
    api.get("/collect/col_nothing", headers={"X-Request-Id": "abc-123"})
    (line,) = heard.lines
    assert (line["event"], line["request_id"]) == (
        "Not Found: /api/v1/collect/col_nothing",
        "abc-123",
    )


def test_a_task_names_the_request_that_rang_for_it(heard: Heard) -> None:
    @shared_task(name="tests.complains")
    def complains() -> None:
        logging.getLogger("payments").warning("a line of the task")

    work(complains.name, request_id="abc-123")
    work(complains.name)
    first, second = heard.lines
    assert (first["task"], first["request_id"]) == ("tests.complains", "abc-123")
    assert "request_id" not in second


def test_the_request_id_travels_with_the_wake_up(
    api: ApiClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[tuple[str, str | None]] = []
    monkeypatch.setattr(
        jobs.WakeUpSender,
        "send_soon",
        lambda _self, wake_up, request_id: sent.append((wake_up[0], request_id)),
    )
    fund(api.merchant, 50_000_000)
    headers = {"Idempotency-Key": "k", "X-Request-Id": "abc-123"}
    assert api.post("/payout", payout_body(), headers=headers).status_code == 201
    assert ("payments.payout.tasks.send_payout", "abc-123") in sent
