"""GET /metrics, for Prometheus only."""

import hmac

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from config.metrics import requests
from config.metrics.collector import StateCollector

state = StateCollector()
_registry = CollectorRegistry()
_registry.register(state)


def metrics(request: HttpRequest) -> HttpResponse:
    """404 without the token."""
    expected = f"Bearer {settings.METRICS_TOKEN}".encode()
    received = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not hmac.compare_digest(expected, received):
        raise Http404
    # Only requests are summed over processes: all of them read the same tables.
    text = generate_latest(requests.registry()) + generate_latest(_registry)
    return HttpResponse(text, CONTENT_TYPE_LATEST)
