"""Buda: pairs as `usdt-cop`. It says no time of its own, so the Date header counts."""

from urllib.parse import quote

from payments.rates.sources.ticker import Ticker, expect, field, get, make_ticker, time_of


def read(url: str, pair: str) -> Ticker:
    answer = get("buda", f"{url}/api/v2/markets/{quote(pair, safe='')}/ticker")
    ticker = field(answer.body, "ticker")
    expect(field(ticker, "market_id"), pair)
    currency = pair.rpartition("-")[2]
    for side in ("max_bid", "min_ask"):
        expect(field(ticker, side, 1), currency)
    return make_ticker(field(ticker, "max_bid", 0), field(ticker, "min_ask", 0), time_of(answer))
