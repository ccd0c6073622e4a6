from datetime import datetime

from django.db import transaction

from payments.core import audit
from payments.reconciliation.models import ProviderTariff


@transaction.atomic
def add_tariff(*, row: ProviderTariff, actor: str, reason: str, now: datetime) -> None:
    """Raises ValidationError, also for a second one of the same account, method and day."""
    row.created_by, row.created_at = actor, now
    row.full_clean()
    row.save(force_insert=True)
    audit.record(
        actor=actor,
        action="provider_tariff.added",
        subject=row,
        reason=reason,
        account=row.account_id,
        method=row.method,
        first_day=row.first_day.isoformat(),
        rate=row.rate,
        fixed=row.fixed,
        vat_rate=row.vat_rate,
    )
