"""The steps of the demo."""

import json
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from typing import Any

from config.devstack.banner import ORDER
from config.devstack.demo.browser import Browser, DemoError, Page
from config.devstack.demo.receiver import Receiver
from config.devstack.options import PROJECT, Options

WEBHOOK_SECONDS, COMPLETION_SECONDS = 30, 30
PAYER = {
    "person_type": "NATURAL",
    "document_type": "CC",
    "document_number": "1020304050",
    "name": "María Gómez",
    "email": "maria@example.com",
    "phone": "3001234567",
    "consent": "on",
}
PAYOUT = {
    "amount": 10000,
    "recipientName": "Juan Pérez",
    "recipientDocType": "CC",
    "recipientDocNumber": "79123456",
    "network": "BANK",
    "bankCanonicalId": "bancolombia",
    "accountType": "SAVINGS",
    "accountNumber": "12345678901",
    "idempotencyKey": "demo-1",
}
Json = dict[str, Any]


class Scenario:
    """Each step does one thing and returns its outcome as text."""

    success = "The order was paid from end to end."

    def __init__(self, options: Options, receiver: Receiver) -> None:
        self.options = options
        self.receiver = receiver
        self.browser = Browser()
        self.keys: Json = {}
        self.order: Json = {}
        self.page: Page | None = None

    def steps(self) -> Iterator[tuple[str, str]]:
        """(description, outcome), one at a time."""
        yield "The operator opens an account for a merchant", self.open_account()
        yield "The merchant creates an order over the API", self.create_order()
        yield "The payer opens collectUrl", self.open_payment_page()
        yield "The payer chooses PSE, a bank, and agrees", self.choose_pse()
        yield "The payer approves at the bank and comes back", self.approve()
        yield "The merchant's receiver gets a signed webhook", self.receive_webhook()
        yield "The merchant gets the order", self.get_order()
        yield "The merchant sends a payout from its balance", self.send_payout()
        yield "The operator verifies the ledger", self.verify_ledger()

    def open_account(self) -> str:
        rights = ("--enable", "payout", "--permission", "payout:create")
        url = ("--webhook-url", self.receiver.url)
        output = self._manage("create_merchant", "Demo", *rights, *url)
        self.keys = json.loads(output)
        self.receiver.secret = self.keys["webhookSecret"]
        return str(self.keys["merchantId"])

    def create_order(self) -> str:
        """The same as the curl command that `make run` prints."""
        body = {"reference": f"demo-{time.time_ns()}", **ORDER}
        self.order = self._api("POST", "/collect", body)
        return f"{self.order['id']}, {self.order['amount']} {self.order['currency']}"

    def open_payment_page(self) -> str:
        self.page = self.browser.open(self.order["collectUrl"])
        return self.page.url

    def choose_pse(self) -> str:
        address = f"{self.order['collectUrl']}/pse"
        page = self.browser.open(address)
        form = page.form_with("bank")
        bank = next(code for code in form.choices["bank"] if code)
        page = self.browser.send(page, form, {**PAYER, "bank": bank})
        if page.url.startswith(address):
            raise DemoError(f"The PSE form was not accepted: {page.url}")
        self.page = self._continue_to_bank(page)
        return f"bank {bank}"

    def approve(self) -> str:
        if self.page is None:
            raise DemoError("There is no bank page to approve on.")
        form = self.page.form_with("decision", "approve")
        self.page = self.browser.send(self.page, form, {"decision": "approve"})
        return self.page.url

    def receive_webhook(self) -> str:
        received = self.receiver.next(WEBHOOK_SECONDS)
        if received is None:
            raise DemoError(f"No webhook within {WEBHOOK_SECONDS} s.")
        if received.problem:
            raise DemoError(f"The webhook is not genuine: {received.problem}.")
        event = (received.payload["event"], received.payload["data"]["id"])
        if event != ("payment.completed", self.order["id"]):
            raise DemoError(f"An unexpected webhook: {event}")
        return f"payment.completed, signature verified ({received.event_id})"

    def get_order(self) -> str:
        deadline = time.monotonic() + COMPLETION_SECONDS
        while True:
            order = self._api("GET", f"/collect/{self.order['id']}")
            if order["status"] == "COMPLETED":
                return f"COMPLETED by {order['selectedMethod']}, paid at {order['paidAt']}"
            if time.monotonic() > deadline:
                raise DemoError(f"The order is {order['status']}, not COMPLETED.")
            time.sleep(0.1)

    def send_payout(self) -> str:
        payout = self._api("POST", "/payout", PAYOUT)
        deadline = time.monotonic() + COMPLETION_SECONDS
        while payout["status"] != "COMPLETED":
            if time.monotonic() > deadline:
                raise DemoError(f"The payout is {payout['status']}, not COMPLETED.")
            time.sleep(0.1)
            payout = self._api("GET", f"/payout/{payout['payoutId']}")
        return (
            f"{payout['payoutId']} COMPLETED, {payout['amount']} COP to {payout['recipientName']}"
        )

    def verify_ledger(self) -> str:
        """The postings of each entry sum to zero per currency."""
        return self._manage("verify_ledger").strip().splitlines()[-1]

    def _continue_to_bank(self, page: Page) -> Page:
        """The page before the bank may have a button or a link, or have redirected already."""
        for form in page.forms:
            if "/simulator/" in form.action:
                return self.browser.send(page, form, {})
        for link in page.links:
            if "/simulator/" in link:
                return self.browser.open(link)
        return page

    def _api(self, method: str, path: str, body: Json | None = None) -> Json:
        request = urllib.request.Request(
            f"{self.options.public_url}/api/v1{path}",
            data=None if body is None else json.dumps(body).encode(),
            method=method,
            headers={
                "X-Api-Key": self.keys["apiKey"],
                "X-Api-Secret": self.keys["apiSecret"],
                "Content-Type": "application/json",
            },
        )
        try:
            with urllib.request.urlopen(request, timeout=20) as response:
                data: Json = json.load(response)["data"]
        except urllib.error.HTTPError as error:
            raise DemoError(f"{method} {path} returned {error.code}: {error.read()!r}") from error
        return data

    def _manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT,
            env=self.options.environment,
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode != 0:
            raise DemoError(f"manage.py {arguments[0]} failed:\n{done.stdout}{done.stderr}")
        return done.stdout
