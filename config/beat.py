"""`python -m config.beat SCHEDULE`: beat alone, which notes in that file what it sent.

It sends names of tasks by the clock, so it loads neither models nor tasks: with all of them, as
config.celery has them, it would take as much memory as a worker. Nor Celery's command line, for the
reason in config.worker.
"""

import argparse
import os
from datetime import timedelta
from typing import Any

from celery import Celery
from celery.beat import PersistentScheduler
from celery.signals import setup_logging
from django.conf import settings
from django.utils.log import configure_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# What a clock may be corrected by without a word.
SLACK = timedelta(seconds=1)

# Celery's fix-up for Django is what would load every app.
# Not the current one, which the tasks of this process would belong to then: there are none here,
# but a test may load this module beside them.
app = Celery("pasarela", fixups=set(), set_as_current=False)
app.config_from_object("django.conf:settings", namespace="CELERY")


@setup_logging.connect
def _log_like_the_others(**_: Any) -> None:
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


class Scheduler(PersistentScheduler):
    """Goes on at once when the clock was put back.

    Celery's own would send nothing until the time has come that it had seen already: for two hours,
    if the clock had been two hours ahead, and after a restart too, since its file says so.
    """

    def tick(self, *args: Any, **kwargs: Any) -> Any:
        """One look at what is to be sent; the seconds until the next."""
        entries = self.schedule.values()
        if any(entry.last_run_at > entry.default_now() + SLACK for entry in entries):
            for entry in entries:
                entry.last_run_at = entry.default_now()
            self._heap = None  # sorted by the times that do not hold any more
        return super().tick(*args, **kwargs)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m config.beat")
    parser.add_argument("schedule", help="the file, which it may write")
    schedule = parser.parse_args().schedule
    app.Beat(schedule=schedule, scheduler=Scheduler, quiet=True).run()
