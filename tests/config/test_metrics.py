"""/metrics: what Prometheus reads, and at what cost."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from prometheus_client.parser import text_string_to_metric_families

from config.devstack.options import PROJECT
from config.metrics.collector import read_state
from config.metrics.queries import METRIC_QUERIES
from payments.collect.models import Order
from payments.core import clock
from payments.core.ids import first_of, new_id
from payments.core.models import Heartbeat, IntegrityCheck
from payments.providers import breaker
from tests.support.charges import create
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
TOKEN = "a-token-of-prometheus"
# Small by nature: one row for each worker, proof, merchant under way.
SMALL = {"core_heartbeat", "core_proof", "core_wrongclock"}

Samples = dict[tuple[str, tuple[str, ...]], float]


@pytest.fixture(autouse=True)
def _token(settings: Any) -> None:
    settings.METRICS_TOKEN = TOKEN
    settings.METRICS_CACHE_SECONDS = 0


def scrape() -> str:
    response = Client().get("/metrics", headers={"Authorization": f"Bearer {TOKEN}"})
    assert response.status_code == 200
    assert response.headers["Content-Type"].startswith("text/plain")
    return response.content.decode()


def samples(text: str | None = None) -> Samples:
    """By name and the values of the labels, in the order of the labels' names."""
    families = text_string_to_metric_families(scrape() if text is None else text)
    return {
        (sample.name, tuple(value for _, value in sorted(sample.labels.items()))): sample.value
        for family in families
        for sample in family.samples
    }


def test_metrics_report_database_redis_and_open_orders() -> None:
    found = samples()
    assert found["pasarela_database_up", ()] == 1
    assert found["pasarela_redis_up", ()] == 1
    assert found["pasarela_orders_open", ("PENDING",)] == 0


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer é"},
    ],
)
def test_a_stranger_meets_nothing(headers: dict[str, str]) -> None:
    refused = Client().get("/metrics", headers=headers)
    nothing = Client().get("/metricss")
    assert refused.status_code == nothing.status_code == 404
    assert "pasarela_" not in refused.content.decode()


def test_without_a_token_there_is_no_such_page(settings: Any) -> None:
    settings.METRICS_TOKEN = ""
    assert Client().get("/metrics", headers={"Authorization": "Bearer "}).status_code == 404


def test_metrics_count_orders_by_state(api: ApiClient) -> None:
    create(api)
    create(api)
    found = samples()
    assert found["pasarela_orders_open", ("PENDING",)] == 2
    assert found["pasarela_orders_last_hour", ("PENDING",)] == 2
    assert found["pasarela_orders_last_hour", ("COMPLETED",)] == 0


def test_what_has_been_due_for_long(api: ApiClient) -> None:
    order = create(api)
    Order.objects.filter(pk=order.pk).update(expire_check_at=clock.now() - timedelta(minutes=5))
    found = samples()
    assert found["pasarela_queue_age_seconds", ("collect-expire",)] == pytest.approx(300, abs=5)
    assert found["pasarela_queue_age_seconds", ("webhooks-pump",)] == 0


def test_a_count_has_an_end(api: ApiClient, settings: Any) -> None:
    settings.METRICS_COUNT_CAP = 2
    for _ in range(3):
        create(api)
    assert samples()["pasarela_orders_open", ("PENDING",)] == 2


def test_metrics_report_the_age_of_heartbeats_and_proofs() -> None:
    Heartbeat.objects.create(name="pump", at=clock.now() - timedelta(seconds=90))
    assert samples()["pasarela_proof_age_seconds", ("ledger",)] == float("inf")
    call_command("verify_ledger", stdout=StringIO())
    call_command("verify_settlements", stdout=StringIO())

    found = samples()
    assert found["pasarela_heartbeat_age_seconds", ("pump",)] == pytest.approx(90, abs=5)
    assert found["pasarela_proof_age_seconds", ("ledger",)] < 5
    assert found["pasarela_proof_failed", ("settlements",)] == 0


def test_books_that_do_not_add_up_keep_the_last_proof(monkeypatch: Any) -> None:
    call_command("verify_ledger", stdout=StringIO())
    passed = IntegrityCheck.objects.get(name="ledger").passed_at
    monkeypatch.setattr("payments.ledger.services.verification.Report.ok", False)
    with pytest.raises(SystemExit):
        call_command("verify_ledger", stdout=StringIO())

    assert IntegrityCheck.objects.get(name="ledger").passed_at == passed
    assert samples()["pasarela_proof_failed", ("ledger",)] == 1


