"""`python -m config.devstack.prepare`: tables, catalogues, and a demo merchant with an operator.

Needs the running servers; safe to repeat. One process instead of three commands.
"""

import os
import shutil

import django
from django.core.management import call_command


def main() -> None:
    if directory := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        shutil.rmtree(directory, ignore_errors=True)
    django.setup()
    call_command("migrate", interactive=False, verbosity=1)
    call_command("load_catalogues")
    call_command("create_demo", webhook_url=os.environ.get("WEBHOOK_URL", "").strip())


if __name__ == "__main__":
    main()
