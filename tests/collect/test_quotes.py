"""A quote holds for the coins that were seen before its end, and for no more than were asked for.

Everything goes over HTTP: the payment page, the simulator's desk, the console, signed callbacks.
"""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from merchants.models import Merchant
from payments.collect.models import Charge, UnmatchedFunds
from payments.core import clock
from payments.ledger.models import Posting
from tests.collect.test_pages.conftest import Payer
from tests.support.charges import events_of, status_of
from tests.support.fixtures import ApiClient
from tests.support.funds import available
from tests.support.quotes import (
    ORDER,
    PRICE,
    TOTAL,
    WHOLE,
    after_the_quote,
    books_agree,
    confirm,
    credited,
    deposit,
    hear,
    quoted,
    quoted_bitcoin,
    set_price,
)

pytestmark = pytest.mark.django_db
DUST = Decimal("0.00000001")
HALF = WHOLE / 2


@pytest.fixture
def charge(api: ApiClient) -> Charge:
    return quoted_bitcoin(api)


def queue() -> list[tuple[str, str, Decimal]]:
    """What waits for an operator."""
    rows = UnmatchedFunds.objects.filter(status="OPEN").order_by("pk")
    return list(rows.values_list("reason", "currency", "amount"))


def rail_gave(coin: str = "BTC") -> Decimal:
    """What the books say that the network received."""
    lines = Posting.objects.filter(account__code=f"clearing:simulator:{coin}")
    return -sum(lines.values_list("amount", flat=True), Decimal(0))


