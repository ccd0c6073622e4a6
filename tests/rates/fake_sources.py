"""All price sources in one server on loopback, each with a behaviour of its own.

Written from the public documents, and not from the adapters. `lies` moves the price of a source by
a share, `behaves` names what else is wrong with it.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

SOURCES = ("buda", "binance", "bitso", "coinbase", "kraken", "trm")
HALF_SPREAD = Decimal("0.001")
# What a source sends instead of a price.
BAD_PRICES = {
    "nan": "NaN",
    "infinite": "Infinity",
    "negative": "-4000",
    "zero": "0",
    "huge": "1e400",
    "huge_number": Decimal("1e400"),
    "long": "4" * 40,
    "words": "four thousand",
    "none": None,
    "true": True,
    "arabic": "٤٠٠٠",
}


class Market:
    """`usd` is the price of a coin in dollars, `trm` that of a dollar in pesos."""

    def __init__(self) -> None:
        self.trm = Decimal(4000)
        self.usd = {"USDT": 1, "USDC": 1, "BTC": 100_000, "ETH": 3_000}
        self.lies: dict[str, Decimal] = {}
        self.behaves: dict[str, str] = {}
        # Seconds that the clock of a source is ahead.
        self.skew: dict[str, float] = {}
        self.requests: list[str] = []
        self.ended = threading.Event()
        self.url = ""

    def urls(self) -> dict[str, str]:
        return {name: f"{self.url}/{name}" for name in SOURCES}

    def now(self, source: str) -> datetime:
        return datetime.fromtimestamp(time.time() + self.skew.get(source, 0), UTC)

    def price(self, source: str, coin: str, currency: str) -> Decimal:
        usd = Decimal(self.usd[coin])
        in_currency = usd * self.trm if currency == "COP" else usd
        # Once, although Binance's price in pesos is a product of two.
        lie = Decimal(0) if currency == "USDT" else self.lies.get(source, Decimal(0))
        return in_currency * (1 + lie)


@contextmanager
def running() -> Iterator[Market]:
    market = Market()

    class Handler(_Handler):
        pass

    Handler.market = market
    server = _Server(("127.0.0.1", 0), Handler)
    market.url = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield market
    finally:
        market.ended.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    # All calls of a run come at once; those that do not fit would come again a second later.
    request_queue_size = 128
    daemon_threads = True


class _Handler(BaseHTTPRequestHandler):
    market: Market
    source = ""

    def log_message(self, *_args: object) -> None:
        """Quiet."""

    def date_time_string(self, timestamp: float | None = None) -> str:
        return format_datetime(self.market.now(self.source), usegmt=True)

    def do_GET(self) -> None:
        url = urlsplit(self.path)
        _, self.source, *rest = url.path.split("/")
        self.market.requests.append(self.source)
        query = {name: values[0] for name, values in parse_qs(url.query).items()}
        with suppress(OSError):  # the client did not wait
            self._behave(self.market.behaves.get(self.source, ""), rest, query)

    def _behave(self, how: str, rest: list[str], query: dict[str, str]) -> None:
        if how == "hangs":
            self.market.ended.wait()
        elif how == "drips":
            self.wfile.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n[")
            while not self.market.ended.wait(0.05):
                self.wfile.write(b" ")
        elif how == "html":
            self._send(200, b"<html><h1>4000</h1></html>")
        elif how == "10mb":
            self._send(200, b'{"price": "' + b"4" * 10_000_000 + b'"}')
        elif how == "redirects":
            target = f"{self.market.url}/elsewhere/"
            self._send(302, b"", {"Location": target})
        elif how.isdigit():
            self._send(int(how), b'{"error": "no"}')
        else:
            body = getattr(self, f"_{self.source}")(rest, query, how)
            text = json.dumps(body, default=lambda number: f"<{number}>")
            raw = text.replace('"<', "").replace('>"', "").encode()
            self._send(200, raw, without_date=how == "no_time")

    def _send(
        self,
        status: int,
        body: bytes,
        headers: dict[str, str] | None = None,
        *,
        without_date: bool = False,
    ) -> None:
        if without_date:
            self.send_response_only(status)
        else:
            self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _sides(self, coin: str, currency: str, how: str) -> tuple[Any, Any]:
        if how in BAD_PRICES:
            return BAD_PRICES[how], BAD_PRICES[how]
        middle = self.market.price(self.source, coin, currency)
        bid, ask = middle * (1 - HALF_SPREAD), middle * (1 + HALF_SPREAD)
        return (f"{ask:f}", f"{bid:f}") if how == "crossed" else (f"{bid:f}", f"{ask:f}")

    def _iso(self) -> str:
        return self.market.now(self.source).isoformat()

    def _buda(self, rest: list[str], query: dict[str, str], how: str) -> object:
        pair = rest[3]
        coin, currency = pair.upper().split("-")
        bid, ask = self._sides(coin, currency, how)
        named = "btc-clp" if how == "other_pair" else pair
        ticker = {
            "market_id": named.upper(),
            "last_price": [bid, currency],
            "min_ask": [ask, currency],
            "max_bid": [bid, currency],
            "volume": ["1.0", coin],
            "price_variation_24h": "0.01",
        }
        return {"ticker": ticker}

    def _binance(self, rest: list[str], query: dict[str, str], how: str) -> object:
        symbol = query["symbol"]
        currency = "COP" if symbol.endswith("COP") else "USDT"
        bid, ask = self._sides(symbol.removesuffix(currency), currency, how)
        sides = {"bidPrice": bid, "bidQty": "1", "askPrice": ask, "askQty": "1"}
        return {"symbol": "OTHER" if how == "other_pair" else symbol, **sides}

    def _bitso(self, rest: list[str], query: dict[str, str], how: str) -> object:
        coin = query["book"].removesuffix("_cop").upper()
        bid, ask = self._sides("USDC" if coin == "USD" else coin, "COP", how)
        at = {} if how == "no_time" else {"created_at": self._iso()}
        return {"success": True, "payload": {"book": query["book"], "bid": bid, "ask": ask, **at}}

    def _coinbase(self, rest: list[str], query: dict[str, str], how: str) -> object:
        bid, ask = self._sides(rest[1].split("-")[0], "USD", how)
        at = {} if how == "no_time" else {"time": self._iso()}
        return {"bid": bid, "ask": ask, "price": bid, "size": "1", "volume": "1", **at}

    def _kraken(self, rest: list[str], query: dict[str, str], how: str) -> object:
        coin = query["pair"].removesuffix("USD").replace("XBT", "BTC")
        bid, ask = self._sides(coin, "USD", how)
        return {"error": [], "result": {f"X{coin}ZUSD": {"a": [ask, "1"], "b": [bid, "1"]}}}

    def _trm(self, rest: list[str], query: dict[str, str], how: str) -> object:
        assert query == {"$limit": "1", "$order": "vigenciadesde DESC"}
        today = (self.market.now("trm") - timedelta(hours=5)).date()
        if how == "old":
            today -= timedelta(days=2)
        value = self.market.trm * (1 + self.market.lies.get("trm", Decimal(0)))
        day = f"{today}T00:00:00.000"
        price = BAD_PRICES.get(how, f"{value:f}")
        return [{"valor": price, "unidad": "COP", "vigenciadesde": day, "vigenciahasta": day}]
