"""Rate limits: fixed windows counted in Redis. Without Redis nothing is limited."""

import ipaddress
import re
import time
from functools import lru_cache
from typing import Any, TypedDict

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django_ratelimit.core import get_usage
from rest_framework.request import Request

from payments.core.errors import ServiceError
from payments.core.failopen import FailOpen

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
_WITH_PORT = re.compile(r"(?:\[(?P<bracketed>[^]]*)\]|(?P<v4>[0-9.]+))(?::[0-9]{1,5})?", re.ASCII)


class RateLimitExceeded(ServiceError):
    """429 with the three X-RateLimit headers and Retry-After (contract, Limits)."""

    status = 429
    code = "RATE_LIMIT_EXCEEDED"
    message = "Too many requests. Wait until the window resets."


class Usage(TypedDict):
    count: int
    limit: int
    should_limit: bool
    time_left: int


breaker = FailOpen("rate_limit.open")


def count(
    request: Request | HttpRequest, *, scope: str, key: str, route: str = ""
) -> dict[str, str]:
    """Counts one request of `key` (a merchant). Returns the X-RateLimit headers.

    `scope` names the limit in settings.RATE_LIMITS. With `route`, each route is counted separately.
    Raises RateLimitExceeded. Without Redis, nothing is counted and there are no headers.
    """
    usage: Usage | None = breaker.call(
        lambda: get_usage(
            request,
            group=f"{scope} {route}" if route else scope,
            key=lambda *_: key,
            rate=settings.RATE_LIMITS[scope],
            increment=True,
        )
    )
    if usage is None:
        return {}
    headers = _headers(usage)
    if usage["should_limit"]:
        raise RateLimitExceeded(headers={**headers, "Retry-After": str(_seconds_left(usage))})
    return headers


def count_failed_credentials(request: Request) -> None:
    """Counts one failed authentication of the caller's address. Raises RateLimitExceeded.

    Valid credentials are never refused, so that a merchant's broken job does not stop the others.
    """
    count(request, scope="failed_credentials", key=counted_address(request))


def client_address(request: Request | HttpRequest) -> str:
    """The caller's IP address, or "local" or the socket's name if there is none.

    Behind TRUSTED_PROXIES proxies it is the entry of X-Forwarded-For that the outermost of them
    wrote. If that entry is not an address, it is the address of the proxy that wrote it.
    """
    hops = settings.TRUSTED_PROXIES
    peer = str(request.META.get("REMOTE_ADDR") or "local")
    forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    trusted = forwarded[-hops:] if 0 < hops <= len(forwarded) else []
    found = (_parse_address(entry) for entry in (*trusted, peer))
    return next((str(address) for address in found if address is not None), peer)


def counted_address(request: Request | HttpRequest) -> str:
    """The caller's address as a key of limits.

    For IPv6 it is the /64 network, which is one household.
    """
    address = _parse_address(text := client_address(request))
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Address(int(address) >> 64 << 64))
    return str(address or text)


@lru_cache(1024)  # the log and the limits parse the addresses of the same clients again and again
def _parse_address(text: str) -> Address | None:
    """The address in an entry of X-Forwarded-For, which may have a port. None if there is none.

    An IPv4 address in IPv6 becomes IPv4. The zone of a link-local address is left out.
    """
    match = _WITH_PORT.fullmatch(text.strip())
    bare = (match["bracketed"] or match["v4"] or "") if match else text.strip()
    try:
        address = ipaddress.ip_address(bare.partition("%")[0])
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


class LimitedView:
    """Mixin for DRF views that counts requests by merchant and route, after authentication.

    A view may set `limit_scopes = {"create": "collect_create"}` by action. Other actions have the
    limit `read` (GET, HEAD) or `write`, counted separately for each route.
    """

    limit_scopes: dict[str, str] = {}

    def check_throttles(self, request: Request) -> None:
        fallback = "read" if request.method in ("GET", "HEAD", "OPTIONS") else "write"
        scope = self.limit_scopes.get(getattr(self, "action", None) or "", fallback)
        match = request.resolver_match
        route = match.route if match and scope in ("read", "write") else ""
        self._limit_headers = count(request, scope=scope, key=str(request.user.pk), route=route)

    def finalize_response(self, request: Request, response: HttpResponse, *a: Any, **k: Any) -> Any:
        for name, value in getattr(self, "_limit_headers", {}).items():
            response.headers.setdefault(name, value)
        return super().finalize_response(request, response, *a, **k)  # type: ignore[misc]


def _headers(usage: Usage) -> dict[str, str]:
    return {
        "X-RateLimit-Limit": str(usage["limit"]),
        "X-RateLimit-Remaining": str(max(0, usage["limit"] - usage["count"])),
        "X-RateLimit-Reset": str(int(time.time()) + _seconds_left(usage)),
    }


def _seconds_left(usage: Usage) -> int:
    # django-ratelimit's window includes its last second.
    return max(0, int(usage["time_left"])) + 1
