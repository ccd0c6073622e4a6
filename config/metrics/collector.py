"""Reads metrics from tables and circuit breakers, and caches them for METRICS_CACHE_SECONDS."""

import threading
import time
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta

import structlog
from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.utils.module_loading import import_string
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.registry import Collector

from config.metrics.queries import CACHED, METRIC_QUERIES, OUTGOING
from payments.core import clock_skew
from payments.core.ids import first_of
from payments.providers import breaker, registry
from payments.rails.services import overview
from payments.rails.services.routing import circuit

log = structlog.get_logger(__name__)


class StateCollector(Collector):
    """Each process has one.

    If several scrapes come at once, one reads and the others wait for its result.
    """

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
    """Without the database or Redis, `pasarela_database_up` or `pasarela_redis_up` is 0."""
    started = time.perf_counter()
    tables, circuits = _tables(), _circuits()
    yield _gauge("pasarela_database_up", "1 when the tables could be read.", tables is not None)
    yield _gauge("pasarela_redis_up", "1 when the cache responded.", circuits is not None)
    yield from tables or ()
    yield from circuits or ()
    yield from _cached()
    took = time.perf_counter() - started
    yield _gauge("pasarela_state_read_seconds", "How long reading this state took.", took)


def _gauge(name: str, meaning: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, meaning, value=float(value))


def _tables() -> list[GaugeMetricFamily] | None:
    families: list[GaugeMetricFamily] = []
    try:
        values = _values(clock_skew.now(), clock_skew.seconds())
        with transaction.atomic(), connection.cursor() as cursor:
            # Limits the load that a scrape adds to a slow database.
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


def _cached() -> list[GaugeMetricFamily]:
    families: list[GaugeMetricFamily] = []
    try:
        for path in CACHED:
            for of in import_string(path)():
                families += _families(of.labels, of.metrics, of.rows)
    except Exception as error:  # of the database or the client library
        log.warning("metrics.figures_unavailable", error=type(error).__name__)
        return []
    return families


def circuits() -> list[str]:
    """Each account has one for sending, and for outgoing payments one for queries.

    Debt look-ups are not included.
    """
    outgoing = {product: registry.outgoing(product).configured_code for product in OUTGOING}
    pairs = [(registry.PAYIN.name, registry.PAYIN.configured_code), *outgoing.items(), *_entered()]
    names: list[str] = []
    for product, account in dict.fromkeys(pair for pair in pairs if pair[1]):
        name = circuit(product, account)
        names += [name, f"{name}:query"] if product in outgoing else [name]
    return names


def _entered() -> list[tuple[str, str]]:
    """Accounts of operators. Without the database those of the settings are left."""
    try:
        return overview.carried()
    except (DatabaseError, InterfaceError):
        return []
