"""Markets that publish prices, and the official dollar (TRM). Each module reads one of them.

`read(url, pair)` returns a Ticker or raises Refused. `url` is a setting (RATE_<NAME>_URL), so that
a mirror may serve. What a coin's pair is called is a setting, too (RATE_<NAME>_PAIRS). None of
these modules was run against its live source: docs/rates.md says what is not sure.
"""

from collections.abc import Callable, Mapping

from payments.rates.sources import binance, bitso, buda, coinbase, kraken, trm
from payments.rates.sources.ticker import Ticker

TRM = "trm"
READERS: Mapping[str, Callable[[str, str], Ticker]] = {
    "buda": buda.read,
    "binance": binance.read,
    "bitso": bitso.read,
    "coinbase": coinbase.read,
    "kraken": kraken.read,
    TRM: trm.read,
}
