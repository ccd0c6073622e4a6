"""Changes legal data, with the old and new values in the audit log."""

from dataclasses import asdict, dataclass

from django.db import transaction

from merchants.legal.models import LegalData
from merchants.models import Merchant
from payments.core import audit


@dataclass(frozen=True, slots=True, kw_only=True)
class NewLegalData:
    """`nit` without its check digit."""

    legal_name: str
    nit: str
    address: str = ""
    city: str = ""
    contact_email: str = ""
    contact_phone: str = ""
    data_policy_url: str = ""


def find(merchant: Merchant) -> LegalData | None:
    return LegalData.objects.filter(merchant=merchant).first()


@transaction.atomic
def set_legal_data(*, merchant: Merchant, data: NewLegalData, actor: str, reason: str) -> list[str]:
    """Writes what differs. Returns the names of changed fields. Raises ValidationError."""
    # The merchant's row is the lock, because the first save has no other.
    Merchant.objects.select_for_update(no_key=True).defer("webhook_secret").get(pk=merchant.pk)
    row = find(merchant) or LegalData(merchant=merchant)
    given = asdict(data)
    new = {name: value for name, value in given.items() if value != getattr(row, name)}
    if not new:
        return []
    old = {name: getattr(row, name) for name in new}
    for name, value in new.items():
        setattr(row, name, value)
    row.clean_fields()
    row.save()
    audit.record(
        actor=actor, action="merchant.legal_data", subject=merchant, reason=reason, old=old, new=new
    )
    return list(new)
