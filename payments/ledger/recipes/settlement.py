"""The tax in our fees, which is put aside for the State when a day is closed."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledDay:
    """A merchant's closed day in one currency (COP is kept as COPM)."""

    merchant_id: str
    settlement_id: str
    day: date
    currency: str


def settlement_taxed(settled: SettledDay, *, tax: Decimal, now: datetime) -> Entry:
    """Moves the tax in the fees of the day to the tax account. Once for each day."""
    kept_in, day = money.balance_currency(settled.currency), settled.day.isoformat()
    return services.post(
        kind=Entry.Kind.SETTLEMENT_TAXED,
        subject_id=settled.settlement_id,
        idempotency_key=f"{settled.merchant_id}:{day}:{kept_in}",
        lines=services.transfer(services.fees(kept_in), services.taxes(kept_in), tax),
        memo={"merchant": settled.merchant_id, "day": day},
        now=now,
    )
