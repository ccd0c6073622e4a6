"""Binance: pairs as `BTCUSDT`. It says no time of its own, so the Date header counts."""

from payments.rates.sources.ticker import Ticker, expect, field, get, make_ticker, time_of


def read(url: str, pair: str) -> Ticker:
    answer = get("binance", f"{url}/api/v3/ticker/bookTicker", {"symbol": pair})
    expect(field(answer.body, "symbol"), pair)
    bid, ask = field(answer.body, "bidPrice"), field(answer.body, "askPrice")
    return make_ticker(bid, ask, time_of(answer))
