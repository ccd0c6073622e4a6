"""A payer in front of the pages of a running service: chooses a coin, and reads what to send."""

import http.client
import re
import time
from dataclasses import dataclass
from decimal import Decimal
from urllib.parse import urlencode, urlsplit

COPIED = re.compile(r'data-copy="([^"]+)"')
COOKIE = re.compile(r"csrftoken=([^;]+)")
# While the node is away no coin of its network is offered.
PATIENCE_SECONDS = 120
AGAIN_SECONDS = 0.3


@dataclass(frozen=True)
class Shown:
    """What the page says; `tries` is how often the payer had to ask."""

    amount: Decimal
    address: str
    tries: int


def choose_coin(server: tuple[str, int], collect_url: str, key: str) -> Shown:
    path = urlsplit(collect_url).path
    ends_at = time.monotonic() + PATIENCE_SECONDS
    tries = 0
    while time.monotonic() < ends_at:
        tries += 1
        copied = COPIED.findall(_chosen(server, path, key))
        if len(copied) >= 2:
            return Shown(Decimal(copied[0]), copied[1], tries)
        time.sleep(AGAIN_SECONDS)
    raise AssertionError(f"no address in {PATIENCE_SECONDS} s for {key}")


def _chosen(server: tuple[str, int], path: str, key: str) -> str:
    """The page after the choice. Empty where the coin is not offered."""
    connection = http.client.HTTPConnection(*server, timeout=30)
    try:
        _, headers, text = _ask(connection, "GET", f"{path}/crypto")
        cookie = COOKIE.search(headers.get("Set-Cookie", ""))
        if cookie is None or f'value="{key}"' not in text:
            return text if "data-copy" in text else ""
        form = urlencode({"csrfmiddlewaretoken": cookie[1], "coin": key})
        sent = {
            "Content-Type": "application/x-www-form-urlencoded",
            "Cookie": f"csrftoken={cookie[1]}",
        }
        status, headers, text = _ask(connection, "POST", f"{path}/crypto", form, sent)
        if status != 303:
            return ""
        return _ask(connection, "GET", urlsplit(headers["Location"]).path)[2]
    finally:
        connection.close()


def _ask(
    connection: http.client.HTTPConnection,
    method: str,
    path: str,
    body: str | None = None,
    headers: dict[str, str] | None = None,
) -> tuple[int, http.client.HTTPMessage, str]:
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    return response.status, response.headers, response.read().decode()
