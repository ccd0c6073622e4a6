"""Refunds that an operator pays in coins: which coin and network, how much, and to which address.

A peso that was paid with a coin is returned as the coins that it buys when the refund is approved.
"""

from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext_noop as _

from payments.chains.coin_refund import CoinRefund
from payments.chains.services.addresses import is_ours
from payments.collect.models import Charge, Refund
from payments.core import money
from payments.core.errors import NotAllowed
from payments.providers import registry
from payments.providers.ports import Coin
from payments.rates import services as rates

WRONG = _("This is no address of the network. Copy it from your wallet again.")
CONTRACT = _("This is the address of the coin itself, not of a wallet. Coins sent there are lost.")
OURS = _("This is an address of the shop's payment service. Write one of your own wallet.")


def port_of(account: str) -> CoinRefund | None:
    """None for an account whose refunds are not paid by hand, or that is not there."""
    rail = registry.find_rail(account)
    return rail.refund if rail and isinstance(rail.refund, CoinRefund) else None


def coin_of(refund: Refund) -> Coin | None:
    """None while the account has the coin switched off."""
    port = port_of(refund.provider)
    return port.coin(refund.coin) if port else None


def coin_of_charge(charge: Charge) -> Coin | None:
    """The coin in which the charge can be returned by hand."""
    port = port_of(charge.provider)
    return port.coin(charge.currency) if port else None


def problem_of_address(port: CoinRefund, address: str) -> str:
    """Empty for an address that coins can be sent to."""
    if not port.chain.is_address(address):
        return WRONG
    target = port.chain.target_of(address)
    if set(target.removeprefix("0x")) == {"0"}:  # coins sent there are burnt
        return WRONG
    if any(each.token and _is_same(each.token, target) for each in port.chain.coins):
        return CONTRACT
    return OURS if is_ours(chain=port.chain, address=address) else ""


def fix_amount(refund: Refund, now: datetime) -> None:
    """Sets how many coins are paid. Raises NotAllowed. The refund is locked."""
    port = port_of(refund.provider)
    coin = port.coin(refund.coin) if port else None
    if port is None or coin is None:
        raise NotAllowed(_("The account of this coin is not there, or has the coin switched off."))
    refund.coin_amount, refund.coin_rate = _amount(refund, now)
    if refund.coin_amount <= 0 or not port.chain.counts(coin, coin.units(refund.coin_amount)):
        raise NotAllowed(_("The amount is too small to be sent over this network. Reject it."))


def _amount(refund: Refund, now: datetime) -> tuple[Decimal, Decimal | None]:
    if refund.currency == refund.coin:
        return refund.amount, None
    if refund.currency != money.BALANCE_OF_FIAT:
        raise NotAllowed(_("An order in one coin cannot be returned in another."))
    try:
        bought = rates.coins_for(amount_cop=refund.amount, coin=refund.coin, now=now)
    except rates.StaleRate as error:
        raise NotAllowed(
            _("There is no current price of the coin. Approve when there is one.")
        ) from error
    return bought.amount, bought.rate


def _is_same(token: str, target: str) -> bool:
    """Chains whose addresses are hexadecimal spell them in upper and lower case."""
    return token == target or (target.startswith("0x") and token.lower() == target.lower())
