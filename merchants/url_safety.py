"""The URLs and addresses of merchants to which we send requests.

Nothing here resolves names, so the code that connects must check the address again.
"""

import functools
import re
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _
from yarl import URL

Address = IPv4Address | IPv6Address

MAX_URL_LENGTH = 2000
# HTTP and HTTPS. Of the other ports, those that programs of ordinary users may use are allowed.
WEB_PORTS = frozenset({80, 443})
FIRST_UNPRIVILEGED_PORT = 1024

BLOCKED_IPV4 = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",  # this network, unspecified
        "10.0.0.0/8",  # private
        "100.64.0.0/10",  # carrier-grade NAT, metadata of some clouds
        "127.0.0.0/8",  # loopback
        "168.63.129.16/32",  # Azure's host agent, on a public address
        "169.254.0.0/16",  # link-local, cloud metadata
        "172.16.0.0/12",  # private
        "192.0.0.0/24",  # IETF assignments, metadata of some clouds
        "192.0.2.0/24",  # documentation
        "192.88.99.0/24",  # 6to4 relays
        "192.168.0.0/16",  # private
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",  # documentation
        "203.0.113.0/24",  # documentation
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved, broadcast
    )
)
# Everything outside is loopback, unspecified, private, link-local, multicast, reserved, or an IPv4
# address in disguise (mapped, compatible, NAT64 64:ff9b::/96 and 64:ff9b:1::/48).
PUBLIC_IPV6 = ip_network("2000::/3")
BLOCKED_IPV6 = tuple(
    ip_network(network)
    for network in (
        "2001::/23",  # IETF assignments: Teredo, benchmarks, ORCHID
        "2001:db8::/32",  # documentation
        "2002::/16",  # IPv4 addresses inside IPv6 (6to4)
        "3fff::/20",  # documentation
    )
)
# What development may reach: a receiver on the developer's own machine or network.
LOCAL = tuple(
    ip_network(network)
    for network in (
        "127.0.0.0/8",
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "::1/128",
        "fc00::/7",
    )
)
# Cloud metadata inside fc00::/7: refused in development too.
NEVER_LOCAL = tuple(ip_network(network) for network in ("fd00:ec2::/32", "fd20:ce::/32"))

_UNSAFE = re.compile(r"[\x00-\x20\x7f-\xa0\\]")
_USERINFO = re.compile(r"[^/?#]*//[^/?#]*@")
_NUMERIC = re.compile(r"\d+|0x[0-9a-f]*", re.IGNORECASE)


class UnsafeUrl(ValidationError):
    """`code` is INVALID_URL or BLOCKED_ADDRESS. The text is for people."""


def is_blocked(address: Address | str, *, allow_private: bool) -> bool:
    """Text that is no address counts as blocked."""
    try:
        parsed = ip_address(address) if isinstance(address, str) else address
    except ValueError:
        return True
    if isinstance(parsed, IPv6Address) and parsed.scope_id is not None:
        return True
    if allow_private and any(parsed in network for network in LOCAL):
        return any(parsed in network for network in NEVER_LOCAL)
    if isinstance(parsed, IPv4Address):
        return any(parsed in network for network in BLOCKED_IPV4)
    return parsed not in PUBLIC_IPV6 or any(parsed in network for network in BLOCKED_IPV6)


@functools.lru_cache(maxsize=4096)
def check_url(text: str, *, allow_private: bool, any_port: bool = False) -> URL:
    """Parses a URL of a merchant, or of a rail, which may have any port. Raises UnsafeUrl.

    A name in it may still resolve to a blocked address. The parser is that of the HTTP client, so
    that both read the same host.
    """
    if not text or len(text) > MAX_URL_LENGTH or _UNSAFE.search(text):
        raise UnsafeUrl(_("This is not a URL."), code="INVALID_URL")
    try:
        url = URL(text)
        host, port = (url.raw_host or "").lower().rstrip("."), url.port
    except ValueError as error:
        raise UnsafeUrl(_("This is not a URL."), code="INVALID_URL") from error
    if url.scheme not in ("https", "http"):
        raise UnsafeUrl(_("The URL must begin with https:// or http://."), code="INVALID_URL")
    if not host:
        raise UnsafeUrl(_("The URL has no host."), code="INVALID_URL")
    # Checked in the text, because the parser drops an empty user.
    if _USERINFO.match(text):
        raise UnsafeUrl(_("The URL must not carry a user or password."), code="INVALID_URL")
    is_usual = port is not None and (port in WEB_PORTS or port >= FIRST_UNPRIVILEGED_PORT)
    if not port or port > 65535 or not (any_port or is_usual):
        raise UnsafeUrl(_("The URL's port is not allowed."), code="INVALID_URL")
    _check_host(host, allow_private)
    return url


def _check_host(host: str, allow_private: bool) -> None:
    if ":" in host or _NUMERIC.fullmatch(host.rpartition(".")[2]):
        # An address. is_blocked refuses 127.1, 0177.0.0.1, 0x7f000001 and 2130706433.
        blocked = is_blocked(host, allow_private=allow_private)
    else:
        blocked = not allow_private and (host == "localhost" or host.endswith(".localhost"))
    if blocked:
        raise UnsafeUrl(_("This address cannot receive webhooks."), code="BLOCKED_ADDRESS")
