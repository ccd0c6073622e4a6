"""The price feed over real HTTP: what it believes, what it refuses, and what then has a price."""

import threading
from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from payments.core import clock
from payments.core.models import AuditEntry
from payments.rates import services
from payments.rates.feed.runs import read_prices
from payments.rates.models import CoinFeed, ExchangeRate, SourceAnswer
from payments.rates.tasks import read_prices as task
from tests.rates.fake_sources import BAD_PRICES, Market

pytestmark = pytest.mark.django_db
BID = Decimal("3996")  # 4,000 less a thousandth
DOLLAR_SOURCES = ["coinbase", "kraken", "trm"]


def price(coin: str = "USDT") -> ExchangeRate | None:
    return ExchangeRate.objects.filter(currency=coin).order_by("-effective_at", "-id").first()


def bid(coin: str = "USDT") -> Decimal | None:
    found = price(coin)
    return found.price_cop if found else None


def reasons(coin: str = "USDT") -> dict[str, str]:
    """Of the sources whose last answer did not count."""
    rows = SourceAnswer.objects.filter(feed=coin).exclude(reason="")
    return dict(rows.values_list("source", "reason"))


def run(**later: float) -> int:
    return read_prices(now=clock.now() + timedelta(**later))


def test_feed_sets_all_coins_by_the_sides_that_cost_the_service(market: Market) -> None:
    assert run() == 4
    found = price()
    assert found is not None
    assert (found.price_cop, found.ask_cop) == (BID, Decimal("4004"))
    assert found.source == "binance+bitso+buda"
    # Binance has two spreads on the way from a bitcoin to pesos, and the median is not its price.
    assert bid("BTC") == 100_000 * BID
    assert reasons() == {}
    assert AuditEntry.objects.filter(action="exchange_rate.set", actor="rate_feed").count() == 4


def test_nothing_is_fetched_without_sources(market: Market, settings: Any) -> None:
    settings.RATE_SOURCES = []
    task()
    assert (market.requests, ExchangeRate.objects.count()) == ([], 0)


def test_task_runs_the_feed(market: Market) -> None:
    task()
    assert bid() == BID


@pytest.mark.parametrize("name", ["coinbase", "kraken"])
def test_prices_in_dollars_are_multiplied_by_the_trm(
    market: Market, settings: Any, name: str
) -> None:
    settings.RATE_SOURCES = ["buda", name]
    run()
    for coin in ("USDT", "BTC", "ETH"):
        found = price(coin)
        assert found is not None
        assert found.source == "+".join(sorted(["buda", name]))
        assert found.price_cop == Decimal("0.999") * market.usd[coin] * 4000


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("hangs", "TIME_LIMIT"),
        ("drips", "TIME_LIMIT"),
        ("html", "UNREADABLE"),
        ("10mb", "UNREADABLE"),
        ("redirects", "UNREADABLE"),
        ("500", "UNREADABLE"),
        ("404", "UNREADABLE"),
        ("429", "UNREACHABLE"),
        ("403", "UNREACHABLE"),
        ("other_pair", "UNREADABLE"),
        ("no_time", "NO_TIME"),
        ("crossed", "INVALID_PRICE"),
        *((name, "INVALID_PRICE") for name in BAD_PRICES),
    ],
)
def test_unusable_answer_does_not_count_and_the_others_do(
    market: Market, settings: Any, how: str, reason: str
) -> None:
    if reason == "TIME_LIMIT":
        settings.RATE_SOURCE_TIMEOUT_SECONDS = 2
    market.behaves["buda"] = how
    assert run() == 4
    assert reasons() == {"buda": reason}
    assert bid() == BID
    assert "elsewhere" not in market.requests


@pytest.mark.parametrize("name", ["buda", "binance", "bitso", "coinbase", "kraken", "trm"])
@pytest.mark.parametrize("how", ["html", "nan", "negative", "huge_number", "500", "redirects"])
def test_each_source_refuses_bad_answers(
    market: Market, settings: Any, name: str, how: str
) -> None:
    """Without its answer there is no agreement, because only another one is left."""
    settings.RATE_SOURCES = ["buda", "bitso"] if name in ("buda", "bitso") else ["buda", name]
    settings.RATE_SOURCES += ["coinbase"] if name == "trm" else []
    market.behaves[name] = how
    assert run() == 0
    assert bid() is None
    asked = "coinbase" if name == "trm" else name
    assert set(reasons()) == {asked}


@pytest.mark.parametrize("lie", ["0.05", "-0.05", "3", "-0.9"])
def test_one_liar_of_three_does_not_count(market: Market, lie: str) -> None:
    market.lies["buda"] = Decimal(lie)
    run()
    assert reasons() == {"buda": "DEVIATES"}
    assert bid() == BID
    found = CoinFeed.objects.get(pk="USDT")
    assert found.disagreement is not None
    assert found.disagreement > Decimal("0.04")


@pytest.mark.parametrize(
    ("seconds", "reason"), [(-3600, "OLD"), (-150, "OLD"), (150, "AHEAD"), (3600, "AHEAD")]
)
def test_source_with_another_time_does_not_count(
    market: Market, seconds: float, reason: str
) -> None:
    for name in ("buda", "bitso"):
        market.skew = {name: seconds}
        run()
        assert reasons() == {name: reason}
        assert bid() == BID


def test_source_whose_clock_is_a_minute_off_counts(market: Market) -> None:
    market.skew = {"buda": -60, "bitso": 60}
    run()
    assert reasons() == {}