class TestSeenInTime:
    @pytest.mark.parametrize("price", [PRICE // 2, PRICE * 2])
    @pytest.mark.parametrize("seen", ["confirmed", "unconfirmed"])
    def test_what_was_seen_keeps_its_quote(
        self, charge: Charge, merchant: Merchant, seen: str, price: int
    ) -> None:
        deposit(charge, WHOLE, seen=seen)
        with after_the_quote(charge):
            set_price(price)
            if seen == "unconfirmed":
                assert status_of(charge.order) == "PROCESSING"
                confirm(charge)
            assert status_of(charge.order) == "COMPLETED"
            assert available(merchant) == ORDER
            assert queue() == []
            books_agree()

    @pytest.mark.parametrize("seen", ["confirmed", "unconfirmed"])
    def test_dust_keeps_no_quote_for_what_comes_later(
        self, charge: Charge, merchant: Merchant, seen: str
    ) -> None:
        deposit(charge, DUST, seen=seen)
        with after_the_quote(charge):
            set_price(PRICE // 2)
            deposit(charge, WHOLE)
            assert status_of(charge.order) in ("WAITING_TRANSFER", "PROCESSING")
            # 0.25012500 BTC at 200,000,000; the satoshi seen in time is worth 4 pesos, then 2.
            assert 50_025_000 <= credited(charge) <= 50_025_004
            assert available(merchant) == 0
            if seen == "unconfirmed":
                confirm(charge)
            set_price(PRICE)
            assert 50_025_000 <= credited(charge) <= 50_025_004
            deposit(charge, HALF)  # the rest, at today's price
            assert status_of(charge.order) == "COMPLETED"
            assert available(merchant) == ORDER
            books_agree()

    def test_late_coins_are_worth_a_price_that_has_risen(
        self, charge: Charge, merchant: Merchant
    ) -> None:
        deposit(charge, DUST)
        with after_the_quote(charge):
            set_price(PRICE * 2)
            deposit(charge, HALF)
            assert status_of(charge.order) == "COMPLETED"
            assert available(merchant) == ORDER
            assert queue() == [("EXCESS", "COP", Decimal(4))]
            books_agree()

    @pytest.mark.parametrize(("price", "worth"), [(PRICE // 2, 75_037_500), (PRICE, TOTAL)])
    def test_of_two_halves_only_the_one_in_time_has_the_quote(
        self, charge: Charge, merchant: Merchant, price: int, worth: int
    ) -> None:
        deposit(charge, HALF, seen="unconfirmed")
        with after_the_quote(charge):
            set_price(price)
            confirm(charge)
            assert credited(charge) == TOTAL // 2
            deposit(charge, HALF)
            assert credited(charge) == worth
            is_whole = worth == TOTAL
            assert status_of(charge.order) == ("COMPLETED" if is_whole else "WAITING_TRANSFER")
            assert available(merchant) == (ORDER if is_whole else 0)
            assert rail_gave() == WHOLE
            books_agree() if is_whole else None

    def test_payer_sees_what_is_missing_and_pays_it_with_a_new_quote(
        self, charge: Charge, merchant: Merchant
    ) -> None:
        deposit(charge, HALF)
        payer = Payer(charge.order)
        with after_the_quote(charge):
            set_price(PRICE // 2)
            deposit(charge, HALF)
            page = payer.see(follow=True)
            assert "75.037.500" in page
            assert "25.012.500" in page
            payer.choose("/crypto", {"coin": "BTC"})
            rest = charge.order.charges.latest("created_at")
            assert (rest.covers, rest.amount) == (25_012_500, Decimal("0.12506250"))
            deposit(rest, rest.amount)
            assert status_of(charge.order) == "COMPLETED"
            assert available(merchant) == ORDER
            assert queue() == []
            books_agree()

    @pytest.mark.parametrize("cents", ["100000.99", "1000.01"])
    def test_halves_at_an_unchanged_price_lack_no_cent(
        self, api: ApiClient, merchant: Merchant, cents: str
    ) -> None:
        set_price(3950, "USDT")
        charge = quoted(api, Decimal(cents), "USDT")
        part = (charge.amount / 3).quantize(Decimal("0.000001"))
        deposit(charge, part)
        deposit(charge, part)
        with after_the_quote(charge):
            deposit(charge, charge.amount - 2 * part)
            assert status_of(charge.order) == "COMPLETED"
            assert available(merchant) == Decimal(cents)
            assert queue() == []
            books_agree()

    def test_spread_is_taken_of_what_came_late_and_of_nothing_else(
        self, charge: Charge, settings: Any
    ) -> None:
        settings.CRYPTO_SPREAD = Decimal("0.01")
        deposit(charge, HALF)
        with after_the_quote(charge):
            deposit(charge, HALF)
            assert credited(charge) == TOTAL // 2 + TOTAL // 2 * 99 // 100


class TestWhatVanishes:
    def test_unconfirmed_coins_that_vanish_leave_no_quote_behind(
        self, charge: Charge, merchant: Merchant
    ) -> None:
        deposit(charge, WHOLE, seen="unconfirmed")
        with after_the_quote(charge):
            set_price(PRICE // 2)
            assert hear(charge) == 200  # nothing is on its way any more
            assert hear(charge, received=WHOLE) == 200
            assert credited(charge) == 50_025_000
            assert available(merchant) == 0

    def test_they_leave_none_either_when_they_vanish_in_time(self, charge: Charge) -> None:
        hear(charge, unconfirmed=WHOLE)
        hear(charge)
        with after_the_quote(charge):
            set_price(PRICE // 2)
            hear(charge, received=WHOLE)
            assert credited(charge) == 50_025_000

    def test_what_is_sent_again_in_time_has_the_quote_again(self, charge: Charge) -> None:
        hear(charge, unconfirmed=WHOLE)
        hear(charge)
        hear(charge, unconfirmed=WHOLE)
        with after_the_quote(charge):
            set_price(PRICE // 2)
            hear(charge, received=WHOLE)
            assert status_of(charge.order) == "COMPLETED"

    def test_a_part_that_vanishes_takes_only_its_own_quote(self, charge: Charge) -> None:
        hear(charge, unconfirmed=WHOLE)
        with after_the_quote(charge):
            set_price(PRICE // 2)
            hear(charge, unconfirmed=HALF)
            hear(charge, received=WHOLE)
            assert credited(charge) == 75_037_500

    def test_final_coins_stay_at_their_quote_whatever_is_said_later(self, charge: Charge) -> None:
        hear(charge, received=HALF)
        with after_the_quote(charge):
            set_price(PRICE // 2)
            hear(charge)
            hear(charge, received=DUST)
            assert credited(charge) == TOTAL // 2
            hear(charge, received=WHOLE)
            assert credited(charge) == 75_037_500


class TestOrderOfUpdates:
    def test_a_replay_gives_no_quote_back(self, charge: Charge) -> None:
        seen_at = clock.now()
        hear(charge, unconfirmed=WHOLE, at=seen_at)
        hear(charge, at=seen_at + timedelta(seconds=1))
        with after_the_quote(charge):
            set_price(PRICE // 2)
            for _ in range(8):
                hear(charge, unconfirmed=WHOLE, at=seen_at)
            hear(charge, received=WHOLE)
            assert credited(charge) == 50_025_000

    def test_a_replay_of_money_changes_nothing(self, charge: Charge, merchant: Merchant) -> None:
        at = clock.now()
        with after_the_quote(charge):
            set_price(PRICE // 2)
            for _ in range(8):
                hear(charge, received=HALF, at=at)
            late = clock.now()
            for _ in range(8):
                hear(charge, received=WHOLE, at=late)
                hear(charge, received=HALF, at=at)
            assert credited(charge) == 75_037_500
            assert available(merchant) == 0

    def test_news_in_time_that_arrives_late_counts_for_what_is_not_final(
        self, charge: Charge
    ) -> None:
        """The rail's first callback met a fault and was sent again."""
        seen_at = clock.now()
        with after_the_quote(charge):
            set_price(PRICE // 2)
            hear(charge, unconfirmed=WHOLE)
            hear(charge, unconfirmed=WHOLE, at=seen_at)
            hear(charge, received=WHOLE)
            assert status_of(charge.order) == "COMPLETED"

    def test_what_was_booked_is_never_valued_again(self, charge: Charge) -> None:
        seen_at = clock.now()
        with after_the_quote(charge):
            set_price(PRICE // 2)
            hear(charge, received=HALF)
            assert credited(charge) == 25_012_500
            set_price(PRICE * 4)
            hear(charge, received=HALF)
            hear(charge, received=HALF, at=seen_at)
            hear(charge, unconfirmed=WHOLE, at=seen_at)
            assert credited(charge) == 25_012_500

    def test_a_later_price_is_for_later_coins(self, charge: Charge) -> None:
        with after_the_quote(charge):
            set_price(PRICE // 4)
            hear(charge, received=HALF)
            set_price(PRICE // 8)
            hear(charge, received=WHOLE)
            assert credited(charge) == 12_506_250 + 6_253_125


class TestMoreThanTheQuote:
    def test_a_hundred_times_as_much_after_a_fall_is_worth_its_price(
        self, api: ApiClient, merchant: Merchant
    ) -> None:
        set_price(PRICE)
        charge = quoted(api, 1_000_000)
        assert charge.amount == Decimal("0.00250125")
        set_price(PRICE // 2)
        deposit(charge, charge.amount * 100)

        assert status_of(charge.order) == "COMPLETED"
        assert available(merchant) == 1_000_000
        # 99 times 0.00250125 BTC at 200,000,000.
        assert queue() == [("EXCESS", "COP", Decimal(49_524_750))]
        assert rail_gave() == charge.amount * 100
        books_agree()

    @pytest.mark.parametrize(
        ("price", "excess"), [(PRICE // 2, 50_025_000), (PRICE * 2, 200_100_000)]
    )
    def test_what_is_too_much_has_the_price_of_its_arrival(
        self, charge: Charge, merchant: Merchant, price: int, excess: int
    ) -> None:
        deposit(charge, WHOLE * 2, seen="unconfirmed")
        set_price(price)
        confirm(charge)
        assert available(merchant) == ORDER
        assert queue() == [("EXCESS", "COP", Decimal(excess))]
        books_agree()

    def test_too_much_without_a_price_waits_as_the_coin_that_it_is(
        self, charge: Charge, merchant: Merchant, settings: Any
    ) -> None:
        deposit(charge, WHOLE, seen="unconfirmed")
        with after_the_quote(charge, hours=2):
            deposit(charge, HALF, seen="unconfirmed")
            settings.RATE_MAX_AGE_SECONDS = 60
            confirm(charge)
            assert status_of(charge.order) == "COMPLETED"
            assert available(merchant) == ORDER
            assert queue() == [("RATE", "BTC", HALF)]
            assert rail_gave() == WHOLE + HALF
            books_agree()

    def test_more_than_our_books_can_hold_waits_as_the_coin_that_it_is(
        self, charge: Charge, merchant: Merchant
    ) -> None:
        assert hear(charge, received=Decimal(10) ** 15) == 200
        assert status_of(charge.order) == "COMPLETED"
        assert available(merchant) == ORDER
        assert queue() == [("RATE", "BTC", Decimal(10) ** 15 - WHOLE)]
        books_agree()

    def test_a_second_payment_of_a_paid_order_waits_as_the_coin_that_it_is(
        self, charge: Charge
    ) -> None:
        deposit(charge, WHOLE)
        set_price(PRICE // 2)
        deposit(charge, WHOLE)
        assert queue() == [("SECOND_SUCCESS", "BTC", WHOLE)]
        assert events_of(charge.order) == ["payment.completed"]


class TestAfterThePayment:
    def test_refund_and_chargeback_take_no_more_than_was_paid(
        self, api: ApiClient, charge: Charge
    ) -> None:
        deposit(charge, WHOLE, seen="unconfirmed")
        set_price(PRICE * 2)
        deposit(charge, WHOLE, seen="unconfirmed")
        confirm(charge)
        asked: dict[str, Any] = {"reason": "cold", "amount": TOTAL + 1}
        headers = {"Idempotency-Key": "r-1"}
        path = f"/collect/{charge.order_id}/refunds"
        answer = api.post(path, asked, headers=headers)
        assert answer.body["error"]["details"]["max"] == TOTAL
        dispute = api.post(f"/sandbox/collect/{charge.order_id}/dispute", {})
        assert dispute.body["data"]["disputedAmount"] == TOTAL
        books_agree()

    def test_finality_is_told_once(self, merchant: Merchant, charge: Charge) -> None:
        merchant.event_kinds = ["payment.confirmed"]
        merchant.save()
        deposit(charge, HALF)
        with after_the_quote(charge):
            deposit(charge, HALF)
            assert events_of(charge.order) == ["payment.completed", "payment.confirmed"]
