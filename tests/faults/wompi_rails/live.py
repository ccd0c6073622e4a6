"""A running service over Wompi's fakes: its traffic, what goes wrong at the rails, their books."""

import http.client
import json
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from decimal import Decimal
from functools import partial
from itertools import cycle
from typing import Any
from urllib.parse import urlsplit

import psycopg

from tests.faults.wompi_rails import rail_books
from tests.rails.fake_server.server import ControlClient
from tests.support.factories import key_payout_body, order_body, payout_body
from tests.support.live_service import LiveService
from tests.support.traffic import Client, Json, Traffic

PAYIN, PAYOUT = "wompi-fake", "wompi-payouts-fake"
STARTS = {PAYIN: "POST /v1/transactions", PAYOUT: "POST /v?/payouts"}
QUERIES = {PAYIN: "GET /v1/transactions", PAYOUT: "GET /v1/transactions/*"}
OF_STARTS: tuple[Json, ...] = (
    {"fault": "lose_answer"},
    {"fault": "lose_request"},
    {"fault": "error_500", "executes": True},
    {"fault": "bad_gateway"},
    {"fault": "conflict", "executes": True},
    {"fault": "conflict"},
    {"fault": "invalid_json"},
    {"fault": "too_many"},
    {"fault": "delay", "seconds": 1.5},
)
OF_QUERIES: tuple[Json, ...] = tuple(
    {"fault": name} for name in ("error_500", "lose_answer", "invalid_json", "bad_gateway")
)
# The approved amounts of a day are no part of the experiment.
ENOUGH_CENTS, ENOUGH_BATCHES = 10**14, 10**6
ORDINARY: Json = {
    "event_copies": 2,
    "event_reorder": 2,
    "event_retry_seconds": [1, 2, 5, 10],
    "event_before_answer": False,
    "search_lag_seconds": 0,
}
# A killed fake is back within a second.
BACK_SECONDS = 30
APPROVED, DECLINED = "3991111111", "3992222222"
BANK_PAGE = re.compile(r"http://127\.0\.0\.1:\d+/bank/[\w-]+")
PAYER_SECONDS = 5
# The answers while the rail is away, or before its methods are known again. Whether it has taken a
# payment is for the rail to say, because its answer may be lost.
NOT_TAKEN = ("503 PROVIDER_UNAVAILABLE", "400 METHOD_NOT_AVAILABLE")
OPEN_CHARGES = """
SELECT id FROM collect_charge
WHERE provider = ANY(%s) AND status IN ('STARTING', 'PENDING', 'RECEIVED')
"""
OPEN_PAYOUTS = """
SELECT provider_reference FROM payout_payout
WHERE provider = ANY(%s) AND status IN ('PENDING', 'PROCESSING')
"""


class WompiTraffic(Traffic):
    """Sales over Nequi and over the bank's page, and payouts to an account, a key and a bad key."""

    def acts(self, _client: str) -> Iterator[Callable[[Client], None]]:
        push, bank = partial(self._sell_by_push, phone=APPROVED), self._sell_at_bank
        declined = partial(self._sell_by_push, phone=DECLINED)
        return cycle((push, self._pay_out, self._read, bank, self._pay_out, declined))

    def _order(self, client: Client) -> Json:
        number = next(self._keys)
        key = f"order-{number}"
        body = order_body(reference=key, amount=_amount(50_000, number))
        order = self.orders[key] = client.write("/collect", body, key)
        return order

    def _sell_by_push(self, client: Client, phone: str) -> None:
        self._pay(client, self._order(client), "wompi_nequi", {"phone": phone})

    def _sell_at_bank(self, client: Client) -> None:
        """The payer waits for the bank's page and approves two of three payments, or leaves."""
        order = self._order(client)
        kind, answer = self._pay(client, order, "wompi_bancolombia", {})
        client.close()  # the web server would, while the payer waits
        if kind == "2xx" and (page := self._bank_page(answer["data"]["paymentUrl"])):
            number = int(order["reference"].rpartition("-")[2])
            _post(page, f"decision={'decline' if number % 3 == 0 else 'approve'}")

    def _pay(self, client: Client, order: Json, method: str, fields: Json) -> tuple[str, Any]:
        body = {"method": method, "fields": fields, "acceptedTerms": True}
        kind, _, answer = client.ask("POST", f"/collect/{order['id']}/pay", body)
        return kind, answer

    def _bank_page(self, url: str) -> str:
        """Where the page of ours leads that waits for the bank's. Empty for one that is late."""
        ends_at = time.monotonic() + PAYER_SECONDS
        while time.monotonic() < ends_at and not self.is_hopeless:
            if found := BANK_PAGE.search(url) or BANK_PAGE.search(self._page(url)):
                return found[0]
            time.sleep(0.5)
        return ""

    def _page(self, url: str) -> str:
        connection = http.client.HTTPConnection(*self.address, timeout=PAYER_SECONDS)
        try:
            connection.request("GET", urlsplit(url).path)
            return connection.getresponse().read().decode(errors="replace")
        except (OSError, http.client.HTTPException):
            return ""
        finally:
            connection.close()

    def _pay_out(self, client: Client) -> None:
        number = next(self._keys)
        amount = _amount(100_000, number)
        bodies = (
            payout_body(amount=amount),
            key_payout_body("ALPHANUMERIC", "@elias123", amount=amount),
            key_payout_body("EMAIL", "noexiste@test.com", amount=amount),
        )
        key = f"payout-{number}"
        data = client.write("/payout", bodies[number % len(bodies)], key)
        self.payouts[key] = data
        client.own = data["payoutId"]


