"""What each process of the service loads, and does without."""

import subprocess
import sys

import pytest

from config.devstack.options import PROJECT

pytestmark = pytest.mark.slow

WORKER = (
    "import config.worker as worker; worker.served_queues.add('{queue}')"
    "; worker.app.loader.import_default_modules()"
)
NOT_IN_WORKERS = (
    *("prompt_toolkit", "celery.bin.celery", "config.urls", "drf_spectacular.openapi"),
    *("config.admin", "payments.collect.admin", "webhooks.admin", "payments.payout.admin"),
    "requests",
)

# By the code that a process begins with: what it must have, and what it would keep for nothing.
BEGINNINGS = {
    "money worker": (
        WORKER.format(queue="default"),
        {"payments.payout.tasks", "payments.collect.tasks", "payments.withdrawals.apps"},
        {*NOT_IN_WORKERS, "webhooks.tasks", "aiohttp", "uvloop"},
    ),
    "pump": (
        WORKER.format(queue="webhooks"),
        {"webhooks.tasks", "aiohttp"},
        {*NOT_IN_WORKERS, "payments.payout.tasks", "payments.outgoing.engine"},
    ),
    "worker of all queues": (
        "import config.worker as worker; worker.app.loader.import_default_modules()",
        {"payments.payout.tasks", "webhooks.tasks"},
        set(NOT_IN_WORKERS),
    ),
    "api": (
        "import os; os.environ['WEB_ROLE'] = 'api'; import config.rsgi",
        {"payments.collect.api.orders", "payments.collect.checkout.pay_urls", "webhooks.api"},
        {
            *("config.admin", "unfold.admin", "payments.collect.admin", "webhooks.admin"),
            *("celery", "kombu", "aiohttp", "holidays", "markdown_it", "requests"),
            *("drf_spectacular.plumbing", "rest_framework.test", "django.test"),
        },
    ),
    "console": (
        "import os; os.environ['WEB_ROLE'] = 'console'; import config.rsgi",
        {"config.admin", "payments.collect.admin", "webhooks.admin"},
        {
            *("config.urls_service", "payments.collect.api.orders", "webhooks.api"),
            *("payments.collect.checkout.pay_urls", "payments.sandbox.api", "celery", "aiohttp"),
        },
    ),
    "beat": (
        "import config.beat as beat; beat.app.finalize(); beat.app.conf.beat_schedule",
        {"config.settings"},
        {"prompt_toolkit", "celery.bin.celery", "django.db.models", "payments.core.models"},
    ),
}


@pytest.mark.parametrize(("code", "wanted", "spared"), BEGINNINGS.values(), ids=BEGINNINGS)
def test_process_loads_only_what_it_needs(code: str, wanted: set[str], spared: set[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"{code}; import sys; print(*sys.modules)"],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(done.stdout.split())
    assert wanted <= loaded
    assert not spared & loaded
