"""Coinbase Exchange: pairs as `BTC-USD`. `time` is that of the last trade."""

from urllib.parse import quote

from payments.rates.sources.ticker import Ticker, field, get, make_ticker, parse_time


def read(url: str, pair: str) -> Ticker:
    body = get("coinbase", f"{url}/products/{quote(pair, safe='')}/ticker").body
    at = parse_time(field(body, "time"))
    return make_ticker(field(body, "bid"), field(body, "ask"), at)
