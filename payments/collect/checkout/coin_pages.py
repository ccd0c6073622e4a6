"""What the payer's page shows of coins: prices before the choice, and what the networks have seen.

Reads only.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from enum import StrEnum

from merchants.models import Method
from payments.chains import progress
from payments.collect.checkout.forms import CoinForm
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.funds import coin_values
from payments.providers import networks, ports, registry
from payments.rails.services.routing import RouteTable
from payments.rates import services as rates

NOTHING = Decimal(0)
# Of BIP 21 and EIP-681. No other link of a rail is offered as a wallet's.
WALLET_SCHEMES = ("bitcoin:", "ethereum:", "litecoin:")


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the chooser: its radio button, the coin, and what to send at which price.

    wait_seconds  usual time until it is final. None where it is not known.
    """

    option: object
    coin: ports.Coin
    offer: rates.Offer
    wait_seconds: int | None = None

    @property
    def is_cheap(self) -> bool:
        """Whether the network is known to cost those who send little."""
        network = networks.find(self.coin.network)
        return network is not None and network.is_cheap


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
    seconds_left: int | None = None
    seen_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class OnItsWay:
    """Money that the networks have seen and not confirmed, in the order's currency.

    worth        what it adds if it is confirmed now. None where it has no price now.
    left         what the order misses without it.
    surplus      what it is more than the order asks.
    is_estimate  a part of it counts at the price of the moment it is confirmed.
    """

    worth: Decimal | None
    left: Decimal
    surplus: Decimal = NOTHING
    is_estimate: bool = False


class Strangeness(StrEnum):
    """Why money came that does not pay the order by itself."""

    COIN = "COIN"
    NETWORK = "NETWORK"
    OTHER = "OTHER"


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
    rows = [
        replace(row, wait_seconds=_usual_wait(row.coin, row.offer.amount, table))
        for row in rows
        if _counts(row.coin, row.offer.amount, table)
    ]
    return sorted(rows, key=lambda row: list(codes).index(row.coin.code))


def _chains_of(coin: ports.Coin, table: RouteTable) -> list[ports.ChainPort]:
    chains = (rail.chain for rail in table.rails.values() if rail)
    return [chain for chain in chains if chain and coin in chain.coins]


def _counts(coin: ports.Coin, amount: Decimal, table: RouteTable) -> bool:
    return all(chain.counts(coin, coin.units(amount)) for chain in _chains_of(coin, table))


def _usual_wait(coin: ports.Coin, amount: Decimal, table: RouteTable) -> int | None:
    """The longest one, if several accounts take the coin on this network."""
    waits = [
        progress.seconds_left(chain, 0, chain.confirmations_needed(coin, coin.units(amount)))
        for chain in _chains_of(coin, table)
    ]
    return None if None in waits else max(filter(None, waits), default=None)


def instructions_context(
    order: Order, charge: Charge, missing: Decimal, now: datetime
) -> dict[str, object]:
    """The page of an address: what to send there, and what was seen of it."""
    to_send = charge.amount - charge.received - charge.unconfirmed
    until = charge.quote_expires_at
    deposits = seen_deposits(order, [charge.pk])
    funds = list(order.unmatched_funds.select_related("charge").order_by("created_at"))
    strangeness = find_strangeness(charge, funds, deposits)
    is_over = until is not None and until <= now
    # Money came in another way since, so this address asks for more than is missing.
    is_outdated = charge.covers - charge.credited > missing
    is_part_seen = charge.received + charge.unconfirmed > 0
    is_gone = bool(deposits) and all(one.state is State.GONE for one in deposits)
    is_asking = not (is_over or is_outdated or strangeness or is_gone)
    return {
        "funds": funds,
        "strangeness": strangeness,
        "strange_coin": _strange_coin(charge, funds, deposits),
        "on_its_way": find_on_its_way(order, [charge], missing, now),
        "wait_seconds": wait_seconds(deposits),
        "to_send": to_send,
        "is_over": is_over,
        "is_outdated": is_outdated,
        "is_part_seen": is_part_seen,
        "is_asking": is_asking,
        # Its end is nearer than that of the order, and stands alone on the page.
        "is_price_running": is_asking and until is not None,
        "asks_for_rest": is_part_seen and is_asking,
        "rate": rates.quoted_rate(charge.quote_id) if charge.quote_id else None,
        "wallet_uri": _wallet_uri(charge, to_send),
        "deposits": [one for one in deposits if one.state is not State.STRANGE],
        "strange_deposits": [one for one in deposits if one.state is State.STRANGE],
        "is_gone": is_gone,
    }


