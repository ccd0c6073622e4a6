"""The steps of `make demo CHAINS=local`: an order in each coin, paid on its chain."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from config.devstack.chains.pay import pay
from config.devstack.chains.servers import running_chains
from config.devstack.demo.browser import Browser, DemoError, Page
from config.devstack.demo.receiver import Received, Receiver
from config.devstack.demo.scenario import PAYER, WEBHOOK_SECONDS, Json, Scenario
from config.devstack.options import Options

CHOICES = {
    "BTC": "BTC-bitcoin-regtest",
    "ETH": "ETH-ethereum",
    "USDT": "USDT-ethereum",
    "USDC": "USDC-ethereum",
}
OFFER_SECONDS = 30


@dataclass
class CoinOrder:
    """`paid` is when the payment was sent, as time.monotonic() has it."""

    coin: str
    order: Json
    address: str
    amount: Decimal
    paid: float = 0


class CoinScenario(Scenario):
    success = "An order in each coin was paid from end to end."

    def __init__(self, options: Options, receiver: Receiver) -> None:
        super().__init__(options, receiver)
        self.orders: list[CoinOrder] = []
        self.received: dict[str, Received] = {}

    def steps(self) -> Iterator[tuple[str, str]]:
        yield "The operator opens an account for a merchant", self.open_account()
        for coin in CHOICES:
            yield f"A payer chooses {coin} for an order, and reads the page", self.choose(coin)
        for one in self.orders:
            yield f"The payer's wallet sends {one.coin}, by the node's JSON-RPC", self.send(one)
        for one in self.orders:
            yield f"The order in {one.coin} is reported and COMPLETED", self.complete(one)
        yield "The operator verifies the ledger", self.verify_ledger()

    def choose(self, coin: str) -> str:
        self.create_order()
        self.browser = Browser()
        page = self._page_that_offers(CHOICES[coin])
        form = page.form_with("coin")
        page = self.browser.send(page, form, {**PAYER, "coin": CHOICES[coin]})
        if len(page.copies) < 2:
            raise DemoError(f"{page.url} does not say what to pay, and where.")
        amount, address = page.copies[:2]
        self.orders.append(CoinOrder(coin, self.order, address, Decimal(amount)))
        return f"{self.order['id']}: {amount} {coin} to {address}"

    def send(self, one: CoinOrder) -> str:
        one.paid = time.monotonic()
        return pay(running_chains(self.options), one.coin, one.address, one.amount)

    def complete(self, one: CoinOrder) -> str:
        """Webhooks arrive in any order."""
        while one.order["id"] not in self.received:
            received = self.receiver.next(WEBHOOK_SECONDS)
            if received is None or received.problem:
                why = received.problem if received else f"none within {WEBHOOK_SECONDS} s"
                raise DemoError(f"The webhook of {one.order['id']}: {why}.")
            if received.payload["event"] == "payment.completed":
                self.received[received.payload["data"]["id"]] = received
        self.order = one.order
        event = self.received[one.order["id"]].event_id
        seconds = self.received[one.order["id"]].at - one.paid
        return f"{self.get_order()}; webhook {event} {seconds:.0f} s after the payment"

    def _page_that_offers(self, choice: str) -> Page:
        """A chain is offered after the first look at it."""
        deadline = time.monotonic() + OFFER_SECONDS
        while True:
            page = self.browser.open(f"{self.order['collectUrl']}/crypto")
            if page.form_with("coin").can_send("coin", choice):
                return page
            if time.monotonic() > deadline:
                raise DemoError(f"{page.url} does not offer {choice}.")
            time.sleep(0.2)
