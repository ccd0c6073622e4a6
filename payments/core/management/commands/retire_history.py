"""`manage.py retire_history`, every month or night: drops history that is older than is kept."""

from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path

from django.conf import settings
from django.core.management.base import CommandError

from payments.core import clock
from payments.core.history import retirement
from payments.core.history.tables import tables
from payments.core.management.history_command import HistoryCommand


class Command(HistoryCommand):
    help = (
        "Writes months that are older than WEBHOOK_HISTORY_MONTHS and AUDIT_MONTHS to files in "
        "HISTORY_ARCHIVE_DIRECTORY, checks the files, and drops the months."
    )

    def result(self) -> Mapping[str, object]:
        directory, now = self._directory(), clock.now()
        return {
            each.table: asdict(
                self.patiently(partial(retirement.retire, each, now=now, directory=directory))
            )
            for each in tables()
            if not each.is_private and each.first_kept(now) is not None
        }

    def _directory(self) -> Path | None:
        if settings.HISTORY_ARCHIVE_DIRECTORY:
            return Path(settings.HISTORY_ARCHIVE_DIRECTORY)
        if settings.HISTORY_DROP:
            return None
        raise CommandError(
            "Set HISTORY_ARCHIVE_DIRECTORY, or HISTORY_DROP=1 to drop without files."
        )