def test_metrics_report_open_circuits(settings: Any) -> None:
    for _ in range(settings.PROVIDER_BREAKER_FAILURES):
        breaker.record("payout:simulator", False)
    found = samples()
    assert found["pasarela_circuit_open", ("payout:simulator",)] == 1
    assert found["pasarela_circuit_failures", ("payout:simulator",)] == 5
    assert found["pasarela_circuit_open", ("topup:simulator",)] == 0


def test_redis_away_is_said_and_the_rest_is_answered(settings: Any) -> None:
    settings.CACHES = {
        name: {**cache, "LOCATION": "redis://127.0.0.1:1/0"}
        for name, cache in settings.CACHES.items()
    }
    found = samples()
    assert found["pasarela_redis_up", ()] == 0
    assert found["pasarela_database_up", ()] == 1


def test_requests_are_counted_by_route_and_never_by_path(api: ApiClient) -> None:
    api.get(f"/collect/{new_id('col')}")
    api.get("/nowhere/at/all")
    api.call("BREW", "/collect")
    counts = {labels for name, labels in samples() if name == "pasarela_http_request_seconds_count"}
    assert ("GET", "api/v1/collect/<str:order_id>", "404") in counts
    assert ("GET", "(unknown)", "404") in counts
    assert ("(unknown)", "api/v1/collect", "405") in counts
    assert "BREW" not in {method for method, _, _ in counts}
    assert not any("col_" in route or "nowhere" in route for _, route, _ in counts)


def test_its_cost_is_pinned(django_assert_max_num_queries: Any, settings: Any) -> None:
    """One statement for each question, one for the time limit, two for the transaction.

    Four more read routes and accounts, whose health and circuits are in the cache, and one the
    database's time.
    """
    with django_assert_max_num_queries(len(METRIC_QUERIES) + 8):
        began = time.perf_counter()
        list(read_state())
    assert time.perf_counter() - began < 5

    settings.METRICS_CACHE_SECONDS = 60
    try:
        scrape()
        with django_assert_max_num_queries(0):
            scrape()
    finally:
        from config.metrics import views

        views.state.clear_cache()


@pytest.mark.parametrize(
    "question", METRIC_QUERIES, ids=lambda question: next(iter(question.metrics))
)
def test_no_question_reads_a_table_from_end_to_end(question: Any) -> None:
    now = clock.now()
    values = {
        "now": now,
        "ahead": 0.0,
        "cap": 10,
        "order_hour": first_of("col", now),
        "attempt_5m": first_of("att", now),
    }
    with connection.cursor() as cursor:
        # The tables are empty here: without this every plan would read them whole.
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute("SET LOCAL enable_sort = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON) {question.sql}", values)
        plan = cursor.fetchone()[0]
    top = (json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"]
    assert list(unbounded(top)) == []


def unbounded(node: dict[str, Any], is_limited: bool = False) -> Iterator[str]:
    """Scans that neither begin at a condition of their index, nor end at a limit that every row
    they read counts for."""
    table = node.get("Relation Name")
    ends = is_limited and "Filter" not in node and node["Node Type"] != "Seq Scan"
    if table and table not in SMALL and "Index Cond" not in node and not ends:
        yield f"{node['Node Type']} {table}"
    for child in node.get("Plans", []):
        yield from unbounded(child, is_limited or node["Node Type"] == "Limit")


def test_ids_know_their_time() -> None:
    before, made, after = (
        first_of("col", clock.now() - timedelta(milliseconds=5)),
        new_id("col"),
        first_of("col", clock.now() + timedelta(milliseconds=5)),
    )
    assert before < made < after


@pytest.mark.slow
def test_figures_of_several_processes_add_up(tmp_path: Path) -> None:
    observe = (
        "from config.metrics.requests import request_seconds;"
        "request_seconds.labels('GET', 'r', 200).observe(0.1)"
    )
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path / "metrics")}

    def run(code: str) -> str:
        done = subprocess.run(
            [sys.executable, "-c", code],
            cwd=PROJECT,
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout

    run(observe)
    run(observe)
    text = run(
        "from config.metrics.requests import registry; from prometheus_client import *;"
        "print(generate_latest(registry()).decode())"
    )
    assert samples(text)["pasarela_http_request_seconds_count", ("GET", "r", "200")] == 2
