"""`python -m config.beat SCHEDULE`: Celery's beat, which records in this file what it sent.

It sends only names of tasks, so it loads no models and no tasks, and takes less memory than a
worker. It uses no command line of Celery for the reason in config.worker.
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

# Without Celery's fix-up for Django, which loads every app. Not the current app, because a test may
# import this module beside config.celery, whose tasks would then belong to this app.
app = Celery("pasarela", fixups=set(), set_as_current=False)
app.config_from_object("django.conf:settings", namespace="CELERY")


@setup_logging.connect
def _configure_logging(**_: object) -> None:
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


class Scheduler(PersistentScheduler):
    """Continues at once after the clock was set back.

    Celery's scheduler sends nothing until the last time in its file, which may be hours away.
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
