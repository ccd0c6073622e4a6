"""Reads tables and circuit breakers for a scrape, cached for METRICS_CACHE_SECONDS."""

import threading
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config.metrics.queries import METRIC_QUERIES, OUTGOING
from payments.core import clock_skew
from payments.core.ids import first_of
from payments.providers import breaker

log = structlog.get_logger(__name__)


class StateCollector(Collector):
    """One for each process. Concurrent scrapes wait for the one that reads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._read: list[GaugeMetricFamily] = []
        self._until = 0.0

    def collect(self) -> Iterator[GaugeMetricFamily]:
        with self._lock:
            if time.monotonic() >= self._until:
                self._read = list(read_state())
                self._until = time.monotonic() + settings.METRICS_CACHE_SECONDS
            yield from self._read

    def clear_cache(self) -> None:
        self._until = 0.0


def read_state() -> Iterator[GaugeMetricFamily]:
    """Also without the database or Redis: `pasarela_database_up` and `pasarela_redis_up` are 0."""
    started = time.perf_counter()
    tables, circuits = _tables(), _circuits()
    yield _gauge("pasarela_database_up", "1 when the tables could be read.", tables is not None)
    yield _gauge("pasarela_redis_up", "1 when the cache responded.", circuits is not None)
    yield from tables or ()
    yield from circuits or ()
    took = time.perf_counter() - started
    yield _gauge("pasarela_state_read_seconds", "How long reading this state took.", took)


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=float(value))


def _tables() -> list[GaugeMetricFamily] | None:
    families: list[GaugeMetricFamily] = []
    try:
        values = _values(clock_skew.now(), clock_skew.seconds())
        with transaction.atomic(), connection.cursor() as cursor:
            # A slow scrape would be an extra load on a database in trouble.
            milliseconds = settings.METRICS_TIMEOUT_SECONDS * 1000
            cursor.execute("SELECT set_config('statement_timeout', %s, true)", [str(milliseconds)])
            for query in METRIC_QUERIES:
                cursor.execute(query.sql, values)
                families += _families(query.labels, query.metrics, cursor.fetchall())
    except (DatabaseError, InterfaceError) as error:
        log.warning("metrics.database_unavailable", error=type(error).__name__)
        return None
    return families


def _values(now: datetime, ahead: float) -> dict[str, datetime | float | str]:
    return {
        "now": now,
        "ahead": ahead,
        "cap": settings.METRICS_COUNT_CAP,
        "order_hour": first_of("col", now - timedelta(hours=1)),
        "attempt_5m": first_of("att", now - timedelta(minutes=5)),
    }


def _families(
    labels: tuple[str, ...], metrics: dict[str, str], rows: Iterable[tuple[float | str, ...]]
) -> Iterator[GaugeMetricFamily]:
    for place, (name, meaning) in enumerate(metrics.items(), start=len(labels)):
        family = GaugeMetricFamily(name, meaning, labels=labels)
        for row in rows:
            family.add_metric([str(label) for label in row[: len(labels)]], float(row[place]))
        yield family


def _circuits() -> list[GaugeMetricFamily] | None:
    try:
        states = breaker.health(circuits())
    except Exception as error:  # any error of the client library
        log.warning("metrics.redis_unavailable", error=type(error).__name__)
        return None
    metrics = {
        "pasarela_circuit_open": "1 while calls to a provider are suspended.",
        "pasarela_circuit_failures": "Calls in a row without a response.",
    }
    rows = [(name, state.is_open, state.failures) for name, state in states.items()]
    return [*_families(("circuit",), metrics, rows)]


def circuits() -> list[str]:
    """One for sending and one for queries per provider. Debt look-ups have one per agreement."""
    rails = {product: getattr(settings, of.provider) for product, of in OUTGOING.items()}
    codes = [f"{product}:{provider}" for product, provider in rails.items() if provider]
    return [name for code in codes for name in (code, f"{code}:query")]
