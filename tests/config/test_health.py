"""/healthz and /readyz."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from payments.core import clock
from payments.core.models import Heartbeat

pytestmark = pytest.mark.django_db


@pytest.fixture
def workers() -> None:
    for name in ("money", "pump"):
        Heartbeat.objects.create(name=name, at=clock.now())


def ready() -> tuple[int, dict[str, Any]]:
    response = Client().get("/readyz")
    return response.status_code, response.json()["checks"]


def test_healthy_service_is_ready(workers: None) -> None:
    assert Client().get("/healthz").json() == {"status": "ok"}
    assert ready() == (
        200,
        dict.fromkeys(("database", "redis", "migrations", "workers", "clock"), "ok"),
    )


def test_a_silent_worker_is_named(workers: None) -> None:
    Heartbeat.objects.filter(name="pump").update(at=clock.now() - timedelta(minutes=2))
    status, checks = ready()
    assert (status, checks["workers"]) == (503, "silent: pump")


def test_service_without_redis_is_not_ready(workers: None, settings: Any) -> None:
    settings.CACHES = {
        name: {**cache, "LOCATION": "redis://127.0.0.1:1/0"}
        for name, cache in settings.CACHES.items()
    }
    status, checks = ready()
    assert status == 503
    assert checks["redis"].startswith("failed")
    assert checks["database"] == "ok"


def test_only_what_a_web_server_needs() -> None:
    """No worker was ever heard; the answer is about the rest."""
    response = Client().get("/readyz?only=database,migrations")
    assert response.status_code == 200
    assert response.json()["checks"] == {"database": "ok", "migrations": "ok"}
    assert Client().get("/readyz?only=nothing").status_code == 503