def test_all_dead_sources_leave_the_price_to_age(market: Market, settings: Any) -> None:
    run()
    market.behaves = dict.fromkeys(["buda", "binance", "bitso", "trm"], "500")
    assert run(minutes=1) == 0
    settings.RATE_MAX_AGE_SECONDS = 60
    with pytest.raises(services.StaleRate):
        services.quote(
            amount=Decimal(50_000),
            currency="COP",
            pay_with="USDT",
            now=clock.now() + timedelta(minutes=2),
        )
    assert CoinFeed.objects.get(pk="USDT").outcome == "NO_AGREEMENT"


def test_sources_that_refuse_connections_are_not_reached(market: Market, settings: Any) -> None:
    settings.RATE_SOURCE_URLS = dict.fromkeys(market.urls(), "http://127.0.0.1:1")
    assert run() == 0
    assert set(reasons().values()) == {"UNREACHABLE"}


def test_two_sources_that_contradict_each_other_set_nothing(market: Market, settings: Any) -> None:
    settings.RATE_SOURCES = ["buda", "bitso", "trm"]
    market.lies["buda"] = Decimal("0.05")
    assert run() == 0
    assert bid() is None


def test_two_liars_of_three_that_agree_win_within_the_limit_of_a_jump(market: Market) -> None:
    """Nothing tells them from honest ones. A person decides as soon as they move it by 10 %."""
    run()
    market.lies = {"buda": Decimal("0.08"), "bitso": Decimal("0.08")}
    run(seconds=10)
    assert reasons() == {"binance": "DEVIATES"}
    assert bid() == BID * Decimal("1.08")
    market.lies = {"buda": Decimal("0.16"), "bitso": Decimal("0.16")}
    run(seconds=20)
    assert bid() == BID * Decimal("1.08"), "8 % more, but 16 % in an hour"
    assert CoinFeed.objects.get(pk="USDT").outcome == "WAITS"


def test_two_liars_that_contradict_each_other_set_nothing(market: Market) -> None:
    market.lies = {"buda": Decimal("0.05"), "bitso": Decimal("-0.05")}
    assert run() == 0


def test_wrong_trm_moves_no_price_by_two_sources_that_rest_on_it(
    market: Market, settings: Any
) -> None:
    settings.RATE_SOURCES = ["buda", *DOLLAR_SOURCES]
    market.lies["trm"] = Decimal("0.05")
    assert run() == 0


def test_lone_answer_needs_the_trm_and_a_coin_worth_a_dollar(market: Market, settings: Any) -> None:
    settings.RATE_SOURCES = ["buda", "trm"]
    assert run() == 2
    assert [bid(coin) for coin in ("USDT", "USDC", "BTC", "ETH")] == [BID, BID, None, None]


@pytest.mark.parametrize(("lie", "priced"), [("0.045", True), ("0.06", False), ("-0.06", False)])
def test_lone_answer_is_within_five_percent_of_the_trm(
    market: Market, settings: Any, lie: str, priced: bool
) -> None:
    settings.RATE_SOURCES = ["buda", "trm"]
    market.lies["buda"] = Decimal(lie)
    run()
    assert (bid() is not None) is priced


def test_old_trm_confirms_nothing(market: Market, settings: Any) -> None:
    settings.RATE_SOURCES = ["buda", "trm"]
    market.behaves["trm"] = "old"
    assert run() == 0


def test_lone_answer_that_rests_on_the_trm_sets_nothing(market: Market, settings: Any) -> None:
    settings.RATE_SOURCES = ["kraken", "trm"]
    assert run() == 0


def test_two_runs_at_once_set_each_price_once(market: Market) -> None:
    now = clock.now()
    CoinFeed.objects.create(pk="USDT", claimed_until=now + timedelta(seconds=30))
    assert read_prices(now=now) == 3
    assert bid() is None, "another run has the coin"
    assert read_prices(now=now + timedelta(seconds=31)) == 4, "that run died"
    assert read_prices(now=now) == 0, "a run that was overtaken writes nothing"


def test_all_sources_together_take_one_deadline(market: Market, settings: Any) -> None:
    settings.RATE_SOURCE_TIMEOUT_SECONDS = 1
    market.behaves = dict.fromkeys(["buda", "binance", "bitso", "trm"], "hangs")
    ended = threading.Event()
    timer = threading.Timer(8, ended.set)  # seventeen calls, one after the other, take longer
    timer.start()
    assert run() == 0
    timer.cancel()
    assert not ended.is_set()
    assert set(reasons().values()) == {"TIME_LIMIT"}


def test_refused_answers_are_counted_by_reason(market: Market) -> None:
    market.behaves["buda"] = "html"
    run()
    run(seconds=1)
    market.behaves["buda"] = "500"
    market.skew["binance"] = -3600
    run(seconds=2)
    counts = {one.source: one.refusals for one in SourceAnswer.objects.filter(feed="USDT")}
    assert counts == {"buda": {"UNREADABLE": 3}, "binance": {"OLD": 1}, "bitso": {}}


def test_defect_of_one_source_does_not_stop_the_others(market: Market, monkeypatch: Any) -> None:
    from payments.rates import sources

    def breaks(_url: str, _pair: str) -> None:
        raise RuntimeError

    monkeypatch.setitem(sources.READERS, "buda", breaks)
    assert run() == 4
    assert reasons() == {"buda": "UNREADABLE"}


def test_coin_that_comes_in_is_sold_and_the_one_that_is_owed_is_bought(market: Market) -> None:
    run()
    now = clock.now()
    debit = services.payout_quote(amount_cop=BID, currency="USDT", now=now).debit
    assert debit == 1, "a payout sells the merchant's dollars"
    bitcoin = services.quote(amount=Decimal(1000), currency="USDT", pay_with="BTC", now=now)
    assert bitcoin.rate == (100_000 * BID / Decimal("4004")).quantize(bitcoin.rate)
