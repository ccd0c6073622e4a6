"""Keeps webhooks from addresses outside the public internet (server-side request forgery).

It checks the URL, every address that its name resolves to, and the address of each connection. The
rules are in merchants.url_safety.
"""

import asyncio
import errno
import socket
from concurrent.futures import ThreadPoolExecutor

from aiohttp import AddrInfoType
from aiohttp.abc import AbstractResolver, ResolveResult
from django.conf import settings
from yarl import URL

from merchants.url_safety import UnsafeUrl, check_url, is_blocked

__all__ = ["BlockedAddress", "Resolver", "UnsafeUrl", "check_webhook_url", "open_socket"]

# A look-up that hangs blocks its thread until the system gives up. There are enough threads that a
# few dead name servers do not delay the others.
LOOKUP_THREADS = 64
SocketAddress = tuple[str, int] | tuple[str, int, int, int] | tuple[int, bytes]
AddressInfo = tuple[socket.AddressFamily, socket.SocketKind, int, str, SocketAddress]
NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class BlockedAddress(OSError):
    def __init__(self, address: str) -> None:
        super().__init__(errno.EACCES, f"blocked address {address}")


def check_webhook_url(url: str) -> URL:
    """Resolves no name. Raises UnsafeUrl, a ValidationError."""
    return check_url(url, allow_private=settings.WEBHOOK_ALLOW_PRIVATE)


def open_socket(address: AddrInfoType) -> socket.socket:
    """Opens the socket that aiohttp then connects to this address. Raises BlockedAddress."""
    family, kind, protocol, _, target = address
    if is_blocked(target[0], allow_private=settings.WEBHOOK_ALLOW_PRIVATE):
        raise BlockedAddress(target[0])
    return socket.socket(family=family, type=kind, proto=protocol)


class Resolver(AbstractResolver):
    """Resolves names in its own threads. Refuses a name if one of its addresses is blocked."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(LOOKUP_THREADS, thread_name_prefix="webhook-lookup")

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(self._threads, look_up, host, port, family)
        for *_, target in found:
            # One blocked address is enough, because the next look-up may return another order.
            if is_blocked(str(target[0]), allow_private=settings.WEBHOOK_ALLOW_PRIVATE):
                raise BlockedAddress(str(target[0]))
        if not found:
            raise OSError(errno.ENOENT, "no address")
        return [
            ResolveResult(
                hostname=host,
                host=str(target[0]),
                port=port,
                family=kind,
                proto=protocol,
                flags=NUMERIC,
            )
            for kind, _, protocol, _, target in found
        ]

    async def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)


def look_up(host: str, port: int, family: socket.AddressFamily) -> list[AddressInfo]:
    """Tests replace it."""
    return socket.getaddrinfo(host, port, family=family, type=socket.SOCK_STREAM)
