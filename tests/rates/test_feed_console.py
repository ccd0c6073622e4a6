"""What people see of the price feed, and what they decide."""

from datetime import timedelta
from decimal import Decimal
from typing import Any

import pytest

from payments.core import clock
from payments.core.models import AuditEntry
from payments.rates.feed import decisions
from payments.rates.feed.runs import read_prices
from payments.rates.models import CoinFeed, ExchangeRate
from tests.admin.conftest import Console, ana, clerk, console  # noqa: F401
from tests.config.test_metrics import TOKEN, samples
from tests.rates.fake_sources import Market
from tests.rates.test_feed import BID, bid, price, run

pytestmark = pytest.mark.django_db
HIGH = BID * Decimal("1.2")


@pytest.fixture
def jump(market: Market) -> Market:
    """The market rose by a fifth."""
    run()
    market.trm *= Decimal("1.2")
    run(seconds=1)
    return market


def feed(coin: str = "USDT") -> CoinFeed:
    return CoinFeed.objects.get(pk=coin)


def audits(action: str) -> int:
    return AuditEntry.objects.filter(action=action, actor="ana").count()


def test_jump_waits_and_people_are_told(jump: Market, console: Console) -> None:  # noqa: F811
    assert (bid(), feed().waiting_bid, feed().outcome) == (BID, HIGH, "WAITS")
    index = console.get("/admin/").content.decode()
    assert "Saltos de precio" in index
    listed = console.page("rates_coinfeed_changelist", outcome__exact="WAITS").content.decode()
    assert "espera a una persona" in listed
    page = console.page("rates_coinfeed_change", "USDT").content.decode()
    assert "4.795,20 COP (binance+bitso+buda)" in page


def test_accepted_jump_is_the_price_and_the_feed_goes_on(
    jump: Market,
    console: Console,  # noqa: F811
) -> None:
    page = console.page("rates_coinfeed_accept_jump", "USDT").content.decode()
    assert "De 3.996 COP a 4.795,20 COP" in page
    done = console.submit("rates_coinfeed_accept_jump", "USDT", seen=str(HIGH))
    assert done.status_code == 302
    found = price()
    assert found is not None
    assert (found.price_cop, found.source) == (HIGH, "binance+bitso+buda")
    assert audits("rate_jump.accepted") == 1
    run(seconds=2)
    assert (feed().outcome, bid()) == ("PRICED", HIGH)
    assert console.submit("rates_coinfeed_accept_jump", "USDT", seen=str(HIGH)).status_code == 400


def test_refused_jump_is_not_offered_again_until_the_market_moves(
    jump: Market,
    console: Console,  # noqa: F811
) -> None:
    done = console.submit("rates_coinfeed_refuse_jump", "USDT", seen=str(HIGH))
    assert done.status_code == 302
    assert audits("rate_jump.refused") == 1
    run(seconds=2)
    assert (feed().outcome, feed().waiting_bid, bid()) == ("REFUSED", None, BID)
    jump.trm *= Decimal("1.1")
    run(seconds=3)
    assert feed().outcome == "WAITS"
    jump.trm = Decimal(4000)
    run(seconds=4)
    assert (feed().outcome, feed().refused_bid, feed().waiting_bid) == ("PRICED", None, None)


def test_person_decides_only_about_the_price_that_was_seen(jump: Market) -> None:
    given = {"currency": "USDT", "actor": "ana", "reason": "test", "now": clock.now()}
    with pytest.raises(decisions.PriceMoved):
        decisions.accept_jump(seen=HIGH * 2, **given)
    with pytest.raises(decisions.PriceMoved):
        decisions.refuse_jump(seen=HIGH / 2, **given)
    decisions.accept_jump(seen=HIGH * Decimal("1.02"), **given)
    assert bid() == HIGH


def test_jump_that_the_sources_no_longer_confirm_cannot_be_accepted(jump: Market) -> None:
    given = {"currency": "USDT", "seen": HIGH, "actor": "ana", "reason": "test"}
    with pytest.raises(decisions.PriceTooOld):
        decisions.accept_jump(now=clock.now() + timedelta(minutes=3), **given)
    jump.behaves = dict.fromkeys(["buda", "binance", "bitso"], "500")
    run(seconds=2)
    with pytest.raises(decisions.PriceTooOld):
        decisions.accept_jump(now=clock.now(), **given)
    assert bid() == BID


def test_typed_price_wins_until_a_person_ends_it(market: Market, console: Console) -> None:  # noqa: F811
    run()
    typed = {"currency": "USDT", "price_cop": "4050.5"}
    assert console.submit("rates_exchangerate_add", **typed).status_code == 302
    assert read_prices(now=clock.now()) == 3
    assert (bid(), feed().outcome) == (Decimal("4050.5"), "BY_HAND")
    assert console.submit("rates_coinfeed_resume", "USDT").status_code == 302
    assert audits("rate_feed.resumed") == 1
    assert read_prices(now=clock.now()) == 4
    assert bid() == BID
    assert console.submit("rates_coinfeed_resume", "USDT").status_code == 400


def test_jump_from_a_typed_price_waits(market: Market, console: Console) -> None:  # noqa: F811
    typed = {"currency": "USDT", "price_cop": "5000"}
    console.submit("rates_exchangerate_add", **typed)
    console.submit("rates_coinfeed_resume", "USDT")
    read_prices(now=clock.now())
    assert (bid(), feed().waiting_bid) == (5000, BID)


def test_page_shows_what_each_source_said(market: Market, console: Console) -> None:  # noqa: F811
    market.lies["buda"] = Decimal("0.05")
    market.behaves["bitso"] = "html"
    run()
    market.lies = {}
    run(seconds=1)
    page = console.page("rates_coinfeed_change", "USDT").content.decode()
    assert "ilegible" in page
    assert "not JSON" in page
    assert "cuenta" in page
    assert "3.996 COP" in page
    market.lies["buda"] = Decimal("0.05")
    market.behaves = {}
    run(seconds=2)
    page = console.page("rates_coinfeed_change", "USDT").content.decode()
    assert "muy lejos de las demás" in page
    assert "5 %" in page


def test_old_price_is_marked(market: Market, console: Console, settings: Any) -> None:  # noqa: F811
    run(hours=-1)
    at = clock.now() - timedelta(hours=1)
    rate = ExchangeRate(currency="USDT", price_cop=4000, source="ana", effective_at=at)
    decisions.set_rate_by_hand(rate, actor="ana", reason="test")
    settings.RATE_MAX_AGE_SECONDS = 900
    assert "demasiado viejo" in console.page("rates_coinfeed_changelist").content.decode()


def test_clerk_decides_nothing(jump: Market, clerk: Console) -> None:  # noqa: F811
    assert clerk.page("rates_coinfeed_change", "USDT").status_code == 200
    for act in ("accept_jump", "refuse_jump", "resume"):
        assert clerk.submit(f"rates_coinfeed_{act}", "USDT", seen="4000").status_code == 403


def test_figures_of_the_feed_are_exposed(jump: Market, settings: Any) -> None:
    settings.METRICS_TOKEN, settings.METRICS_CACHE_SECONDS = TOKEN, 0
    jump.behaves["buda"] = "html"
    jump.lies["bitso"] = Decimal("0.01")
    run(seconds=2)
    found = samples()
    assert 0 <= found["pasarela_rate_age_seconds", ("USDT",)] < 60
    assert found["pasarela_rate_jump_waiting", ("USDT",)] == 1
    assert found["pasarela_rate_disagreement", ("USDT",)] == pytest.approx(0.01)
    assert found["pasarela_rate_refused_answers", ("UNREADABLE", "buda")] == 4