def confirming_context(order: Order, missing: Decimal, now: datetime) -> dict[str, object]:
    charges = list(Charge.objects.on_its_way(order))
    deposits = seen_deposits(order)
    is_late = any(_late_part(charge) > 0 for charge in charges)
    return {
        "deposits": deposits,
        "on_its_way": find_on_its_way(order, charges, missing, now),
        "wait_seconds": wait_seconds(deposits),
        "is_late": is_late,
        "is_short": all(is_short(charge) for charge in charges),
        # What coins are worth that came after their price is known when they are confirmed.
        "is_surplus": not is_late and any(_is_too_much(charge) for charge in charges),
        "is_time_over": order.expires_at <= now,
    }


def find_on_its_way(
    order: Order, charges: Iterable[Charge], missing: Decimal, now: datetime
) -> OnItsWay | None:
    """None if nothing waits for its confirmation. `missing` is without it."""
    charges = [one for one in charges if one.unconfirmed > 0]
    if not charges:
        return None
    values = [
        coin_values.value_of(order, one, one.received + one.unconfirmed, now) for one in charges
    ]
    if any(one.unpriced for one in values):
        return OnItsWay(worth=None, left=missing)
    worth = sum((one.worth for one in values), NOTHING)
    is_estimate = any(_late_part(one) > 0 for one in charges)
    # The last coin is rounded up: at a new price that may be a peso too much.
    is_whole = is_estimate and not any(_is_too_much(one) for one in charges)
    return OnItsWay(
        worth=worth,
        left=max(missing - worth, NOTHING),
        surplus=NOTHING if is_whole else max(worth - missing, NOTHING),
        is_estimate=is_estimate,
    )


def _is_too_much(charge: Charge) -> bool:
    return charge.received + charge.unconfirmed > charge.amount


def wait_seconds(deposits: Iterable[Deposit]) -> int | None:
    """Usual time until all are final. None if it is not known of one."""
    left = [one.seconds_left for one in deposits if one.state is State.WAITING]
    known = [one for one in left if one is not None]
    return max(known) if known and len(known) == len(left) else None


def find_strangeness(
    charge: Charge, funds: Iterable[UnmatchedFunds], deposits: Iterable[Deposit]
) -> Strangeness | None:
    """None if all money at the address pays the order."""
    waiting, coming = _unmatched(funds, deposits)
    currencies = _currencies(waiting, coming)
    if not currencies:
        return None
    if currencies - {charge.currency}:
        return Strangeness.COIN
    is_network = coming or any(one.reason == UnmatchedFunds.Reason.ACCOUNT for one in waiting)
    return Strangeness.NETWORK if is_network else Strangeness.OTHER


def _strange_coin(
    charge: Charge, funds: Iterable[UnmatchedFunds], deposits: Iterable[Deposit]
) -> str:
    """The other coin that came. Empty if several came."""
    others = _currencies(*_unmatched(funds, deposits)) - {charge.currency}
    return others.pop() if len(others) == 1 else ""


def _unmatched(
    funds: Iterable[UnmatchedFunds], deposits: Iterable[Deposit]
) -> tuple[list[UnmatchedFunds], list[Deposit]]:
    """What arrived and is not decided about, and what is on its way, neither for the order."""
    waiting = [one for one in funds if one.status == UnmatchedFunds.Status.OPEN]
    return waiting, [one for one in deposits if one.state is State.STRANGE]


def _currencies(waiting: Iterable[UnmatchedFunds], coming: Iterable[Deposit]) -> set[str]:
    return {one.currency for one in waiting} | {one.currency for one in coming}


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


def paying_transactions(charges: Iterable[Charge]) -> list[Deposit]:
    found = [one for charge in charges for one in deposits_of(charge)]
    return [one for one in found if one.state is State.FINAL and one.transaction]


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
        seconds_left=sight.seconds_left,
        seen_at=sight.seen_at,
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
    if rail is None or to_send <= 0:
        return ""
    make = rail.chain.payment_uri if rail.chain else rail.payment_uri
    if make is None:
        return ""
    # Charges of earlier releases name no network.
    network = charge.fields.get("network") or (rail.chain.network if rail.chain else "")
    for coin in rail.coins:
        if coin.code == charge.currency and network in ("", coin.network):
            return make(coin, charge.instructions["address"], to_send)
    return ""
