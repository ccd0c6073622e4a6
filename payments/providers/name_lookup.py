"""Looks up the names of rails, each in a thread of its own.

The threads that asyncio uses are few. While the name server of one rail hangs, its look-ups would
hold them all, and the calls to the other rails would wait. The connector looks up a name once at a
time, so there are as many threads as names at most.

A name that leads into our own network is no rail, as its address would be none
(rails/services/addresses.py). A sandbox may reach fakes there, and the nodes of coins may stand
there, but nothing reaches the metadata of a cloud.
"""

import asyncio
import socket
import threading
from concurrent.futures import Future

from aiohttp.abc import AbstractResolver, ResolveResult
from django.conf import settings

from merchants.url_safety import is_blocked

AddressInfo = tuple[
    socket.AddressFamily, socket.SocketKind, int, str, tuple[str, int] | tuple[str, int, int, int]
]
NUMERIC = socket.AI_NUMERICHOST | socket.AI_NUMERICSERV


class Resolver(AbstractResolver):
    """Its threads do not keep a process from ending."""

    def __init__(self, *, may_be_near: bool = False) -> None:
        self.may_be_near = may_be_near

    async def resolve(
        self, host: str, port: int = 0, family: socket.AddressFamily = socket.AF_UNSPEC
    ) -> list[ResolveResult]:
        lookup: Future[list[AddressInfo]] = Future()
        arguments = (lookup, host, port, family)
        threading.Thread(target=_look_up, args=arguments, name="rail-lookup", daemon=True).start()
        return [
            ResolveResult(
                hostname=host,
                host=address[0],
                port=port,
                family=kind,
                proto=protocol,
                flags=NUMERIC,
            )
            for kind, _, protocol, _, address in _allowed(
                await asyncio.wrap_future(lookup), self.may_be_near
            )
        ]

    async def close(self) -> None:
        pass


def _allowed(found: list[AddressInfo], may_be_near: bool) -> list[AddressInfo]:
    may = may_be_near or settings.SANDBOX or settings.RAIL_ALLOW_PRIVATE
    allowed = [info for info in found if not is_blocked(info[4][0], allow_private=may)]
    if found and not allowed:
        raise OSError("the name leads to a network that is not public")
    return allowed


def _look_up(
    lookup: "Future[list[AddressInfo]]", host: str, port: int, family: socket.AddressFamily
) -> None:
    lookup.set_running_or_notify_cancel()
    try:
        found = socket.getaddrinfo(
            host, port, family, type=socket.SOCK_STREAM, flags=socket.AI_ADDRCONFIG
        )
    except OSError as error:
        lookup.set_exception(error)
    except UnicodeError as error:  # it is no name
        lookup.set_exception(OSError(str(error)))
    else:
        lookup.set_result(found)  # type: ignore[arg-type]
