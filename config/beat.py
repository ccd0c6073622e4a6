"""`python -m config.beat SCHEDULE`: Celery's beat, which records in that file what it sent.

It sends names of tasks, so it loads neither models nor tasks: with config.celery it would take as
much memory as a worker. It does without Celery's command line for the reason in config.worker.
"""

import argparse
import os
from datetime import timedelta

from celery import Celery
from celery.beat import PersistentScheduler
from celery.signals import setup_logging
from django.conf import settings
from django.utils.log import configure_logging

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
# A clock may be corrected by this much.
SLACK = timedelta(seconds=1)

# Celery's fix-up for Django would load every app. Not the current app either: a test may import
# this module beside config.celery, whose tasks would then belong to this one.
app = Celery("pasarela", fixups=set(), set_as_current=False)
app.config_from_object("django.conf:settings", namespace="CELERY")


@setup_logging.connect
def _configure_logging(**_: object) -> None:
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


class Scheduler(PersistentScheduler):
    """Continues at once after the clock was set back.

    Celery's own sends nothing until the last time it saw: for two hours after a clock that was two
    hours ahead, and also after a restart, because its file holds that time.
    """

    def tick(self, *args: object, **kwargs: object) -> float:
        entries = self.schedule.values()
        if any(entry.last_run_at > entry.default_now() + SLACK for entry in entries):
            for entry in entries:
                entry.last_run_at = entry.default_now()
            self._heap = None  # sorted by the old times
        seconds: float = super().tick(*args, **kwargs)
        return seconds


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m config.beat")
    parser.add_argument("schedule", help="a file that it may write")
    schedule = parser.parse_args().schedule
    app.Beat(schedule=schedule, scheduler=Scheduler, quiet=True).run()
