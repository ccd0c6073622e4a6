"""What rails keep for themselves: stored with the payment, for operators and reconciliation."""

from payments.core import money
from payments.providers.ports import ChargeUpdate, OutgoingUpdate
from payments.rails.models import AtRail

NAME_LENGTH = 20


def set_fee(row: AtRail, update: ChargeUpdate | OutgoingUpdate) -> list[str]:
    """The newest report counts. Saves nothing, and returns the names of the changed fields."""
    if update.provider_fee is None:
        return []
    taxes = [
        {"name": one.name[:NAME_LENGTH], "amount": money.text(one.amount)}
        for one in update.provider_taxes
    ]
    if (row.provider_fee, row.provider_taxes) == (update.provider_fee, taxes):
        return []
    row.provider_fee, row.provider_taxes = update.provider_fee, taxes
    return ["provider_fee", "provider_taxes"]
