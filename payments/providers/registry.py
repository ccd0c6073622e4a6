"""Which adapter serves: the one in the settings for new charges, by its code for older ones.

Adding a provider is one line in PAYIN and its module.
"""

from functools import cache
from typing import cast

from django.conf import settings
from django.utils.module_loading import import_string

from payments.providers.ports import PayinPort

SIMULATOR = "simulator"
PAYIN = {SIMULATOR: "payments.providers.simulator.payin.SimulatorPayin"}


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
    if code not in PAYIN or (code == SIMULATOR != settings.PAYIN_PROVIDER):
        raise UnknownProvider(code)
    return _adapter(PAYIN[code])


@cache
def _adapter(path: str) -> PayinPort:
    return cast(PayinPort, import_string(path)())
