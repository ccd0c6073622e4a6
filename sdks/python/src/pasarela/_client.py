"""The client."""

from types import TracebackType

import httpx

from . import _resources as resources
from ._transport import Transport


class Pasarela:
    """`base_url` is the address of your installation. One client serves all threads.

    A request is given `timeout` seconds, and is sent again at most `retries` times, where that
    cannot do anything twice. Between them it waits as long as the service says (`Retry-After`), but
    never longer than `longest_wait` seconds.
    """

    def __init__(
        self,
        public_key: str,
        secret: str,
        *,
        base_url: str,
        timeout: float = 30,
        retries: int = 2,
        longest_wait: float = 60,
        http: httpx.Client | None = None,
    ) -> None:
        self._http = http or httpx.Client(timeout=timeout)
        self.transport = Transport(
            self._http,
            base_url=base_url,
            keys=(public_key, secret),
            retries=retries,
            longest_wait=longest_wait,
        )
        self.orders = resources.Orders(self.transport)
        self.refunds = resources.Refunds(self.transport)
        self.payouts = resources.Payouts(self.transport)
        self.payout_batches = resources.PayoutBatches(self.transport)
        self.topups = resources.Topups(self.transport)
        self.bills = resources.Bills(self.transport)
        self.links = resources.Links(self.transport)
        self.events = resources.Events(self.transport)
        self.balance = resources.BalanceResource(self.transport)
        self.settlements = resources.Settlements(self.transport)
        self.webhook_endpoints = resources.WebhookEndpoints(self.transport)
        self.sandbox = resources.Sandbox(self.transport)

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> "Pasarela":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
