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
    kept_in = money.balance_currency(currency)
    return services.post(
        kind=Entry.Kind.SANDBOX_CREDITED,
        subject_id=merchant_id,
        idempotency_key=f"{merchant_id}:{reference}",
        lines=[
            PostingLine(services.sandbox(kept_in), -amount),
            PostingLine(services.available(merchant_id, kept_in), amount),
        ],
        memo={"reference": reference},
        now=now,
    )
