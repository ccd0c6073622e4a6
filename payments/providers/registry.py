"""Which adapter serves: the one in the settings for what is new, by its code for what is older.

Adding a provider is one line in the table of its product and its module.
"""

from collections.abc import Mapping
from datetime import datetime
from functools import cache
from typing import Any, cast

from django.conf import settings
from django.utils.module_loading import import_string

from payments.providers.ports import (
    BillPort,
    DisputePort,
    InvalidCallback,
    PayinPort,
    PayoutPort,
    RefundPort,
    TopupPort,
)

SIMULATOR = "simulator"
PAYIN = {SIMULATOR: "payments.simulator.payin.SimulatorPayin"}
PAYOUT = {SIMULATOR: "payments.simulator.payout.SimulatorPayout"}
TOPUP = {SIMULATOR: "payments.simulator.topup.SimulatorTopup"}
BILLS = {SIMULATOR: "payments.simulator.bills.SimulatorBills"}
DISPUTES = {SIMULATOR: "payments.simulator.disputes.SimulatorDisputes"}
REFUND = {SIMULATOR: "payments.simulator.refund.SimulatorRefund"}
ADAPTERS = (PAYIN, PAYOUT, TOPUP, BILLS, DISPUTES, REFUND)
# Raises InvalidCallback for headers that no callback of the provider can have. Optional.
HEADER_CHECKS = {SIMULATOR: "payments.simulator.callbacks.check_headers"}


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


def topup() -> TopupPort:
    """The adapter that new top-ups go to: settings.TOPUP_PROVIDER. Raises as `payout`."""
    return topup_by_code(settings.TOPUP_PROVIDER)


def topup_by_code(code: str) -> TopupPort:
    """The adapter with this code: as `payin_by_code`, for top-ups. Raises UnknownProvider."""
    return cast(TopupPort, _find(TOPUP, code, settings.TOPUP_PROVIDER))


def bills() -> BillPort:
    """The adapter that new bill payments go to: settings.BILLS_PROVIDER. Raises as `payout`."""
    return bills_by_code(settings.BILLS_PROVIDER)


def bills_by_code(code: str) -> BillPort:
    """The adapter with this code: as `payin_by_code`, for bills. Raises UnknownProvider."""
    return cast(BillPort, _find(BILLS, code, settings.BILLS_PROVIDER))


def disputes_by_code(code: str) -> DisputePort:
    """Who tells of disputes: as `payin_by_code`, because whoever took the money hears of them."""
    return cast(DisputePort, _find(DISPUTES, code, settings.PAYIN_PROVIDER))


def refund() -> RefundPort:
    """The adapter that new refunds go to: settings.REFUND_PROVIDER. Raises as `payout`."""
    return refund_by_code(settings.REFUND_PROVIDER)


def refund_by_code(code: str) -> RefundPort:
    """The adapter with this code: as `payin_by_code`, for refunds. Raises UnknownProvider."""
    return cast(RefundPort, _find(REFUND, code, settings.REFUND_PROVIDER))


def refuses_callback(path: str, headers: Mapping[str, str], now: datetime) -> bool:
    """Whether POST /callbacks/<product>/<provider> is refused whatever its body says."""
    code = path.rstrip("/").rpartition("/")[2]
    if code not in HEADER_CHECKS:
        return not any(code in adapters for adapters in ADAPTERS)
    try:
        import_string(HEADER_CHECKS[code])(headers, now)
    except InvalidCallback:
        return True
    return False


def _find(adapters: dict[str, str], code: str, configured: str) -> Any:
    if code not in adapters or (code == SIMULATOR != configured):
        raise UnknownProvider(code)
    return _adapter(adapters[code])


@cache
def _adapter(path: str) -> Any:
    return import_string(path)()
