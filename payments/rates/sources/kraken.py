"""Kraken: pairs as `XBTUSD`. It says no time of its own, so the Date header counts."""

from payments.rates.reasons import Reason, Refused
from payments.rates.sources.ticker import Ticker, field, get, make_ticker, time_of


def read(url: str, pair: str) -> Ticker:
    answer = get("kraken", f"{url}/0/public/Ticker", {"pair": pair})
    if field(answer.body, "error"):
        raise Refused(Reason.UNREADABLE, "it reports an error")
    # The result has the pair's older name, such as XXBTZUSD, so it is known by being the only one.
    result = field(answer.body, "result")
    if not isinstance(result, dict) or len(result) != 1:
        raise Refused(Reason.UNREADABLE, "not about one pair")
    (found,) = result.values()
    return make_ticker(field(found, "b", 0), field(found, "a", 0), time_of(answer))
