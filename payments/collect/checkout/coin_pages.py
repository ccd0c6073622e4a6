"""What the payer's page shows of coins: prices before the choice, and what the networks have seen.

Reads only.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from merchants.models import Method
from payments.chains import progress
from payments.collect.checkout.forms import CoinForm
from payments.collect.models import Charge, Order
from payments.collect.services.funds import coin_values
from payments.providers import ports, registry
from payments.rails.services.routing import RouteTable
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
    """SMALL: dust, which never counts. STRANGE: another coin, or over another network."""

    WAITING = "WAITING"
    FINAL = "FINAL"
    GONE = "GONE"
    SMALL = "SMALL"
    STRANGE = "STRANGE"


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


def list_rows(
    form: CoinForm, order: Order, missing: Decimal, now: datetime, table: RouteTable
) -> list[Row]:
    """The networks of a coin stand together. One query.

    Coins without a current price are left out, and those of which the order is worth too little.
    """
    codes = dict.fromkeys(coin.code for coin in form.coins)
    offers = rates.offers(amount=missing, currency=order.currency, pay_with=codes, now=now)
    options = zip(form["coin"], form.coins, strict=True)
    rows = [Row(option, coin, offers[coin.code]) for option, coin in options if coin.code in offers]
    rows = [row for row in rows if _counts(row.coin, row.offer.amount, table)]
    return sorted(rows, key=lambda row: list(codes).index(row.coin.code))


def _counts(coin: ports.Coin, amount: Decimal, table: RouteTable) -> bool:
    chains = (rail.chain for rail in table.rails.values() if rail and rail.chain)
    return all(chain.counts(coin, coin.units(amount)) for chain in chains if coin in chain.coins)


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
    """Money that an operator decides about is shown until it is final (arrived_funds)."""
    sights = progress.of_charge(charge)
    if not sights:
        return _totals(charge)
    return [_deposit(one) for one in sights if one.coin and (one.is_expected or not one.is_final)]


def _deposit(sight: progress.Sight) -> Deposit:
    return Deposit(
        amount=sight.amount,
        currency=sight.coin,
        state=_state(sight),
        confirmations=sight.confirmations,
        needed=sight.needed,
        transaction=sight.transaction,
        url=sight.url if sight.url.startswith(("https://", "http://")) else "",
    )


def _state(sight: progress.Sight) -> State:
    if sight.is_gone:
        return State.GONE
    if not sight.counts:
        return State.SMALL
    if not sight.is_expected:
        return State.STRANGE
    return State.FINAL if sight.is_final else State.WAITING


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
