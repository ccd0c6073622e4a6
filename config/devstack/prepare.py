"""Tables, catalogues, and on the first start a demo merchant and an operator: one process.

Run as `python -m config.devstack.prepare` once the servers answer; safe to repeat.
"""

import os
import shutil

import django
from django.core.management import call_command


def main() -> None:
    """The same commands an operator can run by hand, without paying for three starts."""
    if directory := os.environ.get("PROMETHEUS_MULTIPROC_DIR"):
        shutil.rmtree(directory, ignore_errors=True)
    django.setup()
    call_command("migrate", interactive=False, verbosity=1)
    call_command("load_catalogues")
    call_command("create_demo", webhook_url=os.environ.get("WEBHOOK_URL", "").strip())


if __name__ == "__main__":
    main()
