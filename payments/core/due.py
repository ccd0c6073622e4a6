"""The loop of every scanner of rows with a due time."""

import time
from collections.abc import Callable, Sequence
from typing import TypeVar

import structlog
from django.conf import settings

log = structlog.get_logger(__name__)
T = TypeVar("T")


def process_due(
    claim: Callable[[], Sequence[T]],
    process: Callable[[T], object],
    *,
    batch_size: int,
    limit: int | None = None,
    put_back: Callable[[Sequence[T]], None] | None = None,
) -> int:
    """Processes due rows for SCANNER_BUDGET_SECONDS at most. Returns how many were claimed.

    `claim` returns at most `batch_size` rows and moves their due time in the same transaction,
    so that a crash only delays them. If a row raises an error, the error is logged and the
    other rows continue. `put_back` gets the rows that are left when the time is over. Without
    `put_back` the batch is finished.
    """
    done, deadline = 0, time.monotonic() + settings.SCANNER_BUDGET_SECONDS
    while (limit is None or done < limit) and time.monotonic() < deadline:
        claimed = claim()
        for number, item in enumerate(claimed):
            if put_back is not None and time.monotonic() > deadline:
                put_back(claimed[number:])
                break
            try:
                process(item)
            except Exception:
                log.exception("due.not_processed", item=str(getattr(item, "pk", item)))
        done += len(claimed)
        if len(claimed) < batch_size:
            break
    return done
