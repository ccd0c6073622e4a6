"""Days that should be closed and are not, on the first page of the console."""

from datetime import timedelta
from typing import Any

from payments.console.overview import DAYS_SECONDS, Overview, cached
from payments.settlement.services import day_closing

OVERDUE = timedelta(hours=1)


def parts(overview: Overview) -> dict[str, Any]:
    """Merchant, currency and day of each."""
    if overview.scope is not None or not overview.may("settlement.view_settlement"):
        return {}

    def compute() -> list[Any]:
        return list(day_closing.due_days(overview.now - OVERDUE))

    return {"overdue": cached("overdue", None, DAYS_SECONDS, compute)}
