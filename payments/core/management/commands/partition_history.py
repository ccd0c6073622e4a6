"""`manage.py partition_history`: monthly partitions, while the service runs."""

from collections.abc import Mapping
from functools import partial

from payments.core import clock
from payments.core.history import conversion
from payments.core.history.tables import tables
from payments.core.management.history_command import HistoryCommand


class Command(HistoryCommand):
    help = (
        "Makes the tables of history partitioned by month, without copying rows. Run it when no "
        "process of an earlier release is left. Prints which tables it changed."
    )

    def result(self) -> Mapping[str, object]:
        now = clock.now()
        return {
            each.table: self.patiently(partial(conversion.partition, each, now=now))
            for each in tables()
            if not each.in_batches
        }
