"""What the payer's page shows of coins: prices before the choice, and what the networks have seen.

Reads only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from merchants.models import Method
from payments.collect.checkout.forms import CoinForm
from payments.collect.models import Charge, Order
from payments.collect.services.funds import coin_values
from payments.providers import ports, registry
from payments.rates import services as rates

NOTHING = Decimal(0)
# Of BIP 21 and EIP-681. No other link of a rail is offered as a wallet's.
WALLET_SCHEMES = ("bitcoin:", "ethereum:", "litecoin:")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the chooser: its radio button, the coin, and what to send at which price."""

    option: object
    coin: ports.Coin
    offer: rates.Offer


class State(StrEnum):
    """SMALL: dust, which never counts. REPLACED: by another transaction of the payer."""

    WAITING = "WAITING"
    FINAL = "FINAL"
    GONE = "GONE"
    REPLACED = "REPLACED"
    SMALL = "SMALL"


@dataclass(frozen=True, slots=True, kw_only=True)
class Deposit:
    """One transaction to an address of the order. `needed` is 0 where no number is known."""

    amount: Decimal
    currency: str
    state: State
    confirmations: int = 0
    needed: int = 0
    transaction: str = ""
    url: str = ""


def list_rows(form: CoinForm, order: Order, missing: Decimal, now: datetime) -> list[Row]:
    """The networks of a coin stand together. Coins without a current price are left out.

    One query.
    """
    codes = dict.fromkeys(coin.code for coin in form.coins)
    offers = rates.offers(amount=missing, currency=order.currency, pay_with=codes, now=now)
    options = zip(form["coin"], form.coins, strict=True)
    rows = [Row(option, coin, offers[coin.code]) for option, coin in options if coin.code in offers]
    return sorted(rows, key=lambda row: list(codes).index(row.coin.code))


def instructions_context(
    order: Order, charge: Charge, missing: Decimal, now: datetime
) -> dict[str, object]:
    """The page of an address: what to send there, and what was seen of it."""
    to_send = charge.amount - charge.received - charge.unconfirmed
    until = charge.quote_expires_at
    return {
        "to_send": to_send,
        "is_over": until is not None and until <= now,
        # Money came in another way since, so this address asks for more than is missing.
        "is_outdated": charge.covers - charge.credited > missing,
        "is_part_seen": charge.received + charge.unconfirmed > 0,
        "rate": rates.quoted_rate(charge.quote_id) if charge.quote_id else None,
        "wallet_uri": _wallet_uri(charge, to_send),
        "deposits": seen_deposits(order, [charge.pk]),
    }


def confirming_context(order: Order, now: datetime) -> dict[str, object]:
    charges = list(Charge.objects.on_its_way(order))
    return {
        "deposits": seen_deposits(order),
        "is_late": any(_late_part(charge) > 0 for charge in charges),
        "is_short": all(is_short(charge) for charge in charges),
        "is_too_much": any(
            charge.received + charge.unconfirmed > charge.amount for charge in charges
        ),
        "is_time_over": order.expires_at <= now,
    }


def is_short(charge: Charge) -> bool:
    """Whether less than the amount due was seen."""
    return charge.received + charge.unconfirmed < charge.amount


def seen_deposits(order: Order, also: Iterable[str] = ()) -> list[Deposit]:
    """Of every coin charge of the order that has seen money, and of the charges `also`."""
    charges = order.charges.filter(method=Method.CRYPTO, origin=None).order_by("created_at", "id")
    shown = [one for one in charges if one.seen_at is not None or one.pk in also]
    return [deposit for charge in shown for deposit in deposits_of(charge)]


def under_way(order: Order) -> list[Deposit]:
    return [one for one in seen_deposits(order) if one.state is State.WAITING]


def deposits_of(charge: Charge) -> list[Deposit]:
    return _totals(charge)


def _totals(charge: Charge) -> list[Deposit]:
    """For a rail that reports no single transactions."""
    parts = ((charge.received, State.FINAL), (charge.unconfirmed, State.WAITING))
    return [
        Deposit(amount=amount, currency=charge.currency, state=state, transaction=charge.trace_code)
        for amount, state in parts
        if amount > 0
    ]


def _late_part(charge: Charge) -> Decimal:
    """The coins that were seen after the end of their price."""
    if charge.quote_expires_at is None:
        return NOTHING
    seen = min(charge.received + charge.unconfirmed, charge.amount)
    return seen - coin_values.seen_in_time(charge)


def _wallet_uri(charge: Charge, to_send: Decimal) -> str:
    """Empty where no wallet can be asked for what is left to send."""
    way = charge.instructions
    uri = str(way.get("uri", "")) if to_send == charge.amount else _uri_of_rest(charge, to_send)
    return uri if uri.startswith(WALLET_SCHEMES) else ""


def _uri_of_rest(charge: Charge, to_send: Decimal) -> str:
    rail = registry.find_rail(charge.provider)
    if rail is None or rail.chain is None or to_send <= 0:
        return ""
    wanted = (charge.currency, charge.fields.get("network", rail.chain.network))
    for coin in rail.coins:
        if (coin.code, coin.network) == wanted:
            return rail.chain.payment_uri(coin, charge.instructions["address"], to_send)
    return ""
