"""What users do, request by request: a merchant who reads an order, and the way of one payment."""

import itertools
import json
import re
import time
from collections.abc import Callable, Mapping, Sequence

from benchmarks import messages
from benchmarks.endpoints import API, CREATE, LIST, PAYOUT, READ
from benchmarks.messages import credentials
from benchmarks.open_loop import Step, Visit

PAGE, RESULT = "payer's page", "result of the rail"
# One payout in so many payments, and one list of orders.
PAYOUT_OF, LIST_OF = 2, 5
_PAGE = re.compile(r"/pay/.*")


def reads(keys: Mapping[str, str], orders: Sequence[str]) -> Callable[[int], Visit]:
    """Visits of one request: one order after the other."""
    headers = credentials(keys)
    requests = [messages.request("GET", f"{API}/collect/{order}", headers)(0) for order in orders]

    def visit(number: int) -> Visit:
        yield Step(READ, 0.0, requests[number % len(requests)])

    return visit


def payments(merchants: Sequence[Mapping[str, str]]) -> Callable[[int], Visit]:
    """An order is created, shown to its payer, paid, and read; half of them with a payout."""
    # Several runs on one database never make the same reference.
    unique = itertools.count(time.time_ns() // 1000)
    headers = [credentials(keys) for keys in merchants]
    creates = [
        messages.request("POST", f"{API}/collect", own, messages.order_body()) for own in headers
    ]
    payouts = [
        messages.request(
            "POST",
            f"{API}/payout",
            {**own, "Idempotency-Key": f"nomina-{messages.NUMBER}"},
            messages.payout_body(),
        )
        for own in headers
    ]

    def visit(number: int) -> Visit:
        merchant = number % len(headers)
        own = headers[merchant]
        name = next(unique)
        made = json.loads((yield Step(CREATE, 0.0, creates[merchant](name))))["data"]
        read = messages.request("GET", f"{API}/collect/{made['id']}", own)(0)
        page = _page(made["collectUrl"])
        yield Step(READ, 0.1, read)
        yield Step(PAGE, 0.3, _get(page))
        yield Step(PAGE, 0.6, _get(f"{page}/pse"))
        yield Step(PAGE, 0.9, _get(f"{page}/state"))
        yield Step(RESULT, 1.0, _result(made["id"], own))
        yield Step(PAGE, 1.1, _get(f"{page}/state"))
        yield Step(READ, 1.2, read)
        yield Step(PAGE, 1.3, _get(page))
        yield Step(READ, 1.5, read)
        if number % PAYOUT_OF == 0:
            yield Step(PAYOUT, 1.6, payouts[merchant](name))
        if number % LIST_OF == 0:
            yield Step(LIST, 1.7, messages.request("GET", f"{API}/collect", own)(0))

    return visit


def _page(address: str) -> str:
    """The path of a payment link. Raises ValueError."""
    found = _PAGE.search(address)
    if found is None:
        raise ValueError(f"not a payment link: {address}")
    return found[0]


def _get(path: str) -> bytes:
    return messages.request("GET", path, {})(0)


def _result(order: str, headers: Mapping[str, str]) -> bytes:
    path = f"{API}/sandbox/collect/{order}"
    return messages.request("POST", path, headers, {"status": "COMPLETED"})(0)
