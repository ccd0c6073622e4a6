"""The base of the commands about history, which print one line of JSON."""

import time
from collections.abc import Callable, Mapping
from typing import TypeVar

from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError
from psycopg.errors import LockNotAvailable

from payments.core import jsontext
from payments.core.errors import ServiceError

TRIES, PAUSE_SECONDS = 20, 3.0
T = TypeVar("T")


class HistoryCommand(BaseCommand):
    # Returns what is printed.
    result: Callable[[], Mapping[str, object]]

    def handle(self, *args: object, **options: object) -> None:
        try:
            self.stdout.write(jsontext.dumps(self.result()))
        except ServiceError as error:
            raise CommandError(str(error.message)) from error
        except OSError as error:
            raise CommandError(f"Nothing more was dropped: {error}") from error

    def patiently(self, action: Callable[[], T]) -> T:
        """Waits for a lock in short turns, so that no other statement waits for long."""
        for left in reversed(range(TRIES)):
            try:
                return action()
            except OperationalError as error:
                if not left or not isinstance(error.__cause__, LockNotAvailable):
                    raise
                self.stderr.write("A table is busy. Trying again.")
                time.sleep(PAUSE_SECONDS)
        raise AssertionError
