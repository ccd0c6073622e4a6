"""GET /metrics, for Prometheus only."""

import hmac

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest

from config.metrics import requests
from config.metrics.state import StateCollector

state = StateCollector()
_registry = CollectorRegistry()
_registry.register(state)


def metrics(request: HttpRequest) -> HttpResponse:
    """Requests of all web processes, and the state of the service. 404 without the token: how
    business goes is nobody else's affair, and neither is that there is a page."""
    expected = f"Bearer {settings.METRICS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode()
    if not settings.METRICS_TOKEN or not hmac.compare_digest(expected, given):
        raise Http404
    # The tables say the same to every process: only requests are added up.
    text = generate_latest(requests.registry()) + generate_latest(_registry)
    return HttpResponse(text, CONTENT_TYPE_LATEST)
