"""Payouts under concurrency and faults: F1 and F7. What all products promise: test_outgoing."""

import asyncio
import json
import socket
import time
from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from functools import partial
from typing import Any

import aiohttp
import pytest
from django.core.cache import cache

from merchants.models import Merchant
from payments.core import clock
from payments.ledger.models import Entry
from payments.payout.models import Payout
from payments.payout.services.bank_codes import load_codes
from payments.payout.services.engine import engine
from payments.providers.ports import OutgoingUpdate
from payments.simulator import store
from payments.simulator.outgoing import SimulatorPayout
from tests.contract.wire import running_server
from tests.faults import scaled
from tests.faults.wompi_rails import rail_books
from tests.rails.accounts import route, wompi_payouts
from tests.support import outgoing_requests
from tests.support.concurrency import run_concurrently
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from tests.support.invariants import check_invariants
from tests.support.measurements import record
from tests.support.outgoing_payments import resolve
from tests.support.outgoing_products import PAYOUT, PRICE

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults]
WOMPI = "wompi-payouts-main"
UNLIMITED = {"RATE_LIMIT_WRITE": "1000000/m", "PROVIDER_BREAKER_FAILURES": "1000000"}


@pytest.fixture(autouse=True)
def _quiet(settings: Any) -> None:
    outgoing_requests.quiet(settings)


def post_all(
    port: int, api: ApiClient, requests: list[tuple[dict[str, str], dict[str, Any]]]
) -> list[tuple[int, dict[str, Any], float]]:
    """Each request on a connection of its own, all let go at once: (status, body, seconds)."""

    async def post(session, start, headers, body):
        await start.wait()
        began = time.monotonic()
        async with session.post("/api/v1/payout", json=body, headers=headers) as response:
            text = await response.text()
        return response.status, json.loads(text), time.monotonic() - began

    async def run():
        start = asyncio.Event()
        connector = aiohttp.TCPConnector(limit=0)
        base = f"http://127.0.0.1:{port}"
        # The server knows itself by the name in PUBLIC_URL.
        given = {**api.headers, "Host": "testserver"}
        async with aiohttp.ClientSession(base, connector=connector, headers=given) as session:
            calls = [asyncio.create_task(post(session, start, *each)) for each in requests]
            await asyncio.sleep(0.1)
            start.set()
            return await asyncio.gather(*calls)

    return asyncio.run(run())


def one_key(number: int) -> tuple[dict[str, str], dict[str, Any]]:
    """The same payout under the same key; every second one says the key in the body."""
    if number % 2:
        return {}, payout_body(idempotencyKey="one-key", recipientDocNumber="9999001001")
    return {"Idempotency-Key": "one-key"}, payout_body(recipientDocNumber="9999001001")


def assert_one_payout(merchant: Merchant, answers: list[dict[str, Any]]) -> int:
    """1 payout, 1 hold, 1 execution by the provider, 1 id in all answers; how many calls it had."""
    assert Payout.objects.count() == 1
    payout = Payout.objects.get()
    assert {data["payoutId"] for data in answers} == {payout.pk}
    assert Entry.objects.filter(kind="payout_reserved").count() == 1
    assert outgoing_requests.balance(merchant)["held"] == payout.debit
    woken = partial(engine.send, payment_id=payout.pk, now=clock.now())
    assert set(run_concurrently([partial(engine.process_due, now=clock.now()), woken] * 4)) <= {
        0,
        1,
        None,
    }
    payout.refresh_from_db()
    assert payout.status == "COMPLETED"
    assert store.executions(payout.pk) == 1
    calls = store.calls(payout.provider_reference, "send")
    assert calls == 1
    check_invariants([merchant.pk], answers)
    return calls


@pytest.mark.faults("F1")
def test_one_key_is_one_payout_through_the_web_server(api: ApiClient, merchant: Merchant) -> None:
    """F1: concurrent requests with one key on the wire, half of them with the key in the body."""
    size = scaled(500)
    fund(merchant, PRICE * 10)
    with running_server(**UNLIMITED, DOORBELL="0") as server:
        answers = post_all(server.port, api, [one_key(number) for number in range(size)])

    statuses = Counter(status for status, _, _ in answers)
    assert statuses == {201: size}
    calls = assert_one_payout(merchant, [body["data"] for _, body, _ in answers])
    record(
        f"{size} requests with one key: answers {dict(statuses)}, {Payout.objects.count()} payout,"
        f" {calls} provider call, slowest {max(seconds for *_, seconds in answers):.2f} s",
        requests_with_one_key=size,
        payouts_beyond_one=Payout.objects.count() - 1,
        provider_calls_beyond_one=calls - 1,
    )


