"""Bitso: pairs as `btc_cop`. `created_at` is the time of the prices."""

from payments.rates.sources.ticker import Ticker, expect, field, get, make_ticker, parse_time


def read(url: str, pair: str) -> Ticker:
    payload = field(get("bitso", f"{url}/v3/ticker/", {"book": pair}).body, "payload")
    if isinstance(payload, dict) and "book" in payload:
        expect(payload["book"], pair)
    at = parse_time(field(payload, "created_at"))
    return make_ticker(field(payload, "bid"), field(payload, "ask"), at)
