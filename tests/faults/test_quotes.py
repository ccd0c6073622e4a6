"""What a coin's quote is worth to an attacker (F20): dust that is to hold it, coins
beyond it, and a network's words all at once, twice and out of order.
"""

from collections import Counter
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

import pytest
from django.db.models import Sum

from merchants.models import Merchant
from payments.collect.models import Charge, Order, UnmatchedFunds
from payments.core import clock
from payments.rates import services as rates
from tests.faults import scaled
from tests.support.concurrency import run_concurrently
from tests.support.factories import MerchantFactory
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from tests.support.invariants import check_invariants
from tests.support.measurements import record, seeded
from tests.support.quotes import (
    ORDER,
    PRICE,
    TOTAL,
    WHOLE,
    after_the_quote,
    deposit,
    hear,
    quoted,
    set_price,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F20")]
DUST = Decimal("0.00000001")
HALF = WHOLE / 2


@pytest.fixture
def merchant() -> Merchant:
    rates.load_default_rates(now=clock.now())
    return MerchantFactory()


@pytest.fixture
def api(merchant: Merchant, settings: Any) -> ApiClient:
    settings.RATE_LIMITS = dict.fromkeys(settings.RATE_LIMITS, "1000000/m")
    settings.DOORBELL = False
    return ApiClient(merchant)


def test_dust_holds_no_price(api: ApiClient, merchant: Merchant) -> None:
    """One unconfirmed satoshi in time, the whole after a fall by half."""
    set_price(PRICE)
    charge = quoted(api)
    deposit(charge, DUST, seen="unconfirmed")
    with after_the_quote(charge):
        set_price(PRICE // 2)
        deposit(charge, WHOLE)
        charge.refresh_from_db()
        status = Order.objects.get().status
        record(
            f"a satoshi seen in time, then {WHOLE} BTC at half the price: worth 50,025,000,"
            f" taken for {charge.credited:,.0f}, credited {available(merchant):,.0f}, {status}",
            charges=1,
        )
        assert charge.credited <= 50_025_000 + 4
        assert available(merchant) == 0
        check_invariants([merchant.pk])


def test_coins_beyond_a_quote_have_todays_price(api: ApiClient, merchant: Merchant) -> None:
    """A hundred times the quote after a fall by half within its lifetime."""
    set_price(PRICE)
    charge = quoted(api, 1_000_000)
    set_price(PRICE // 2)
    deposit(charge, charge.amount * 100)
    excess = UnmatchedFunds.objects.get()
    record(
        f"a quote of 1,000,500 paid a hundred times at half the price: worth 1,000,500 and"
        f" 49,524,750, credited {available(merchant):,.0f}, in the queue {excess.amount:,.0f}",
        charges=1,
    )
    assert (excess.reason, excess.currency, excess.amount) == ("EXCESS", "COP", 49_524_750)
    assert available(merchant) == 1_000_000
    check_invariants([merchant.pk])


# What the network says of one charge, step by step: final, on its way, after the quote's end.
HISTORIES = {
    "in time": [(0, WHOLE, False), (WHOLE, 0, True)],
    "half in time": [(0, HALF, False), (HALF, 0, True), (WHOLE, 0, True)],
    "vanished": [(0, WHOLE, False), (0, 0, False), (WHOLE, 0, True)],
    "dust": [(0, DUST, False), (DUST, 0, True), (WHOLE, 0, True)],
    "too much": [(0, WHOLE, False), (WHOLE, 0, True), (2 * WHOLE, 0, True)],
}
# What can be credited for them at the most: the quote for what was ever seen in time.
MOST = {"in time": WHOLE, "half in time": HALF, "vanished": WHOLE, "dust": DUST, "too much": WHOLE}


def test_words_at_once_twice_and_out_of_order(api: ApiClient, merchant: Merchant) -> None:
    """Whatever comes first: each coin is valued once, and never above what it was worth."""
    set_price(PRICE)
    chance, size = seeded(17), scaled(200)
    told: list[tuple[str, Charge]] = []
    for number in range(size):
        told.append((list(HISTORIES)[number % len(HISTORIES)], quoted(api)))
    set_price(PRICE // 2)
    answers: Counter[int] = Counter()
    for name, charge in told:
        words = [partial(_say, charge, step, *said) for step, said in enumerate(HISTORIES[name])]
        twice = words * 2
        chance.shuffle(twice)
        heard = run_concurrently(twice)
        answers.update(heard)
        again = [word for word, status in zip(twice, heard, strict=True) if status != 200]
        assert {word() for word in again} <= {200}
    above = sum(_is_above(name, charge) for name, charge in told)
    taken = Charge.objects.aggregate(total=Sum("credited"))["total"]
    paid = Order.objects.filter(status="COMPLETED").count()
    record(
        f"{size} charges, each word of the network twice, at once and shuffled: answers"
        f" {dict(answers)}, {paid} orders paid, {taken:,.0f} taken in, above its worth {above}",
        charges=size,
        callbacks=answers.total(),
        charges_credited_above_their_worth=above,
    )
    assert above == 0
    assert available(merchant) == paid * ORDER
    check_invariants([merchant.pk])


def _say(charge: Charge, step: int, received: Any, unconfirmed: Any, is_late: bool) -> int:
    start = charge.quote_expires_at if is_late else charge.created_at
    return hear(charge, received, unconfirmed, at=start + timedelta(seconds=1 + step))


def _is_above(name: str, charge: Charge) -> bool:
    charge.refresh_from_db()
    assert charge.received == max(Decimal(said[0]) for said in HISTORIES[name])
    at_quote = MOST[name]
    rest = (charge.received - at_quote) * (PRICE // 2)
    return charge.credited > at_quote * TOTAL / WHOLE + rest
