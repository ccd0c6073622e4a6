"""`python -m config.beat SCHEDULE`: beat alone, which notes in that file what it sent.

It sends names of tasks by the clock, so it loads neither models nor tasks: with all of them, as
config.celery has them, it would take as much memory as a worker. Nor Celery's command line, for the
reason in config.worker.
"""

import argparse
import os
from typing import Any

from celery import Celery
from celery.signals import setup_logging
from django.conf import settings
from django.utils.log import configure_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# Celery's fix-up for Django is what would load every app.
app = Celery("pasarela", fixups=set())
app.config_from_object("django.conf:settings", namespace="CELERY")


@setup_logging.connect
def _log_like_the_others(**_: Any) -> None:
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m config.beat")
    parser.add_argument("schedule", help="the file, which it may write")
    app.Beat(schedule=parser.parse_args().schedule, quiet=True).run()
