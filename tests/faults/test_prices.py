"""Prices from sources of which most lie, lag, hang, disagree or answer nonsense (F27)."""

from collections import Counter
from decimal import Decimal
from random import Random
from typing import Any

import pytest

from payments.core import clock
from payments.rates.feed.runs import read_prices
from payments.rates.models import ExchangeRate, SourceAnswer
from tests.faults import scaled
from tests.rates.conftest import market  # noqa: F401
from tests.rates.fake_sources import Market
from tests.support.measurements import listed, record, seeded

pytestmark = [pytest.mark.django_db, pytest.mark.faults("F27")]
SOURCES = ["buda", "binance", "bitso", "coinbase", "kraken", "trm"]
# No two of them agree with each other, or with the truth.
LIES = ["-0.9", "-0.5", "-0.2", "0.06", "0.12", "0.2", "0.5", "1", "3"]
NONSENSE = ["html", "10mb", "500", "429", "redirects", "other_pair", "crossed", "nan", "huge"]
TRUTH = Decimal(4000)
ROUNDS = 100


def misbehave(market: Market, random: Random) -> None:  # noqa: F811
    """Each source is honest in one of three rounds."""
    market.lies, market.behaves, market.skew = {}, {}, {}
    lies = random.sample(LIES, len(SOURCES))
    for source, lie in zip(SOURCES, lies, strict=True):
        match random.choice(["honest", "honest", "lies", "lags", "hangs", "nonsense"]):
            case "lies" if source != "trm":
                market.lies[source] = Decimal(lie)
            case "lags":
                market.skew[source] = random.choice([-3600.0, -150.0, 150.0])
            case "hangs":
                market.behaves[source] = random.choice(["hangs", "drips"])
            case "nonsense":
                market.behaves[source] = random.choice(NONSENSE)


def test_no_price_is_wrong_while_sources_misbehave(
    market: Market,  # noqa: F811
    settings: Any,
) -> None:
    random = seeded("prices")
    settings.RATE_SOURCES, settings.RATE_SOURCE_TIMEOUT_SECONDS = SOURCES, 1
    rounds, wrong = scaled(ROUNDS), 0
    for _ in range(rounds):
        misbehave(market, random)
        read_prices(now=clock.now())
    for rate in ExchangeRate.objects.all():
        truth = TRUTH * market.usd[rate.currency]
        wrong += not truth * Decimal("0.97") <= rate.price_cop <= truth * Decimal("1.03")
    refused: Counter[str] = Counter()
    for answer in SourceAnswer.objects.all():
        refused.update(answer.refusals)
    prices = ExchangeRate.objects.count()
    record(
        f"{rounds} rounds of 4 coins and 5 sources: {prices} prices; refused: {listed(refused)}",
        rounds_of_four_coins=rounds,
        prices_set=prices,
        answers_refused=sum(refused.values()),
        wrong_prices=wrong,
    )
    assert wrong == 0
    assert prices > 0
    assert {"DEVIATES", "TIME_LIMIT", "OLD"} <= set(refused)
