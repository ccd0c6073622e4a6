"""Payers of Café Andino who choose a coin on the page, and scans as the beat starts them."""

import re

from payments.chains.models import CoinAddress, Deposit
from payments.chains.scanner import runs
from payments.collect.models import Charge, Order
from payments.collect.services.charges import coin_reports
from payments.core import clock
from payments.providers.ports.chain import ChainTransfer, Coin
from payments.rates import services as rates
from payments.rates.models import ExchangeRate
from tests.chains.fake_chain import NATIVE, FakeChain, transfer
from tests.collect.test_pages.conftest import Payer
from tests.support.charges import create
from tests.support.fixtures import ApiClient

PRICES = {"BTC": 400_000_000, "USDT": 4_000, "USDC": 4_000, "ETH": 12_000_000}


def set_prices() -> None:
    for coin, cop in PRICES.items():
        rate = ExchangeRate(currency=coin, price_cop=cop, source="olga")
        rate.effective_at = clock.now()
        rates.set_rate(rate, actor="olga", reason="The market moved")


def scan(*chains: FakeChain, reports: bool = True) -> None:
    for chain in chains:
        runs.scan_account(account=chain.code, now=clock.now())
    if reports:
        report()


def report() -> None:
    coin_reports.report_coins(now=clock.now())


def choose_coin(order: Order, coin: Coin = NATIVE) -> Charge:
    """On the payer's page."""
    payer = Payer(order)
    values = re.findall(rf'value="({coin.code}[^"]*)"', payer.see("/crypto"))
    exact = [one for one in values if one == coin.key]
    payer.choose("/crypto", {"coin": (exact or values)[0]})
    return order.charges.latest("created_at")


def buy(api: ApiClient, coin: Coin = NATIVE, **changes: object) -> Charge:
    changes = {"amount": 100_000_000, "expirationMinutes": 60, **changes}
    return choose_coin(create(api, **changes), coin)


def address_of(charge: Charge) -> CoinAddress:
    return CoinAddress.objects.get(reference=charge.pk)


def payment(
    charge: Charge, coin: Coin = NATIVE, units: int | None = None, **changes: object
) -> ChainTransfer:
    """The whole amount of the charge, if nothing else is said."""
    whole = coin.units(charge.amount) if units is None else units
    return transfer(address_of(charge).target, whole, coin=coin, **changes)  # type: ignore[arg-type]


def statuses() -> list[str]:
    return list(Deposit.objects.order_by("id").values_list("status", flat=True))


def seen(charge: Charge) -> tuple[str, str, str]:
    """The order's status, and what the charge has received and expects, as text."""
    charge.refresh_from_db()
    charge.order.refresh_from_db()
    return charge.order.status, f"{charge.received:f}", f"{charge.unconfirmed:f}"
