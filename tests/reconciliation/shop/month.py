"""The month of a seed."""

import random
from decimal import Decimal

from tests.reconciliation.shop import outgoings
from tests.reconciliation.shop.bank_calendar import MONTHS, days_of, is_business_day
from tests.reconciliation.shop.orders import orders_and_transfers
from tests.reconciliation.shop.plan import Month


def make_month(seed: int, count: int = 2_000) -> Month:
    """The same seed and count give the same month; each topic has its own chance."""

    def chance(topic: str) -> random.Random:
        return random.Random(f"{seed} {topic}")

    general = chance("general")
    first_day = general.choice(MONTHS)
    days = days_of(first_day)
    orders, transfers = orders_and_transfers(chance("orders"), days, count)
    batches = outgoings.batches(chance("batches"), days, count)
    return Month(
        seed=seed,
        first_day=first_day,
        days=tuple(days),
        missing_day=general.choice([day for day in days[5:20] if is_business_day(day)]),
        opening=Decimal(general.randint(2_000_000_000, 9_000_000_000)) / 100,
        orders=tuple(orders),
        transfers=tuple(sorted(transfers, key=lambda one: (one.booked_on, one.at))),
        batches=tuple(batches),
        disbursements=tuple(outgoings.disbursements(chance("sales"), days, count)),
        others=tuple(outgoings.others(chance("others"), days, batches)),
    )
