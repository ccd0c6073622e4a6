"""What migrations call for new installations. Others run `manage.py partition_history`."""

from typing import Any

from django.db import connection

from payments.core import clock
from payments.core.history import conversion
from payments.core.history.tables import table


def partition_if_empty(*names: str) -> Any:
    """For RunPython. A table with rows stays as it is, because an earlier release may run."""

    def partition(_apps: object, _editor: object) -> None:
        for name in names:
            with connection.cursor() as cursor:
                cursor.execute(f"SELECT NOT EXISTS (SELECT FROM {name})")
                [is_empty] = cursor.fetchone()
            if is_empty:
                conversion.partition(table(name), now=clock.now())

    return partition
