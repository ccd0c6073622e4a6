"""A shop with the WooCommerce plugin in PHP, on the live service and the real dispatcher.

`make clients`, which sets CLIENTS=1: the rest of the suite does without PHP.
"""

import json
import os
import shutil
import subprocess
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from merchants.models import Merchant
from payments.core import clock
from tests.contract.wire import Server, running_server
from tests.support.fixtures import ApiClient
from tests.webhooks.conftest import run_dispatcher
from tests.webhooks.receivers import Receiver, Request
from webhooks import signing

HERE = Path(__file__).parent
PLUGIN = HERE.parents[2] / "examples" / "woocommerce" / "pasarela-for-woocommerce"
EXTENSIONS = ("json", "mbstring")
collect_ignore_glob = [] if os.environ.get("CLIENTS") else ["test_*.py"]
CARD = {"pasarela_doc_type": "CC", "pasarela_doc_number": "1.020.304.050"}
OPTIONAL = [
    *("payment.expired", "payment.cancelled", "payment.confirmed", "payment.refunded"),
    *("payment.partially_refunded", "payment.disputed", "payment.chargeback"),
    *("refund.approved", "refund.rejected", "refund.completed"),
]


def missing_php() -> str:
    """What this machine lacks: Debian's names of the packages."""
    if shutil.which("php") is None:
        return "php-cli, php-mbstring"
    known = subprocess.run(["php", "-m"], capture_output=True, text=True, check=True)
    lacking = [name for name in EXTENSIONS if name not in known.stdout.lower().split()]
    return ", ".join(f"php-{name}" for name in lacking)


class Shop:
    """The shop of one merchant, whose webhooks it gets when the test passes them on."""

    def __init__(
        self,
        api: ApiClient,
        receiver: Receiver,
        php: tuple[str, ...] = ("php",),
        environment: dict[str, str] | None = None,
    ) -> None:
        self.api, self.receiver, self.taken = api, receiver, 0
        self.settings: dict[str, str] = {}
        self.process = subprocess.Popen(
            [*php, str(HERE / "shop.php"), str(PLUGIN)],
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def do(self, command: str, **given: Any) -> Any:
        """What the shop says; its errors are the test's."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps({"do": command, **given}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "The shop ended: a function that its WordPress does not have?"
        answer = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer["ok"]

    def set_up(self, port: int, **changes: str) -> None:
        settings = {
            "enabled": "yes",
            "title": "PSE",
            "description": "",
            "api_url": f"http://127.0.0.1:{port}/api/v1",
            "api_key": self.api.headers["X-Api-Key"],
            "documents": "yes",
            "minutes": "60",
            **changes,
        }
        merchant = self.api.merchant
        assert merchant
        secrets = {
            "api": self.api.headers["X-Api-Secret"],
            "webhook": [merchant.webhook_secret],
        }
        options = {"woocommerce_pasarela_settings": settings, "pasarela_woo_secrets": secrets}
        self.do("options", options=options)
        self.settings = settings

    def set_option(self, **changes: str) -> None:
        self.settings |= changes
        self.do("options", options={"woocommerce_pasarela_settings": self.settings})

    def posted(self, **changes: str) -> dict[str, str]:
        """What the settings page posts: its fields as they are, with the changes."""
        return {f"woocommerce_pasarela_{name}": value for name, value in changes.items()} | {
            f"woocommerce_pasarela_{name}": value
            for name, value in self.settings.items()
            if name not in changes
        }

    def order(self, **changes: Any) -> int:
        number = self.do("order", order=changes)
        assert isinstance(number, int)
        return number

    def pay(self, order: int, **fields: str) -> Any:
        return self.do("pay", order=order, fields=CARD | fields)

    def see(self, order: int) -> Any:
        return self.do("see", order=order)

    def attempt(self, order: int) -> Any:
        """The newest."""
        return self.see(order)["attempts"][-1]

    def requests(self) -> list[list[str]]:
        """[method, path, idempotency key] of each request of the plugin."""
        told = self.do("see world", name="requests")
        return [[method, url.partition("/api/v1")[2], key] for method, url, key in told]

    def answer(self, attempt: Any, status: str, **more: Any) -> None:
        """The payer's bank, in the sandbox."""
        done = self.api.post(f"/sandbox/collect/{attempt['id']}", {"status": status, **more})
        assert done.status_code == 200, done.content

    def new_webhooks(self) -> list[Request]:
        """What the service has sent since the last time."""
        run_dispatcher()
        new = self.receiver.requests[self.taken :]
        self.taken += len(new)
        return new

    def take(self, message: Request) -> list[Any]:
        """[status, result] of one webhook."""
        body = message.body.decode()
        answered = self.do("webhook", headers=message.headers, body=body)
        assert isinstance(answered, list)
        return answered

    def receive(self) -> list[list[Any]]:
        """Passes every new webhook on to the shop."""
        return [self.take(message) for message in self.new_webhooks()]

    def signed(self, body: dict[str, Any], event_id: str = "evt_1", **changes: Any) -> list[Any]:
        """A message that a test writes and signs."""
        merchant = self.api.merchant
        assert merchant
        raw = json.dumps(body).encode()
        given = {"secret": merchant.webhook_secret, "at": clock.now(), **changes}
        headers = signing.headers(event_id=event_id, attempt=1, body=raw, **given)
        answered = self.do("webhook", headers=headers, body=raw.decode())
        assert isinstance(answered, list)
        return answered


@pytest.fixture(scope="session")
def service(django_db_setup: None) -> Iterator[Server]:
    """The web server of `make run`."""
    if lacking := missing_php():
        message = f"The WooCommerce plugin is NOT TRIED: there is no {lacking}."
        warnings.warn(message, stacklevel=1)
        pytest.skip(message)
    with running_server() as running:
        yield running


@contextmanager
def open_shop(
    merchant: Merchant,
    port: int,
    php: tuple[str, ...] = ("php",),
    environment: dict[str, str] | None = None,
) -> Iterator[Shop]:
    """The merchant's shop, set up, with nothing sold yet."""
    with Receiver() as receiver:
        merchant.webhook_url, merchant.event_kinds = receiver.url, OPTIONAL
        merchant.save()
        running = Shop(ApiClient(merchant), receiver, php, environment)
        try:
            running.set_up(port)
            yield running
        finally:
            assert running.process.stdin
            running.process.stdin.close()
            assert running.process.wait(30) == 0


@pytest.fixture
def shop(
    service: Server, merchant: Merchant, transactional_db: None, settings: Any
) -> Iterator[Shop]:
    """Café Andino's shop."""
    settings.DOORBELL = False
    with open_shop(merchant, service.port) as running:
        yield running


@pytest.fixture
def paid(shop: Shop) -> int:
    """An order of 120,000 that was paid."""
    order = shop.order()
    shop.pay(order)
    shop.answer(shop.attempt(order), "COMPLETED")
    shop.receive()
    assert shop.see(order)["status"] == "processing"
    return order
