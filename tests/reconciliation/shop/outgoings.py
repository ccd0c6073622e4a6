"""Payouts, the acquirer's sales, and movements that are the bank's or the owner's."""

import random
from collections.abc import Iterator
from datetime import date, timedelta
from decimal import Decimal

from tests.reconciliation.shop.bank_calendar import is_business_day, moment, next_business_day
from tests.reconciliation.shop.people import People, Person
from tests.reconciliation.shop.plan import (
    Batch,
    Disbursement,
    Fate,
    Kind,
    Order,
    Other,
    Payout,
)

CENT = Decimal("0.01")
ONE_DAY = timedelta(days=1)
PLAN_FEE = Decimal(29_900)
VAT = Decimal("0.19")


def batches(chance: random.Random, days: list[date], count: int) -> list[Batch]:
    """Suppliers twice a week, payroll in the middle of the month and near its end."""
    payments = _Payouts(chance, days)
    working = [day for day in days[2:-4] if is_business_day(day)]
    payroll = {max(day for day in working if day.day <= last) for last in (15, 26)}
    made = []
    for day in working:
        if day in payroll:
            made.append(payments.batch(day, max(3, count // 250), is_payroll=True))
        elif day.weekday() in (1, 3):
            made.append(payments.batch(day, max(2, count // 500), is_payroll=False))
    return payments.with_every_fate(made)


class _Payouts:
    def __init__(self, chance: random.Random, days: list[date]) -> None:
        self.chance, self.days = chance, days
        self.people = People(chance)
        self.staff = [self.people.customer() for _ in range(12)]
        self.firms = [self.people.firm() for _ in range(8)]
        self.number = 0

    def batch(self, day: date, size: int, *, is_payroll: bool) -> Batch:
        pool = self.staff if is_payroll else self.firms
        payouts = tuple(
            self._payout(day, self.chance.choice(pool), is_payroll=is_payroll) for _ in range(size)
        )
        return Batch(f"B-{day:%d}{'N' if is_payroll else 'P'}", moment(day, 10), payouts)

    def with_every_fate(self, made: list[Batch]) -> list[Batch]:
        """At least one payout is refused, one comes back, and one back without its code."""
        assert {payout.fate for batch in made for payout in batch.payouts} == {Fate.PAID}
        first, second, third = made[0].payouts[0], made[1].payouts[0], made[2].payouts[0]
        for payout, fate, names_code in (
            (first, Fate.REFUSED, True),
            (second, Fate.RETURNED, True),
            (third, Fate.RETURNED, False),
        ):
            changed = self._with_fate(payout, fate, names_code=names_code)
            made = [_with(batch, payout, changed) for batch in made]
        return made

    def _payout(self, day: date, person: Person, *, is_payroll: bool) -> Payout:
        self.number += 1
        amounts = (1_423_500, 1_750_905, 2_100_000) if is_payroll else (350_000, 480_000, 1_200_000)
        amount = self.chance.choice((*amounts, self.chance.randint(90_000, 2_500_000)))
        return Payout(
            key=f"D-{self.number:04}",
            at=moment(day, 8 + self.chance.random()),
            amount=amount,
            to=self.people.destination(person),
            is_payroll=is_payroll,
            fate=Fate.PAID,
            booked_on=day,
        )

    def _with_fate(self, payout: Payout, fate: Fate, *, names_code: bool) -> Payout:
        returned = None
        if fate is Fate.RETURNED:
            returned = next_business_day(next_business_day(payout.booked_on))
        return Payout(
            **{
                **vars(payout),
                "fate": fate,
                "returned_on": returned,
                "return_names_code": names_code,
            }
        )


def _with(batch: Batch, old: Payout, new: Payout) -> Batch:
    return Batch(batch.key, batch.at, tuple(new if one is old else one for one in batch.payouts))


def disbursements(chance: random.Random, days: list[date], count: int) -> Iterator[Disbursement]:
    """Sales by card of a day arrive on the next business day; those of a weekend together."""
    people = People(chance)
    waiting: list[Order] = []
    number = 0
    for day in days[:-1]:
        for _ in range(chance.choice((0, 1, 1, 2, 3)) + count // 1_000):
            number += 1
            at = moment(day, chance.uniform(8, 22))
            pesos = chance.randint(20_000, 900_000)
            waiting.append(Order(f"T-{number:04}", at, pesos, people.customer(), 60))
        arrival = next_business_day(day)
        if waiting and next_business_day(day + ONE_DAY) != arrival and arrival <= days[-1]:
            yield Disbursement(f"W-{arrival:%d}", arrival, arrival, tuple(waiting))
            waiting = []


def others(chance: random.Random, days: list[date], made: list[Batch]) -> Iterator[Other]:
    """What the bank charges and pays, and what the owner moves; GMF follows from the debits."""
    yield from _plan_fee(days)
    yield from _commissions(made)
    for day in days:
        interest = Decimal(chance.randint(30_000, 300_000)) / 100
        yield Other(Kind.INTEREST, moment(day, 23.5), interest, "ABONO INTERESES AHORROS")
    total = Decimal(chance.randint(100_000, 900_000)) / 100
    last = moment(days[-1], 23.6)
    yield Other(Kind.WITHHOLDING, last, -total, "RETENCION EN LA FUENTE")
    working = [day for day in days[1:-1] if is_business_day(day)]
    for day in chance.sample(working, 3):
        out = Decimal(chance.randint(5, 40) * 100_000)
        text = "TRANSFERENCIA A CUENTA PROPIA"
        yield Other(Kind.OWN, moment(day, chance.uniform(9, 16)), -out, text)
    yield Other(
        Kind.OWN, moment(chance.choice(working), 9.2), Decimal(2_000_000), "CONSIGNACION EFECTIVO"
    )


def _plan_fee(days: list[date]) -> Iterator[Other]:
    at = moment(next(day for day in days[1:] if is_business_day(day)), 22)
    yield Other(Kind.COMMISSION, at, -PLAN_FEE, "CUOTA PLAN CANAL NEGOCIOS")
    vat = (PLAN_FEE * VAT).quantize(CENT)
    yield Other(Kind.VAT, at, -vat, "IVA CUOTA PLAN CANAL NEGOCIOS")


def _commissions(made: list[Batch]) -> Iterator[Other]:
    """One per payment file, for each line that the bank pays; the text changes after the 15th."""
    for batch in made:
        sent = [payout for payout in batch.payouts if payout.fate is not Fate.REFUSED]
        if not sent:
            continue
        at = batch.at.replace(hour=22)
        what = "NOMINA" if batch.payouts[0].is_payroll else "PROVEEDORES"
        word = "SERVICIO PAGO A PROVEEDORES" if at.day <= 15 else f"COMISION PAGO A {what}"
        fee = Decimal(3_950) * len(sent)
        yield Other(Kind.COMMISSION, at, -fee, word)
        vat = (fee * VAT).quantize(CENT)
        yield Other(Kind.VAT, at.replace(minute=1), -vat, "COBRO IVA PAGOS AUTOMATICOS")
