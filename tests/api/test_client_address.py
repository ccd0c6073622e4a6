"""Whose request it is, for limits by address: X-Forwarded-For as load balancers write it."""

from collections.abc import Iterator
from typing import Any

import pytest
import time_machine
from django.test import Client

from payments.api import calls
from payments.api.models import ApiCall
from payments.core import clock
from tests.support.fixtures import ApiClient

pytestmark = pytest.mark.django_db
PEER = "10.0.0.2"


@pytest.fixture(autouse=True)
def one_receipt_a_minute(settings: Any) -> Iterator[None]:
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "verify": "1/m"}
    with time_machine.travel(clock.now(), tick=False):  # one window
        yield


def verify(forwarded: str | None, peer: str = PEER) -> int:
    """The status of one receipt looked up: 404, or 429 if this address had one already."""
    headers = {} if forwarded is None else {"X-Forwarded-For": forwarded}
    return Client().get("/verify/0000-0000-0000", headers=headers, REMOTE_ADDR=peer).status_code


# (TRUSTED_PROXIES, X-Forwarded-For, the address that is counted)
ADDRESSES = [
    (1, "203.0.113.7", "203.0.113.7"),
    (1, "203.0.113.7:51001", "203.0.113.7"),
    (1, "203.0.113.7:1", "203.0.113.7"),
    (1, " 203.0.113.7:51001 ", "203.0.113.7"),
    (1, "192.0.2.1, 203.0.113.7:51001", "203.0.113.7"),
    (1, "[2800:e2:1:1::9]:51001", "2800:e2:1:1::"),
    (1, "[2800:e2:1:1::9]", "2800:e2:1:1::"),
    (1, "2800:e2:1:1::9", "2800:e2:1:1::"),
    (1, "2800:E2:1:1:0:0:0:9", "2800:e2:1:1::"),
    (1, "[fe80::1%eth0]:443", "fe80::"),
    (1, "::ffff:203.0.113.7", "203.0.113.7"),
    (1, "[::ffff:203.0.113.7]:51001", "203.0.113.7"),
    (2, "203.0.113.7:51001, 10.0.0.1:80", "203.0.113.7"),
    (2, "192.0.2.1, [2800:e2:1:1::9]:5, 10.0.0.1", "2800:e2:1:1::"),
    # No address: the nearest proxy that is trusted stands in its place.
    (1, "unknown", PEER),
    (1, "_hidden", PEER),
    (1, "", PEER),
    (1, "[]:80", PEER),
    (1, "[:80", PEER),
    (1, ":80", PEER),
    (1, "203.0.113.7:", PEER),
    (1, "203.0.113.7:port", PEER),
    (1, "203.0.113.7:510010", PEER),
    (1, "203.0.113:80", PEER),
    (1, "203.0.113.007", PEER),
    (1, "٢٠٣.0.113.7", PEER),
    (1, "203.0.113.7, unknown", PEER),
    (1, "x" * 8000, PEER),
    (2, "unknown, 10.0.0.1:80", "10.0.0.1"),
    (2, "unknown, unknown", PEER),
    # Fewer entries than proxies, or none that is trusted: the socket's word.
    (2, "203.0.113.7", PEER),
    (1, None, PEER),
    (0, "203.0.113.7:51001", PEER),
]


@pytest.mark.parametrize(("proxies", "forwarded", "counted"), ADDRESSES)
def test_limits_count_the_address_that_a_trusted_proxy_saw(
    settings: Any, proxies: int, forwarded: str | None, counted: str
) -> None:
    settings.TRUSTED_PROXIES = 0
    assert verify(None, peer=counted) == 404
    assert verify(None, peer="198.51.100.99") == 404  # another address has a count of its own
    settings.TRUSTED_PROXIES = proxies
    assert verify(forwarded) == 429


def test_a_new_port_is_no_new_caller(settings: Any) -> None:
    settings.TRUSTED_PROXIES = 1
    assert [verify(f"203.0.113.7:{port}") for port in (51001, 51002, 51003)] == [404, 429, 429]
    assert verify("203.0.113.8:51001") == 404


def test_wrong_credentials_are_counted_without_the_port(
    api: ApiClient, anonymous: ApiClient, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = 1
    settings.RATE_LIMITS = {**settings.RATE_LIMITS, "failed_credentials": "2/m"}

    def guess(port: int) -> int:
        headers = {"X-Api-Key": "pk_x", "X-Api-Secret": "sk_x"}
        headers["X-Forwarded-For"] = f"203.0.113.7:{port}"
        return int(anonymous.get("/collect", headers=headers).status_code)

    assert [guess(port) for port in (51001, 51002, 51003)] == [401, 401, 429]


def test_the_log_of_calls_names_the_network_of_an_address_with_its_port(
    api: ApiClient, call_log: None, settings: Any
) -> None:
    settings.TRUSTED_PROXIES = 1
    for address in ("190.24.10.7:51001", "[2800:e2:1:1::9]:443"):
        api.get("/collect", headers={"X-Forwarded-For": address})
    calls.writer.flush()
    assert set(ApiCall.objects.values_list("address", flat=True)) == {
        "190.24.10.0/24",
        "2800:e2:1::/48",
    }
