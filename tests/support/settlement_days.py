"""A merchant's money on days in Bogotá, moved as the products move it."""

from datetime import date, datetime, timedelta
from decimal import Decimal
from itertools import count
from typing import Any

from django.db import transaction

from merchants.models import Merchant
from payments.ledger import recipes
from payments.ledger.models import Entry
from payments.settlement import days
from payments.settlement.models import Settlement
from payments.settlement.services import day_closing

MONDAY = date(2026, 3, 2)
TUESDAY = date(2026, 3, 3)
ONE_DAY = timedelta(days=1)
_serial = count(1)


def at(day: date, clock: str = "12:00:00.000") -> datetime:
    """A moment of the day in Bogotá."""
    return datetime.fromisoformat(f"{day.isoformat()}T{clock}").replace(tzinfo=days.BOGOTA)


def night_after(day: date) -> datetime:
    """The first moment at which the day can be closed."""
    return at(day + ONE_DAY, "00:10:00.000")


class Till:
    """One merchant's orders, payouts and refunds."""

    def __init__(self, merchant: Merchant) -> None:
        self.merchant = merchant

    @transaction.atomic
    def collect(self, now: datetime, base: str = "50000", fee: str = "25", **more: Any) -> Entry:
        """An order is paid."""
        way = {"rail": "PSE", "account": "simulator"}
        values = {"currency": "COP", **way, "received_before": Decimal(0), **more}
        excess = Decimal(values.pop("excess", 0))
        return recipes.collect_settled(
            recipes.SettledOrder(
                merchant_id=self.merchant.pk,
                order_id=f"col_{next(_serial)}",
                charge_id="chg_1",
                base=Decimal(base),
                fee=Decimal(fee),
                excess=excess,
                received_now=Decimal(base) + Decimal(fee) + excess - values["received_before"],
                **values,
            ),
            now=now,
        )

    def out(self, product: str, amount: str, **more: Any) -> recipes.Outgoing:
        """What leaves: a payout, a refund."""
        way = {"rail": "BREB", "account": "simulator"}
        values = {"fee": Decimal(0), "currency": "COPM", **way, **more}
        return recipes.Outgoing(
            product=product,
            payment_id=f"out_{next(_serial)}",
            merchant_id=self.merchant.pk,
            amount=Decimal(amount),
            debit=Decimal(amount) + values["fee"],
            **values,
        )

    @transaction.atomic
    def reserve(self, now: datetime, product: str = "payout", amount: str = "1000", **more: Any):
        """It is asked for, and held."""
        out = self.out(product, amount, **more)
        recipes.outgoing_reserved(out, now=now)
        return out

    @transaction.atomic
    def complete(self, out: recipes.Outgoing, now: datetime) -> Entry:
        """It arrived."""
        return recipes.outgoing_completed(out, now=now)

    @transaction.atomic
    def release(self, out: recipes.Outgoing, now: datetime) -> Entry:
        """It never left."""
        return recipes.outgoing_released(out, now=now)

    def refund(self, now: datetime, amount: str) -> None:
        """Asked for and returned at once."""
        self.complete(self.reserve(now, "refund", amount), now)

    def close(self, day: date, currency: str = "COPM") -> Settlement:
        """In the night after it."""
        due = day_closing.Due(self.merchant.pk, currency, day)
        settlement = day_closing.close_day(due, now=night_after(day))
        assert settlement is not None
        return settlement
