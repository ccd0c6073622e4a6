"""Days that should be closed and are not, on the first page of the console."""

from datetime import timedelta
from typing import Any

from merchants.models import Merchant
from payments.console.overview import DAYS_SECONDS, Overview, cached
from payments.settlement.services import day_closing

OVERDUE = timedelta(hours=1)


def parts(overview: Overview) -> dict[str, Any]:
    """Merchant, currency and day of each."""
    if overview.scope is not None or not overview.may("settlement.view_settlement"):
        return {}

    def compute() -> list[Any]:
        found = day_closing.due_days(overview.now - OVERDUE)
        named = Merchant.objects.filter(pk__in={due.merchant_id for due in found})
        names = dict(named.values_list("pk", "name"))
        return [(names[due.merchant_id], due.currency, due.day) for due in found]

    return {"overdue": cached("overdue", None, DAYS_SECONDS, compute)}
