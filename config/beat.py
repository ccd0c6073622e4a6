"""Beat alone: it sends names of tasks by the clock, so it loads neither models nor tasks.

With all of them, as config.celery has them, it would take as much memory as a worker.
"""

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
