"""Which adapter serves: the one in the settings for new payments, by its code for older ones.

A rail is a package with a declaration, and one line in settings.RAILS (docs/recipes/rail.md).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Generic, TypeVar, cast

from django.conf import settings
from django.utils.module_loading import import_string

from payments.providers.declaration import RailDeclaration
from payments.providers.ports import (
    BillPort,
    DisputePort,
    InvalidCallback,
    PayinPort,
    PayoutPort,
    RefundPort,
    TopupPort,
)

P = TypeVar("P", covariant=True)


class UnknownProvider(LookupError):
    """No adapter has this code, or this service must not use it."""


@dataclass(frozen=True, slots=True)
class Adapters(Generic[P]):
    """The adapters of one port.

    name     the field of a RailDeclaration, and the word in the callback's URL.
    setting  names the provider of new payments.
    """

    name: str
    setting: str

    def configured(self) -> P:
        """The adapter of new payments. Raises UnknownProvider, also when the setting is empty."""
        return self.get(getattr(settings, self.setting))

    def get(self, code: str) -> P:
        """The adapter with this code, configured or not: payments outlive a change of provider.

        Except a simulated rail, which serves only while it is configured: its callbacks are signed
        with a secret that is public in development. Raises UnknownProvider.
        """
        rail = rails().get(code)
        adapter = getattr(rail, self.name, None)
        is_configured = code == getattr(settings, self.setting)
        if rail is None or adapter is None or (rail.is_simulated and not is_configured):
            raise UnknownProvider(code)
        return cast(P, adapter)


PAYIN: Adapters[PayinPort] = Adapters("payin", "PAYIN_PROVIDER")
# The provider that took the money reports its disputes.
DISPUTE: Adapters[DisputePort] = Adapters("dispute", "PAYIN_PROVIDER")
PAYOUT: Adapters[PayoutPort] = Adapters("payout", "PAYOUT_PROVIDER")
TOPUP: Adapters[TopupPort] = Adapters("topup", "TOPUP_PROVIDER")
BILL: Adapters[BillPort] = Adapters("bill", "BILLS_PROVIDER")
REFUND: Adapters[RefundPort] = Adapters("refund", "REFUND_PROVIDER")


def rails() -> Mapping[str, RailDeclaration]:
    """Every rail of settings.RAILS, by its code."""
    return {rail.code: rail for rail in map(_declaration, settings.RAILS)}


def is_simulated(code: str) -> bool:
    """False for a code that no rail has."""
    rail = rails().get(code)
    return rail is not None and rail.is_simulated


def refuses_callback(path: str, headers: Mapping[str, str], now: datetime) -> bool:
    """Whether POST /callbacks/<product>/<provider> is refused without reading its body."""
    rail = rails().get(path.rstrip("/").rpartition("/")[2])
    if rail is None:
        return True
    if rail.check_callback_headers is None:
        return False
    try:
        rail.check_callback_headers(headers, now)
    except InvalidCallback:
        return True
    return False


@cache
def _declaration(path: str) -> RailDeclaration:
    declaration: RailDeclaration = import_string(path)
    return declaration
