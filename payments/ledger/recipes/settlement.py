"""The tax in our fees, which is put aside for the State when a day is closed."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import PostingLine


@dataclass(frozen=True, slots=True, kw_only=True)
class SettledDay:
    """A merchant's closed day in one currency (COP is kept as COPM)."""

    merchant_id: str
    settlement_id: str
    day: date
    currency: str


def settlement_taxed(settled: SettledDay, *, tax: Decimal, now: datetime) -> Entry:
    """The tax in the fees of the day is not ours. Once for each day.

    ====== =====
    fees    - tax
    taxes   + tax
    ====== =====
    """
    kept_in, day = money.balance_currency(settled.currency), settled.day.isoformat()
    return services.post(
        kind=Entry.Kind.SETTLEMENT_TAXED,
        subject_id=settled.settlement_id,
        idempotency_key=f"{settled.merchant_id}:{day}:{kept_in}",
        lines=[
            PostingLine(services.fees(kept_in), -tax),
            PostingLine(services.taxes(kept_in), tax),
        ],
        memo={"merchant": settled.merchant_id, "day": day},
        now=now,
    )