@pytest.mark.faults("F1")
def test_one_key_is_one_payout_on_as_many_connections(api: ApiClient, merchant: Merchant) -> None:
    """F1 again, each request on a database connection of its own, so that all are inside at once"""
    size = scaled(400)
    fund(merchant, PRICE * 10)
    body = PAYOUT.body("clean")
    acts = [
        outgoing_requests.asking(api, "one-key", body=body, in_body=bool(number % 2))
        for number in range(size)
    ]

    responses = run_concurrently(acts)

    statuses = Counter(response.status_code for response in responses)
    assert statuses == {201: size}
    calls = assert_one_payout(merchant, [response.body["data"] for response in responses])
    record(
        f"{size} threads with one key: answers {dict(statuses)}, {Payout.objects.count()} payout,"
        f" {calls} provider call",
        requests_with_one_key=size,
        payouts_beyond_one=Payout.objects.count() - 1,
        provider_calls_beyond_one=calls - 1,
    )


@pytest.fixture(params=["refuses", "hangs"])
def dead_redis(request: pytest.FixtureRequest, settings: Any) -> Iterator[str]:
    """The address of a Redis that cannot be reached, or takes connections and says nothing."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        if request.param == "hangs":
            listener.listen(1000)
        url = f"redis://127.0.0.1:{listener.getsockname()[1]}/0"
        caches = settings.CACHES.items()
        settings.CACHES = {name: {**cache, "LOCATION": url} for name, cache in caches}
        yield url


def rows_over_wompi() -> list[tuple[Any, ...]]:
    rows = Payout.objects.filter(provider=WOMPI)
    return list(rows.values_list("provider_reference", "status", "amount"))


def settle_over_wompi() -> int:
    """With a moved clock, which the fake in this process must not see: not by time_machine."""
    began = clock.now()
    rows = Payout.objects.filter(provider=WOMPI, status__in=outgoing_requests.OPEN)
    for seconds in range(0, 600, outgoing_requests.SCAN_SECONDS):
        engine.process_due(now=began + timedelta(seconds=seconds))
        if not rows.exists():
            return seconds
    raise AssertionError(f"Not settled: {rows}")


@pytest.mark.faults("F7")
def test_payouts_are_sent_and_settled_without_redis(
    api: ApiClient, merchant: Merchant, dead_redis: str
) -> None:
    """F7: accepted in time, sent and settled while wake-ups are lost. Half go over Wompi."""
    size = scaled(100)
    fund(merchant, 2 * PRICE * size)
    with pytest.raises(Exception, match=r"(?i)connect|refused|timeout|timed out"):
        cache.get("x")
    requests = [
        ({"Idempotency-Key": f"k-{n}"}, payout_body(recipientDocNumber="9999001004"))
        for n in range(size)
    ]
    over_wompi = [
        ({"Idempotency-Key": f"w-{n}"}, payout_body(accountNumber="98765432101"))
        for n in range(size)
    ]
    with (
        running_server(REDIS_URL=dead_redis, BROKER_URL=dead_redis) as server,
        wompi_payouts() as fake,
    ):
        # One after the other: how long a request waits, not how long the queue of four threads is.
        answers = [post_all(server.port, api, [each])[0] for each in requests]
        load_codes(account=WOMPI, actor="olga")
        route("payout", WOMPI)
        answers += [post_all(server.port, api, [each])[0] for each in over_wompi]
        settled_seconds = settle_over_wompi()
        found = rail_books.compare_payouts(fake.control.state(), rows_over_wompi())

    slowest = sorted(seconds for *_, seconds in answers)
    statuses = Counter(status for status, _, _ in answers)
    record(
        f"{2 * size} requests without Redis: {dict(statuses)}, slowest {slowest[-1]:.2f} s; over"
        f" Wompi settled after {settled_seconds} s of the moved clock, {found}",
        slowest_payout_request_seconds=slowest[-1],
    )
    assert statuses == {201: 2 * size}
    assert slowest[-1] < 2
    assert found.is_clean, (found.doubled, found.wrong)
    assert found.paid == size
    seconds = outgoing_requests.scan_until_settled(start=clock.now(), limit=600)
    print(f"settled after {seconds} s of the moved clock, {Payout.objects.count()} payouts")
    assert Payout.objects.filter(status="COMPLETED").count() == 2 * size
    check_invariants([merchant.pk], [body["data"] for _, body, _ in answers])


def test_what_an_operator_ended_is_not_sent_again(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The rail says that it knows nothing, while a person says that it never left."""
    fund(merchant, PRICE)
    data = outgoing_requests.ask(api, "answer-lost-before")
    start = clock.now()
    later = start + timedelta(minutes=1)  # no call can be under way any more
    engine.process_due(now=start)
    payout = Payout.objects.get(status="PROCESSING")
    query = SimulatorPayout.query

    def slow_query(port: SimulatorPayout, reference: str) -> OutgoingUpdate:
        update = query(port, reference)
        resolve(engine, payout, "FAILED", now=later)
        return update

    monkeypatch.setattr(SimulatorPayout, "query", slow_query)
    engine.process_due(now=later)

    payout.refresh_from_db()
    assert payout.status == "FAILED"
    print(f"executions of a payout that failed by hand: {store.executions(payout.pk)}")
    assert store.executions(payout.pk) == 0
    check_invariants([merchant.pk], [data])
