"""What each process of the service loads, and does without."""

import subprocess
import sys

import pytest

from config.devstack.options import PROJECT

pytestmark = pytest.mark.slow

# By the code that a process begins with: what it must have, and what it would keep for nothing.
BEGINNINGS = {
    "worker": (
        "import config.worker as worker; worker.app.loader.import_default_modules()",
        {"payments.payout.tasks", "webhooks.tasks"},
        {
            *("prompt_toolkit", "celery.bin.celery", "config.urls", "drf_spectacular.openapi"),
            *("config.admin", "payments.collect.admin", "webhooks.admin", "payments.payout.admin"),
        },
    ),
    "api": (
        "import os; os.environ['WEB_ROLE'] = 'api'; import config.rsgi",
        {"payments.collect.api.orders", "payments.collect.checkout.pay_urls", "webhooks.api"},
        {
            *("config.admin", "unfold.admin", "payments.collect.admin", "webhooks.admin"),
            *("celery", "kombu", "aiohttp", "holidays", "markdown_it", "drf_spectacular.views"),
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
