"""The choice among answers, for every mixture of honest and lying sources."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

from hypothesis import given
from hypothesis import strategies as st

from payments.rates.feed.choice import TOLERANCE, Answer, choose

NOW = datetime(2026, 3, 1, 15, 0, tzinfo=UTC)
TRUE = Decimal(4000)
shares = st.decimals(-1, 1, places=4)
# Honest ones differ by 2.8 % at most, so that each is near the median of them.
honest_prices = st.decimals("3945", "4055", places=2)
lies = st.decimals("0.01", "1000000", places=2)
half_spreads = st.decimals(0, "0.004", places=4)
moments = st.integers(-120, 120).map(lambda seconds: NOW + timedelta(seconds=seconds))


def answer(source: str, price: Decimal, half_spread: Decimal, at: datetime) -> Answer:
    bid, ask = price * (1 - half_spread), price * (1 + half_spread)
    return Answer(source=source, bid=bid, ask=ask, at=at)


@st.composite
def markets(draw: st.DrawFn) -> tuple[list[Answer], list[Answer]]:
    """Honest answers, and fewer lies."""
    honest = draw(st.lists(st.tuples(honest_prices, moments), min_size=2, max_size=6))
    lying = draw(st.lists(st.tuples(lies, half_spreads, moments), max_size=len(honest) - 1))
    return (
        [answer(f"h{n}", price, Decimal(0), at) for n, (price, at) in enumerate(honest)],
        [answer(f"l{n}", *one) for n, one in enumerate(lying)],
    )


@given(markets(), st.randoms(use_true_random=False))
def test_price_is_among_the_honest_ones_when_they_are_more(market, random) -> None:
    honest, lying = market
    answers = honest + lying
    random.shuffle(answers)
    choice = choose(answers, now=NOW)
    low, high = (edge(one.bid for one in honest) for edge in (min, max))
    assert choice.bid is not None
    assert choice.ask is not None
    assert low <= choice.bid <= choice.ask <= high
    assert choice.bid in {one.bid for one in answers}
    assert {one.source for one in honest} <= set(choice.sources), "no honest one is dropped"


@given(st.lists(st.tuples(lies, half_spreads, moments), max_size=7), st.none() | lies)
def test_chosen_sources_agree_and_are_more_than_the_others(given_answers, trm) -> None:
    answers = [answer(f"s{n}", *one) for n, one in enumerate(given_answers)]
    choice = choose(answers, now=NOW, trm=trm)
    chosen = [one for one in answers if one.source in choice.sources]
    assert (choice.bid is None) == (choice.ask is None) == (not chosen)
    if choice.bid is None:
        return
    assert 2 * len(chosen) > len(answers)
    assert len(chosen) >= 2 or trm is not None
    width = (1 + TOLERANCE) / (1 - TOLERANCE)
    assert max(one.bid for one in chosen) <= min(one.bid for one in chosen) * width
    assert set(choice.dropped) == {one.source for one in answers} - set(choice.sources)


def test_two_pairs_that_contradict_each_other_agree_on_nothing() -> None:
    prices = [Decimal(4000), Decimal(4001), Decimal(4200), Decimal(4201)]
    answers = [answer(str(price), price, Decimal(0), NOW) for price in prices]
    assert choose(answers, now=NOW).bid is None
