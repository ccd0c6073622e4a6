"""Whatever happens in a month, a true statement ends in three equal columns."""

import random
from datetime import date

import pytest
import time_machine

from payments.core.business_days import is_business_day
from tests.reconciliation.day_shop import bring, report
from tests.reconciliation.own_csv import Row
from tests.reconciliation.shopping import at, open_shop, order_on

pytestmark = pytest.mark.django_db
COSTS = (("-4000", "CUOTA DE MANEJO"), ("-760.00", "IVA CUOTA PLAN CANAL NEGOCIOS"))
DAYS = [day for day in range(3, 18) if is_business_day(date(2026, 11, day))]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_day_of_a_true_statement_ends_equal(api, seed: int):
    chance = random.Random(seed)
    open_shop()
    with time_machine.travel(at(date(2026, 11, 20)), tick=False):
        rows: list[Row] = []
        for day in DAYS:
            for _each in range(chance.randint(0, 2)):
                amount = chance.choice((20_000, 50_000, 50_001))
                order, reference = order_on(api, at(date(2026, 11, day)), amount=amount)
                whole = int(order.amount)
                part = chance.choice((whole, whole // 3))
                paid = [part, whole - part] if part < whole else [whole]
                later = [each for each in DAYS if each >= day]
                rows += [
                    Row(day=chance.choice(later[:3]), amount=str(each), reference=reference)
                    for each in paid
                ]
            if chance.random() < 0.4:
                amount, text = chance.choice(COSTS)
                rows.append(Row(day=day, amount=amount, text=text))
        rows.append(Row(day=DAYS[-1], amount="-4000", text="CUOTA DE MANEJO"))
        bring(*sorted(rows, key=lambda row: row.day), opening="500000")
        for day in range(rows[0].day, DAYS[-1] + 1):
            found = report(date(2026, 11, day))
            if found.closing is not None:
                assert found.differences == [], day
                assert found.closing.are_equal, day
        assert found.closing.bank == found.stated
