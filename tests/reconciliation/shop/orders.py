"""Orders of the month and the transfers that pay them, or do not."""

import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import TypeVar

from tests.reconciliation.shop.bank_calendar import (
    is_business_day,
    moment,
    next_business_day,
)
from tests.reconciliation.shop.people import People, Person
from tests.reconciliation.shop.plan import Channel, Naming, Order, Transfer

T = TypeVar("T")
BASKETS = (18_000, 24_500, 32_000, 46_500, 58_000, 62_000, 84_000, 96_000, 118_000, 150_000)
BASKETS += (189_900, 240_000, 315_000, 420_000, 1_250_000)
SHARE_OF_BASKETS = 0.7
MINUTES = 3 * 24 * 60

CHANNELS = {
    Channel.KEY: 35,
    Channel.QR: 20,
    Channel.NEQUI: 15,
    Channel.BRANCH: 20,
    Channel.ACH: 10,
}
# In a thousand.
NAMINGS = {
    Naming.TYPED: 815,
    Naming.ZEROS: 40,
    Naming.SPACES: 30,
    Naming.IN_TEXT: 50,
    Naming.DOCUMENT: 35,
    Naming.WRONG_DIGIT: 10,
    Naming.NAME: 14,
    Naming.NOTHING: 6,
}
CLEAR = (Naming.TYPED, Naming.TYPED, Naming.ZEROS, Naming.IN_TEXT)
PAYMENTS = {
    "exact": 860,
    "abandoned": 60,
    "late": 20,
    "split": 20,
    "twice": 12,
    "little": 10,
    "much": 10,
    "twin": 8,
}


def orders_and_transfers(
    chance: random.Random, days: list[date], count: int
) -> tuple[list[Order], list[Transfer]]:
    """All orders in the order of time, and all transfers that reach the bank in the month."""
    shop = _Shop(chance, days, count)
    for day, number in shop.orders_by_day():
        for _ in range(number):
            shop.sell(day)
    orders = sorted(shop.orders, key=lambda order: order.at)
    transfers = [transfer for transfer in shop.transfers if transfer.booked_on <= days[-1]]
    return orders, [*transfers, *shop.strangers()]


class _Shop:
    def __init__(self, chance: random.Random, days: list[date], count: int) -> None:
        self.chance, self.days, self.count = chance, days, count
        self.people = People(chance)
        self.regulars = [self.people.customer() for _ in range(max(5, count // 8))]
        self.orders: list[Order] = []
        self.transfers: list[Transfer] = []

    def orders_by_day(self) -> Iterator[tuple[date, int]]:
        """More before and at weekends; none on the last day, so that the bank books the rest."""
        weights = [1.3 if day.weekday() >= 4 else 1.0 for day in self.days[:-1]]
        drawn = self.chance.choices(self.days[:-1], weights, k=self.count)
        for day in self.days:
            yield day, drawn.count(day)

    def sell(self, day: date) -> None:
        order = self._order(day, self._payer(), self._amount())
        match _draw(self.chance, PAYMENTS):
            case "exact":
                self._pay(order)
            case "late":
                # After the order expired: 4 to 6 days.
                late = order.at + timedelta(hours=self.chance.uniform(96, 144))
                self._pay(order, at=late, naming=self.chance.choice(CLEAR), is_late=True)
            case "split":
                self._split(order)
            case "twice":
                self._twice(order)
            case "little":
                less = Decimal(self.chance.choice((1, 100, 1_000, 5_000)))
                self._pay(order, pesos=-less)
            case "much":
                more = Decimal(self.chance.choice((1, 50, 1_000, 20_000)))
                self._pay(order, pesos=more)
            case "twin":
                self._twin(order)

    def strangers(self) -> Iterator[Transfer]:
        """Money with no order; every second one has the amount of an order of these days."""
        for number in range(max(3, self.count // 200)):
            order = self.chance.choice(self.orders)
            at = order.at + timedelta(hours=self.chance.uniform(0.5, 30))
            stranger = self.people.customer()
            if number % 3 == 0:
                # A relative of the payer: the same last names.
                family = " ".join(order.payer.name.split()[-2:])
                stranger = replace(stranger, name=f"{stranger.name.split()[0]} {family}")
            pesos = Decimal(order.amount + round(order.amount * 0.0005))
            if number % 2:
                pesos = Decimal(self.chance.randint(10_000, 900_000))
            naming = self.chance.choice((Naming.NAME, Naming.NOTHING, Naming.DOCUMENT))
            transfer = self._transfer(at, stranger, naming)
            if transfer.booked_on <= self.days[-1]:
                yield replace(transfer, is_whole=False, pesos=pesos)

    def _order(self, day: date, payer: Person, amount: int, after: datetime | None = None) -> Order:
        at = moment(day, self.chance.triangular(6.5, 23.9, 17))
        if after is not None:
            at = after + timedelta(minutes=self.chance.randint(5, 240))
        order = Order(f"P-{len(self.orders) + 1:05}", at, amount, payer, MINUTES)
        self.orders.append(order)
        return order

    def _payer(self) -> Person:
        if self.chance.random() < 0.35:
            return self.chance.choice(self.regulars)
        return self.people.customer()

    def _amount(self) -> int:
        if self.chance.random() < SHARE_OF_BASKETS:
            return self.chance.choice(BASKETS)
        return self.chance.randint(12_000, 600_000) // 50 * 50

    def _pay(self, order: Order, at: datetime | None = None, **changes: object) -> Transfer:
        naming = _draw(self.chance, NAMINGS)
        at = at or order.at + timedelta(hours=self._delay())
        transfer = replace(self._transfer(at, order.payer, naming), order=order.key, **changes)
        self.transfers.append(transfer)
        return transfer

    def _split(self, order: Order) -> None:
        first = self._pay(order, naming=self.chance.choice(CLEAR))
        part = Decimal(round(order.amount * self.chance.uniform(0.2, 0.8), -2))
        self.transfers[-1] = replace(first, is_whole=False, pesos=part)
        later = first.at + timedelta(hours=self.chance.uniform(0.1, 20))
        self._pay(order, at=later, naming=self.chance.choice(CLEAR), pesos=-part)

    def _twice(self, order: Order) -> None:
        first = self._pay(order, naming=self.chance.choice(CLEAR))
        later = first.at + timedelta(hours=self.chance.choice((0.02, 0.5, 18)))
        self._pay(order, at=later, naming=first.naming)

    def _twin(self, order: Order) -> None:
        """The payer orders the same again; the one is paid clearly, the other by the document."""
        day = order.at.date()
        twin = self._order(day, order.payer, order.amount, after=order.at)
        clear, unclear = self.chance.sample((order, twin), 2)
        if self.chance.random() < 0.7:
            self._pay(clear, naming=Naming.TYPED)
        self._pay(unclear, naming=Naming.DOCUMENT)

    def _delay(self) -> float:
        """Hours from the order to the transfer."""
        chance = self.chance
        kind = chance.random()
        if kind < 0.75:
            return chance.uniform(0.03, 2)
        return chance.uniform(2, 20) if kind < 0.95 else chance.uniform(20, 60)

    def _transfer(self, at: datetime, payer: Person, naming: Naming) -> Transfer:
        channel = _draw(self.chance, CHANNELS)
        at = at.replace(microsecond=0)
        day = at.date()
        if channel is Channel.ACH and (at.hour >= 15 or not is_business_day(day)):
            day = next_business_day(day)
        return Transfer(at, day, payer, channel, naming)


def _draw(chance: random.Random, weights: dict[T, int]) -> T:
    return chance.choices(list(weights), list(weights.values()))[0]
