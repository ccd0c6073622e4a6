"""Which adapter serves: the one in the settings for what is new, by its code for what is older.

Adding a provider is one line in PAYIN or PAYOUT and its module.
"""

from functools import cache
from typing import Any, cast

from django.conf import settings
from django.utils.module_loading import import_string

from payments.providers.ports import PayinPort, PayoutPort

SIMULATOR = "simulator"
PAYIN = {SIMULATOR: "payments.providers.simulator.payin.SimulatorPayin"}
PAYOUT = {SIMULATOR: "payments.providers.simulator.payout.SimulatorPayout"}


class UnknownProvider(LookupError):
    """No adapter has this code, or it must not be used here."""


def payin() -> PayinPort:
    """The adapter that new charges go to: settings.PAYIN_PROVIDER."""
    return payin_by_code(settings.PAYIN_PROVIDER)


def payin_by_code(code: str) -> PayinPort:
    """The adapter with this code, configured or not: charges outlive a change of provider.

    Except the simulator, which answers only while it is the configured one: its callbacks are
    signed with a secret that is public in development. Raises UnknownProvider.
    """
    return cast(PayinPort, _find(PAYIN, code, settings.PAYIN_PROVIDER))


def payout() -> PayoutPort:
    """The adapter that new payouts go to: settings.PAYOUT_PROVIDER.

    Raises UnknownProvider, also when the setting is empty: there is no provider of payouts.
    """
    return payout_by_code(settings.PAYOUT_PROVIDER)


def payout_by_code(code: str) -> PayoutPort:
    """The adapter with this code: as `payin_by_code`, for payouts. Raises UnknownProvider."""
    return cast(PayoutPort, _find(PAYOUT, code, settings.PAYOUT_PROVIDER))


def _find(adapters: dict[str, str], code: str, configured: str) -> Any:
    if code not in adapters or (code == SIMULATOR != configured):
        raise UnknownProvider(code)
    return _adapter(adapters[code])


@cache
def _adapter(path: str) -> Any:
    return import_string(path)()
