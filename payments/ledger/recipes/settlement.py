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
    books = money.balance_currency(currency)
    return services.post(
        kind=Entry.Kind.SETTLEMENT_TAXED,
        subject_id=settlement_id,
        dedupe=f"{merchant_id}:{day.isoformat()}:{books}",
        lines=[PostingLine(services.fees(books), -tax), PostingLine(services.taxes(books), tax)],
        memo={"merchant": merchant_id, "day": day.isoformat()},
        now=now,
    )
