"""What Wompi keeps of a payout: its fee, the IVA on it, and the GMF of the debit (4 per 1,000)."""

from collections.abc import Mapping
from decimal import Decimal
from typing import Any, TypedDict

from payments.providers.ports import MAX_AMOUNT, TaxLine

TAXES = {"IVA": "vatInCents", "GMF": "gmfInCents"}


class Fees(TypedDict, total=False):
    """Fields of OutgoingUpdate."""

    provider_fee: Decimal
    provider_taxes: tuple[TaxLine, ...]


def read(fee: Any) -> Fees:
    """Empty for another shape: no payment is in doubt because of its fee."""
    if not isinstance(fee, Mapping):
        return {}
    amounts = {name: _pesos(fee.get(name)) for name in ("feeInCents", *TAXES.values())}
    own = amounts["feeInCents"]
    if own is None:
        return {}
    taxes = {name: amounts[field] for name, field in TAXES.items()}
    lines = tuple(TaxLine(name=name, amount=pesos) for name, pesos in taxes.items() if pesos)
    return {"provider_fee": own, "provider_taxes": lines}


def _pesos(cents: object) -> Decimal | None:
    if not isinstance(cents, int) or isinstance(cents, bool):
        return None
    pesos = Decimal(cents) / 100
    return pesos if 0 <= pesos <= MAX_AMOUNT else None
