"""Whatever a network says in whatever order: coins are credited for what they were worth.

Never more than the quote for what was seen in time and the best price for the rest; never less than
that with the worst price.
"""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from hypothesis.extra.django import TestCase

from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.collect.services.funds import coin_values as coins
from payments.core import clock
from payments.ledger import services as ledger
from payments.providers.ports import ChargeStatus, ChargeUpdate
from payments.rates import services as rates
from payments.rates.models import ExchangeRate
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.quotes import PRICE, TOTAL, WHOLE, hear, quoted

pytestmark = pytest.mark.slow

# What happens on the network, in hundredths of what was asked for; "end" is that of the quote.
HUNDREDTH = WHOLE / 100
STEPS = st.one_of(
    st.tuples(st.sampled_from(["seen", "final", "vanish", "confirm"]), st.integers(1, 150)),
    st.tuples(st.just("price"), st.sampled_from([25, 50, 80, 100, 130, 400])),
    st.tuples(st.just("end"), st.just(0)),
)
STORIES = st.lists(STEPS, min_size=3, max_size=9)
Snapshot = tuple[Decimal, Decimal, bool]


class Network:
    """How a charge stands there: final, on its way, and whether the quote is over."""

    def __init__(self) -> None:
        self.received = self.unconfirmed = Decimal(0)
        self.is_late = False

    def act(self, what: str, number: int) -> None:
        amount = HUNDREDTH * number
        if what == "end":
            self.is_late = True
        elif what == "seen":
            self.unconfirmed += amount
        elif what == "final":
            self.received += amount
        else:
            part = min(amount, self.unconfirmed)
            self.unconfirmed -= part
            self.received += part if what == "confirm" else 0

    @property
    def snapshot(self) -> Snapshot:
        return self.received, self.unconfirmed, self.is_late


class WorthWhatItWas(TestCase):
    """A story is told in order; then all of it once more, which changes nothing."""

    @hypothesis_settings(max_examples=60)
    @given(story=STORIES)
    def test_credited_value_is_fair(self, story: list[tuple[str, int]]) -> None:
        rates.load_default_rates(now=clock.now())
        price = self.set_price(100)
        charge = quoted(ApiClient(MerchantFactory()))
        network, said = Network(), []
        arrived: list[tuple[Decimal, Decimal]] = []  # price of that time, coins
        promised = [Decimal(0)]  # how many coins the quote held for, step by step
        for second, (what, number) in enumerate(story):
            if what == "price":
                price = self.set_price(number)
                continue
            before = network.received
            network.act(what, number)
            seen = min(network.received + network.unconfirmed, WHOLE)
            stands = min(promised[-1], seen) if network.is_late else seen
            promised.append(max(stands, min(before, promised[-1])))
            if Order.objects.get().is_final and network.received > before:
                break  # the rest waits as the coin that it is
            said.append((*network.snapshot, second))
            self.say(charge, *said[-1])
            arrived.append((price, network.received - before))
        charge.refresh_from_db()
        credited = charge.credited
        received = charge.received
        held = min(promised[-1], received), max(promised)
        worst, best = (self.bound(arrived, *held, is_best=is_best) for is_best in (False, True))
        assert worst - 1 <= credited <= best, held

        for words in [*said, *reversed(said)]:
            self.say(charge, *words)
        charge.refresh_from_db()
        assert (charge.credited, charge.received) == (credited, received)
        self.check_books(charge)

    @staticmethod
    def set_price(percent: int) -> Decimal:
        price = Decimal(PRICE * percent // 100)
        rate = ExchangeRate(
            currency="BTC", price_cop=price, source="desk", effective_at=clock.now()
        )
        rates.set_rate(rate, actor="olga")
        return price

    @staticmethod
    def say(
        charge: Charge, received: Decimal, unconfirmed: Decimal, is_late: bool, second: int
    ) -> None:
        """The quote lasts 15 minutes; each step is a second of it or after it."""
        assert charge.quote_expires_at is not None
        start = charge.quote_expires_at if is_late else charge.created_at
        at = start + timedelta(seconds=1 + second)
        assert hear(charge, received, unconfirmed, at=at) == 200

    @staticmethod
    def bound(
        arrived: list[tuple[Decimal, Decimal]], least: Decimal, most: Decimal, *, is_best: bool
    ) -> Decimal:
        """The best or the worst for the payer if between `least` and `most` coins have the quote:
        it stands in for the cheapest or for the dearest, and for more than `least` where it helps.
        """
        quote, worth, used = TOTAL / WHOLE, Decimal(0), Decimal(0)
        for price, amount in sorted(arrived, reverse=not is_best):
            helps = price < quote if is_best else price > quote
            at_quote = min(amount, max((most if helps else least) - used, Decimal(0)))
            used += at_quote
            worth += at_quote * quote + (amount - at_quote) * price
        return worth

    @staticmethod
    def check_books(charge: Charge) -> None:
        order = Order.objects.get()
        funds = UnmatchedFunds.objects.filter(order=order, reason="EXCESS")
        excess = sum(funds.values_list("amount", flat=True), Decimal(0))
        if order.status == "COMPLETED":
            assert charge.credited == order.amount + excess
        else:
            assert charge.credited < order.amount
        assert not ledger.verify().problems


@st.composite
def histories(draw: Any) -> list[Snapshot]:
    """What a network can have gone through: final money stays, the rest may vanish."""
    network, history = Network(), []
    for what, number in draw(STORIES):
        if what != "price":
            network.act(what, number)
            history.append(network.snapshot)
    return history


@given(history=histories(), data=st.data())
def test_order_and_repetition_of_updates_make_no_difference(
    history: list[Snapshot], data: st.DataObject
) -> None:
    """To what was seen in time; what is booked by then stays as it is."""
    limit = clock.now()
    told = list(enumerate(history))
    shuffled = data.draw(st.permutations(told + told[: data.draw(st.integers(0, len(told)))]))

    def seen(order: list[tuple[int, Snapshot]]) -> Decimal:
        charge = Charge(amount=WHOLE, covers=TOTAL, currency="BTC", quote_expires_at=limit)
        for second, (received, unconfirmed, is_late) in order:
            moment = limit + timedelta(seconds=second + 1 if is_late else second - 100)
            coins.record_seen(
                charge,
                ChargeUpdate(
                    reference="",
                    provider_id="",
                    status=ChargeStatus.RECEIVED,
                    received=received,
                    unconfirmed=unconfirmed,
                    currency="BTC",
                    occurred_at=moment,
                ),
            )
        return coins.seen_in_time(charge)

    assert seen(shuffled) == seen(told) <= WHOLE
    later = [min(r + u, WHOLE) for r, u, is_late in history if is_late]
    assert all(seen(told) <= each for each in later)
