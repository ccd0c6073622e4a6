"""Measures how long requests take, by route and status.

Web processes share PROMETHEUS_MULTIPROC_DIR, which the package reads at its import. Without it
the values stay in memory.
"""

import contextlib
import os
import time
from collections.abc import Callable
from functools import cache
from pathlib import Path

from django.http import HttpRequest, HttpResponse

if _directory := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
    with contextlib.suppress(OSError):  # on a full disk nothing is counted
        Path(_directory).mkdir(parents=True, exist_ok=True)

from prometheus_client import CollectorRegistry, Histogram, disable_created_metrics
from prometheus_client.multiprocess import MultiProcessCollector

from config.metrics import mmap_files

Handler = Callable[[HttpRequest], HttpResponse]
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
# Each of these areas has many pages and one label.
AREAS = ("admin/", "simulator/")
UNKNOWN = "(unknown)"

# `_created` series would double the output. Multiprocess mode has none.
disable_created_metrics()
mmap_files.install()
_own = CollectorRegistry()
request_seconds = Histogram(
    "pasarela_http_request_seconds",
    "How long requests took, from the first middleware to the finished response.",
    ("method", "route", "status"),
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15),
    registry=_own,
)


def registry() -> CollectorRegistry:
    """The requests of all processes of this web server."""
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return _own
    shared = CollectorRegistry()
    MultiProcessCollector(shared)
    return shared


class RequestMetricsMiddleware:
    """Labels are few: routes, never paths, and known methods."""

    def __init__(self, get_response: Handler) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        started = time.perf_counter()
        response = self.get_response(request)
        took = time.perf_counter() - started
        method = request.method if request.method in METHODS else UNKNOWN
        _of(method, route_of(request), response.status_code).observe(took)
        return response


@cache
def _of(method: str, route: str, status: int) -> Histogram:
    """Cached, because the package's look-up is slow and takes a lock."""
    return request_seconds.labels(method, route, status)


def route_of(request: HttpRequest) -> str:
    """Such as `api/v1/collect/<str:order_id>`. UNKNOWN for a path without a route."""
    match = request.resolver_match
    if match is None or not match.route or match.route == "^api/":
        return UNKNOWN
    for area in AREAS:
        if match.route.startswith(area):
            return f"{area}*"
    return str(match.route)
