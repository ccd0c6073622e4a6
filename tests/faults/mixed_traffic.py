"""Mixed traffic of one merchant: orders that are paid, expire or stay, money that leaves, refunds.

What each client does is drawn from the seed and the client's name; how the clients interleave is
not.
"""

import itertools
import random
from collections.abc import Callable, Iterator
from typing import Any

import psycopg

from payments.simulator import magic
from tests.support import outgoing_products
from tests.support.factories import order_body, payout_body
from tests.support.live_service import LiveService
from tests.support.outgoing_products import BEHAVIOURS, KEYS, Kind
from tests.support.topups import topup_body
from tests.support.traffic import Client, Json, Traffic

# And what comes later by itself.
RAILS = (*BEHAVIOURS, "completed-later", "failed-later")
FAILING = ("refused", "failed-later")
# Payers: no callback ever comes for the second; the first pays by itself, which a query tells.
APPROVED, CALLBACK_LOST, REPEATED = "9999000001", "9999000010", "9999000009"
# What the sandbox says to one who asks again for what was done, or cannot be done any more.
DONE = ("400 ORDER_NOT_PAYABLE", "400 NOT_ALLOWED")
NOT_YET = "400 ORDER_NOT_REFUNDABLE"
MOVE_DEADLINE = "UPDATE collect_order SET expires_at = now(), expire_check_at = now() WHERE id = %s"


class MixedTraffic(Traffic):
    """Traffic of every kind. What was acknowledged is kept by product and idempotency key.

    paid    orders whose payer has paid: each must be completed, and the merchant told.
    expired orders whose deadline was moved to now: each must expire, and the merchant be told.
    """

    def __init__(self, live_service: LiveService, merchant: dict[str, str], seed: int) -> None:
        super().__init__(live_service, merchant)
        self.live_service, self.seed = live_service, seed
        self.topups: dict[str, Json] = {}
        self.bills: dict[str, Json] = {}
        self.refunds: dict[str, Json] = {}
        self.paid: list[str] = []
        self.expired: list[str] = []

    @property
    def writes(self) -> int:
        """How many writes were acknowledged."""
        shelves = (self.orders, self.payouts, self.topups, self.bills, self.refunds)
        return sum(map(len, shelves))

    def log(self) -> Json:
        """What `LiveService.compare` holds against the tables."""
        more = {"topups": self.topups, "bills": self.bills, "refunds": self.refunds}
        return {**super().log(), **more}

    def acts(self, client: str) -> Iterator[Callable[[Client], None]]:
        """Drawn one by one."""
        chance = random.Random(f"{self.seed} {client}")
        return (self._act(chance) for _ in itertools.count())

    def _act(self, chance: random.Random) -> Callable[[Client], None]:
        what = chance.choices(("order", "payout", "topup", "bill", "read"), (5, 3, 2, 1, 3))[0]
        if what == "order":
            fate = chance.choice(("pays", "pays", "returned", "expires", "by itself", "silent"))
            return lambda client: self._sell(client, fate)
        behaviour = chance.choice(RAILS)
        if what == "payout":
            return lambda client: self._pay_out(client, behaviour)
        if what == "topup":
            return lambda client: self._spend(
                client, outgoing_products.TOPUP, self.topups, behaviour
            )
        if what == "bill":
            return lambda client: self._spend(client, outgoing_products.BILL, self.bills, behaviour)
        return self._read

    def _sell(self, client: Client, fate: str) -> None:
        key = f"order-{next(self._keys)}"
        payer = {"by itself": APPROVED, "silent": CALLBACK_LOST, "pays": REPEATED}.get(fate)
        body = order_body(reference=key, **({"customerDocNumber": payer} if payer else {}))
        order = self.orders[key] = client.write("/collect", body, key)
        if fate == "expires":
            self.moved.append(order["id"])
            self.move_deadline(order["id"])
            self.expired.append(order["id"])
        elif fate == "by itself":
            self._pay(client, order["id"], "/collect/{}/pay", {"method": "breb_key"})
        else:
            self._pay(client, order["id"], "/sandbox/collect/{}", {"status": "COMPLETED"})
            if fate == "returned":
                self._refund(client, order["id"])

    def _pay(self, client: Client, order: str, path: str, body: Json) -> None:
        """Refused is also who asks again for what was done, or for a try that never reached the
        rail: then only the rail's books say whether money came, and the comparison asks them.
        """
        kind, _ = client.insist(path.format(order), body, enough=DONE)
        if kind == "2xx":
            self.paid.append(order)

    def _refund(self, client: Client, order: str) -> None:
        key = f"refund-{next(self._keys)}"
        body, headers = {"reason": "cold coffee", "amount": 1000}, {"Idempotency-Key": key}
        kind, answer = client.insist(f"/collect/{order}/refunds", body, headers, enough=(NOT_YET,))
        if kind == NOT_YET:  # the callback met a fault; the order is completed by a question later
            return
        refund = self.refunds[key] = answer["data"]
        client.insist(f"/sandbox/refund/{refund['id']}", {"status": "APPROVED"}, enough=DONE)

    def _pay_out(self, client: Client, behaviour: str) -> None:
        key = f"payout-{next(self._keys)}"
        document = KEYS[magic.OutgoingProduct.PAYOUT][behaviour]
        data = client.write("/payout", payout_body(recipientDocNumber=document), key)
        self.payouts[key] = data
        end = "FAILED" if behaviour in FAILING else "COMPLETED"
        self.expected_ends[data["payoutId"]] = end
        client.own = data["payoutId"]

    def _spend(self, client: Client, kind: Kind, shelf: dict[str, Json], behaviour: str) -> None:
        key = f"{kind.product}-{next(self._keys)}"
        body = kind.body(behaviour)
        if kind is outgoing_products.TOPUP:
            body = topup_body(phone=body["phone"])
        shelf[key] = client.write(kind.path, body, key)

    def move_deadline(self, order: str) -> None:
        """Also past a database that is away for a moment."""
        while True:
            try:
                with self.live_service.connection() as tables:
                    tables.execute(MOVE_DEADLINE, [order])
                return
            except psycopg.OperationalError:
                if self.is_hopeless:
                    raise


def unexpected(kind: str) -> bool:
    """Whether no fault excuses such an answer. A connection may be cut by a killed process."""
    is_cut = kind in (
        "RemoteDisconnected",
        "ConnectionResetError",
        "ConnectionRefusedError",
        "BrokenPipeError",
        "IncompleteRead",
    )
    is_away = kind == "503" or (kind.startswith("503 ") and kind.endswith("UNAVAILABLE"))
    return not (kind == "2xx" or is_cut or is_away or kind in (*DONE, NOT_YET))


def receipts(found: Any) -> set[tuple[str, str]]:
    """(order, kind) of the events that a merchant must hear of."""
    return {(pk, "payment.completed") for pk in found.paid} | {
        (pk, "payment.expired") for pk in found.expired
    }
