"""What a rail keeps of a payment, for operators. The amounts are pesos."""

from collections.abc import Mapping, Sequence
from decimal import Decimal

from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.formatting import amount
from payments.core import money
from payments.rails.models import AtRail


class ProviderFees:
    """Columns of a page of charges or outgoing payments. Not for users of merchants."""

    @display(description=_("fee of the rail"))
    def provider_fee_shown(self, row: AtRail) -> str:
        return amount(row.provider_fee, money.FIAT)

    @display(description=_("taxes of the rail"))
    def provider_taxes_shown(self, row: AtRail) -> str:
        return _text(row.provider_taxes) or "-"


PROVIDER_FEES = frozenset({"provider_fee_shown", "provider_taxes_shown"})


def _text(taxes: Sequence[Mapping[str, str]]) -> str:
    lines = (f"{one['name']} {amount(Decimal(one['amount']), money.FIAT)}" for one in taxes)
    return " · ".join(lines)
