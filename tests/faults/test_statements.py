"""F23: one merchant requests the statement of a long history again and again."""

import time
from datetime import timedelta
from typing import Any

import pytest

from payments.api import limits
from tests.faults import SCALE, scaled
from tests.settlement.test_size import fill
from tests.support.concurrency import run_concurrently
from tests.support.fixtures import ApiClient
from tests.support.measurements import record
from tests.support.settlement_days import MONDAY, Till, at

pytestmark = pytest.mark.django_db(transaction=True)
CLIENTS, REQUESTS, READS = 8, 15, 40
FIRST, LAST = MONDAY.isoformat(), (MONDAY + timedelta(days=29)).isoformat()
STATEMENT = f"/settlements/statement.csv?from={FIRST}&to={LAST}"


@pytest.mark.faults("F23")
def test_statements_of_one_merchant_delay_no_other(
    api: ApiClient, stranger_api: ApiClient, merchant: Any
) -> None:
    till = Till(merchant)
    movements = scaled(12_000)
    till.collect(at(MONDAY - timedelta(days=1)), base="1000", fee="1")
    start = at(MONDAY, "00:00:00.000")
    fill(till, start, movements, 1000, "ent_s", timedelta(days=29))
    limits.breaker.paused_until = 0
    taken: list[float] = []

    def request_statements() -> list[int]:
        statuses = []
        for _ in range(REQUESTS):
            answer = api.get(STATEMENT)
            if answer.streaming:
                lines = b"".join(answer.streaming_content).count(b"\n")
                assert lines > movements
            statuses.append(answer.status_code)
        return statuses

    def read_balance() -> int:
        failed = 0
        for _ in range(READS):
            began = time.monotonic()
            failed += stranger_api.get("/balance").status_code != 200
            taken.append(time.monotonic() - began)
        return failed

    *pages, failed = run_concurrently([*[request_statements] * CLIENTS, read_balance])
    statuses = [status for page in pages for status in page]  # type: ignore[attr-defined]
    p95 = sorted(taken)[int(len(taken) * 0.95) - 1]
    served, refused = statuses.count(200), statuses.count(429)
    record(
        f"{len(statuses)} requests for a statement of {movements:,} movements: {served} served,"
        f" {refused} refused; p95 of another merchant {p95:.2f} s",
        statements_served=served,
        statements_refused=refused,
        requests_of_others=len(taken),
        requests_of_others_that_failed=int(str(failed)),
        p95_of_others_seconds=p95,
    )
    assert served + refused == CLIENTS * REQUESTS
    assert 1 <= served <= 20  # ten a minute, and the minute may turn
    assert failed == 0
    assert p95 < (1 if SCALE >= 1 else 10)
