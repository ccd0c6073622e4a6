"""The tax in our fees, which is put aside for the State when a day is closed."""

from datetime import date, datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import PostingLine


def settlement_taxed(
    *,
    merchant_id: str,
    settlement_id: str,
    day: date,
    currency: str,
    tax: Decimal,
    now: datetime,
) -> Entry:
    """A merchant's day is closed: the tax in its fees is not ours. Once for each day.

    ====== =====
    fees    - tax
    taxes   + tax
    ====== =====

    No balance of the merchant moves.
    """
    kept_in = money.balance_currency(currency)
    return services.post(
        kind=Entry.Kind.SETTLEMENT_TAXED,
        subject_id=settlement_id,
        idempotency_key=f"{merchant_id}:{day.isoformat()}:{kept_in}",
        lines=[
            PostingLine(services.fees(kept_in), -tax),
            PostingLine(services.taxes(kept_in), tax),
        ],
        memo={"merchant": merchant_id, "day": day.isoformat()},
        now=now,
    )
