"""Play money, which no rail has received."""

from datetime import datetime
from decimal import Decimal

from payments.core import money
from payments.ledger import services
from payments.ledger.models import Entry


def sandbox_credited(
    *, merchant_id: str, currency: str, amount: Decimal, reference: str, now: datetime
) -> Entry:
    """Adds to the merchant's available balance. Once for each merchant and `reference`."""
    kept_in = money.balance_currency(currency)
    available = services.available(merchant_id, kept_in)
    return services.post(
        kind=Entry.Kind.SANDBOX_CREDITED,
        subject_id=merchant_id,
        idempotency_key=f"{merchant_id}:{reference}",
        lines=services.transfer(services.sandbox(kept_in), available, amount),
        memo={"reference": reference},
        now=now,
    )
