"""Play money, which no rail has received."""

from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry
from payments.ledger.services import PostingLine


def sandbox_credited(
    *, merchant_id: str, currency: str, amount: Decimal, reference: str, now: datetime
) -> Entry:
    """Play money for a merchant. Once for each merchant and `reference`.

    ========================= ========
    sandbox                    - amount
    available of the merchant  + amount
    ========================= ========
    """
    books = money.balance_currency(currency)
    return services.post(
        kind=Entry.Kind.SANDBOX_CREDITED,
        subject_id=merchant_id,
        dedupe=f"{merchant_id}:{reference}",
        lines=[
            PostingLine(services.sandbox(books), -amount),
            PostingLine(services.available(merchant_id, books), amount),
        ],
        memo={"reference": reference},
        now=now,
    )