def _amount(pesos: int, number: int) -> Decimal:
    """No two in a row are equal, so that one cannot stand for another."""
    return pesos + Decimal(number % 10_000) / 100


def _post(url: str, form: str) -> None:
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=PAYER_SECONDS)
    try:
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        connection.request("POST", parts.path, form, headers)
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        pass  # the rail was killed: the payer leaves
    finally:
        connection.close()


class LiveFakes:
    """The fakes of a service, which serve one merchant, and the hand that breaks them."""

    def __init__(self, live_service: LiveService, merchant: dict[str, str], seed: int) -> None:
        self.chance = random.Random(f"{seed} rails")
        fakes = live_service.start_fakes(merchant["merchantId"])
        self.controls = {
            account: ControlClient(f"http://127.0.0.1:{fake.control_port}")
            for account, fake in fakes.items()
        }
        self._set_all(**ORDINARY)
        # Not "payer": that is of PSE, which the Direct API does not have.
        self._set(PAYIN, url_delay_seconds=0.5, nequi_delay_seconds=0.5)
        self._set(
            PAYOUT,
            balance_in_cents=ENOUGH_CENTS,
            daily_limit_in_cents=ENOUGH_CENTS,
            daily_batches=ENOUGH_BATCHES,
            settle_seconds=0.5,
        )

    @property
    def spells(self) -> dict[str, Callable[[], AbstractContextManager[None]]]:
        """What may happen at the rails for some seconds, by name."""
        return {
            "rails break calls": self._breaking_calls,
            "rails refuse connections": self._refusing,
            "events before the answer": partial(self._changed, event_before_answer=True),
            "events four times, reordered": partial(self._changed, event_copies=4, event_reorder=5),
            "events lost": partial(self._changed, event_copies=0),
            "rails list late": partial(self._changed, search_lag_seconds=2),
            "bank's page late": self._late_page,
        }

    @contextmanager
    def _breaking_calls(self) -> Iterator[None]:
        for account in self.controls:
            for _ in range(10):
                self._break(account, STARTS, OF_STARTS)
            for _ in range(5):
                self._break(account, QUERIES, OF_QUERIES)
        yield

    def _break(self, account: str, calls: dict[str, str], faults: tuple[Json, ...]) -> None:
        rule = {"on": calls[account], "after": self.chance.randint(0, 2)}
        self._tell(account, "POST", "faults", rule | self.chance.choice(faults))

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        self._tell_all("POST", "outage", {"seconds": None})
        yield
        self._tell_all("POST", "outage", {"seconds": 0})

    @contextmanager
    def _changed(self, **settings: Any) -> Iterator[None]:
        self._set_all(**settings)
        yield
        self._set_all(**{name: ORDINARY[name] for name in settings})

    @contextmanager
    def _late_page(self) -> Iterator[None]:
        self._set(PAYIN, url_delay_seconds=4)
        yield
        self._set(PAYIN, url_delay_seconds=0.5)

    def calm_down(self) -> None:
        """No faults, and payers who have not decided at the bank give up."""
        self._tell_all("DELETE", "faults")
        self._tell_all("POST", "outage", {"seconds": 0})
        self._set_all(**{**ORDINARY, "event_reorder": 0})
        for number, row in self.state(PAYIN)["transaction"].items():
            if row["wire"]["status"] == "PENDING":
                self._tell(PAYIN, "POST", f"transactions/{number}", {"status": "DECLINED"})

    def left_open(self, tables: psycopg.Connection) -> list[str]:
        """Charges and payouts that have not ended; not payouts that the rail will never know."""
        charges = [row[0] for row in tables.execute(OPEN_CHARGES, [[PAYIN]])]
        payouts = [row[0] for row in tables.execute(OPEN_PAYOUTS, [[PAYOUT]])]
        if not payouts:
            return charges
        state = self.state(PAYOUT)
        return charges + [one for one in payouts if not rail_books.is_unpayable(state, one)]

    def verdicts(self, tables: psycopg.Connection) -> dict[str, rail_books.Verdict]:
        sales = tables.execute(rail_books.SALES, [[PAYIN]]).fetchall()
        payouts = tables.execute(rail_books.PAYOUTS, [[PAYOUT]]).fetchall()
        return {
            "sales": rail_books.compare_sales([self.state(PAYIN)], sales),
            "payouts": rail_books.compare_payouts(self.state(PAYOUT), payouts),
        }

    def complaints(self) -> list[str]:
        return [one for account in self.controls for one in self.state(account)["complaints"]]

    def state(self, account: str) -> Any:
        return self._tell(account, "GET", "state")

    def _set(self, account: str, **settings: Any) -> None:
        self._tell(account, "POST", "settings", settings)

    def _set_all(self, **settings: Any) -> None:
        self._tell_all("POST", "settings", settings)

    def _tell_all(self, method: str, path: str, body: Any = None) -> None:
        for account in self.controls:
            self._tell(account, method, path, body)

    def _tell(self, account: str, method: str, path: str, body: Any = None) -> Any:
        """Again while the fake is away, because it was killed."""
        ends_at = time.monotonic() + BACK_SECONDS
        while True:
            try:
                return self.controls[account].call(method, path, body)
            except (OSError, http.client.HTTPException, json.JSONDecodeError):
                if time.monotonic() > ends_at:
                    raise
            time.sleep(0.05)
