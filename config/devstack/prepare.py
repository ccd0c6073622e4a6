"""`python -m config.devstack.prepare`: tables, catalogues, a demo merchant, rails.

It needs the running servers and is safe to repeat.
"""

import gc
import os
import shutil

import django
from django.core.management import call_command


def main() -> None:
    # To look for garbage as often as usual would take a quarter of the first start.
    gc.set_threshold(100_000, 20, 100)
    if directory := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        shutil.rmtree(directory, ignore_errors=True)
    # No command of these shows a page of the console.
    os.environ["WEB_ROLE"] = "worker"
    django.setup()
    call_command("migrate", interactive=False, verbosity=1)
    call_command("load_catalogues")
    call_command("create_demo", webhook_url=os.environ.get("WEBHOOK_URL", "").strip())
    # It imports models, which django.setup() loads.
    from config.devstack.chains.accounts import connect_chains
    from config.devstack.fake_accounts import connect_fakes

    connect_fakes()
    connect_chains()
    call_command("declare_rails")


if __name__ == "__main__":
    main()
