from collections.abc import Callable
from datetime import timedelta

from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse

from payments.api import envelope
from payments.core import clock_skew, jsontext
from payments.core.models import Heartbeat, WrongClock

WORKERS = ("money", "pump")


def healthz(request: HttpRequest) -> HttpResponse:
    """200 while the process responds, even without database or Redis."""
    return HttpResponse('{"status":"ok"}', envelope.JSON)


def readyz(request: HttpRequest) -> HttpResponse:
    """200 when all checks are ok, else 503. The body has the result of each check.

    `?only=database,migrations` runs the checks of what a web server needs.
    """
    selected = request.GET.get("only", "").split(",")
    names = [name for name in CHECKS if name in selected] or list(CHECKS)
    checks = {name: _run(CHECKS[name]) for name in names}
    status = 200 if all(result == "ok" for result in checks.values()) else 503
    state = "ready" if status == 200 else "not ready"
    body = jsontext.dumps({"status": state, "checks": checks})
    return HttpResponse(body, envelope.JSON, status=status)


def _run(check: Callable[[], str]) -> str:
    try:
        return check()
    except Exception as error:  # any error is a result
        return f"failed: {type(error).__name__}"


def _database() -> str:
    if not _is_writable():
        # A read-only session stays read-only. A new one may reach a writable database.
        connection.close()
        if not _is_writable():
            return "read-only"
    return "ok"


def _is_writable() -> bool:
    with connection.cursor() as cursor:
        cursor.execute("SHOW transaction_read_only")  # a standby has this parameter on
        return bool(cursor.fetchone() == ("off",))


def _redis() -> str:
    cache.get("readyz")
    return "ok"


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    pending = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return f"{len(pending)} pending" if pending else "ok"


def _workers() -> str:
    oldest = clock_skew.now() - timedelta(seconds=settings.HEARTBEAT_MAX_AGE_SECONDS)
    alive = set(Heartbeat.objects.filter(at__gte=oldest).values_list("name", flat=True))
    silent = [name for name in WORKERS if name not in alive]
    wrong = [
        f"{row.worker} {clock_skew.describe(row.seconds_ahead)}"
        for row in WrongClock.objects.filter(at__gte=oldest).order_by("worker")
    ]
    troubles = {"silent": silent, "wrong clock": wrong}
    parts = [f"{trouble}: {', '.join(names)}" for trouble, names in troubles.items() if names]
    return "; ".join(parts) or "ok"


def _clock() -> str:
    """The clock of this web server. `_workers` checks the clocks of workers."""
    return clock_skew.describe(clock_skew.seconds()) if clock_skew.is_wrong() else "ok"


CHECKS = {
    "database": _database,
    "redis": _redis,
    "migrations": _migrations,
    "workers": _workers,
    "clock": _clock,
}
