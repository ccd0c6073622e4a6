"""Runs a fake rail: in its own process (`main`), or in a thread of a test (`RunningServer`)."""

import argparse
import asyncio
import http.client
import json
import signal
import ssl
import sys
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from typing import Any, Self
from urllib.parse import urlsplit

from aiohttp import web

from tests.rails.fake_server.control import Control
from tests.rails.fake_server.rail import FakeRail

HOST = "127.0.0.1"
# A handler that a fault delays is not waited for. 0 would be without end for aiohttp.
END_SECONDS = 0.01


class Server:
    """Two ports of one application: the rail's, which an outage closes, and the control's.

    With `tls` the rail's port speaks https.
    """

    def __init__(
        self,
        rail: FakeRail,
        port: int = 0,
        control_port: int = 0,
        tls: ssl.SSLContext | None = None,
    ) -> None:
        self.rail = rail
        self.tls = tls
        self.port = port
        self.control_port = control_port
        self._site: web.TCPSite | None = None
        self._reopening: asyncio.TimerHandle | None = None

    async def start(self) -> None:
        application = web.Application(middlewares=[self.rail.serve])
        application.add_routes([*Control(self.rail, self.outage).routes(), *self.rail.routes()])
        self._runner = web.AppRunner(application, access_log=None, shutdown_timeout=END_SECONDS)
        await self._runner.setup()
        await self._open()
        self.rail.base_url = self.url
        control = web.TCPSite(self._runner, HOST, self.control_port)
        await control.start()
        self.control_port = control.port
        self._agenda = asyncio.create_task(self.rail.agenda.run())

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{HOST}:{self.port}"

    async def stop(self) -> None:
        self._agenda.cancel()
        await self.rail.agenda.stop()
        if self._reopening:
            self._reopening.cancel()
        await self._runner.cleanup()
        self.rail.store.close()

    async def outage(self, seconds: float | None) -> None:
        """Closes the rail's port; kept connections are cut by the next request on them."""
        if self._reopening:
            self._reopening.cancel()
        if seconds == 0:
            return await self._open()
        if self._site is not None:
            await self._site.stop()
            self._site = None
        self.rail.is_listening = False
        if seconds is not None:
            loop = asyncio.get_running_loop()
            self._reopening = loop.call_later(seconds, lambda: loop.create_task(self._open()))
        return None

    async def _open(self) -> None:
        if self._site is None:
            self._site = web.TCPSite(self._runner, HOST, self.port, ssl_context=self.tls)
            await self._site.start()
            self.port = self._site.port
        self.rail.is_listening = True


class RunningServer:
    """`with RunningServer(rail) as server`: its address is `server.url`."""

    def __init__(self, rail: FakeRail, port: int = 0, tls: ssl.SSLContext | None = None) -> None:
        self.rail = rail
        self._server = Server(rail, port, tls=tls)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._server.start(), self._loop).result(60)
        self.url = self._server.url
        self.control = ControlClient(f"http://{HOST}:{self._server.control_port}")
        return self

    def __exit__(self, *_: object) -> None:
        asyncio.run_coroutine_threadsafe(self._server.stop(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


class ControlClient:
    """Speaks to `/_control/` of a fake in whatever process."""

    def __init__(self, url: str) -> None:
        self.url = url

    def call(self, method: str, path: str, body: Any = None) -> Any:
        with closing(http.client.HTTPConnection(urlsplit(self.url).netloc, timeout=60)) as line:
            line.request(method, f"/_control/{path}", json.dumps(body))
            answer = line.getresponse()
            content = json.loads(answer.read())
        if answer.status != 200:
            raise ValueError(f"{answer.status}: {content}")
        return content

    def set(self, **settings: Any) -> None:
        self.call("POST", "settings", settings)

    def fault(self, on: str, fault: str, **fields: Any) -> None:
        self.call("POST", "faults", {"on": on, "fault": fault} | fields)

    def state(self) -> Any:
        return self.call("GET", "state")

    def complaints(self) -> list[str]:
        return list(self.state()["complaints"])


def main(make: Callable[..., FakeRail]) -> None:
    """The command line. The addresses are printed as one line of JSON as soon as they are open."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--control-port", type=int, default=0)
    parser.add_argument("--state-file", type=Path)
    parser.add_argument("--set", action="append", default=[], metavar="NAME=JSON")
    given = parser.parse_args()
    settings = dict(_setting(pair) for pair in given.set)
    rail = make(given.state_file, **settings)
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(Server(rail, given.port, given.control_port)))


def _setting(pair: str) -> tuple[str, Any]:
    """A value that is no JSON is a string: --set environment=prod."""
    name, _, value = pair.partition("=")
    with suppress(ValueError):
        return name, json.loads(value)
    return name, value


async def _serve(server: Server) -> None:
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, ended.set)
    await server.start()
    urls = {name: f"http://{HOST}:{port}" for name, port in _ports(server)}
    print(json.dumps(urls), file=sys.stdout, flush=True)
    await ended.wait()
    await server.stop()


def _ports(server: Server) -> list[tuple[str, int]]:
    return [("rail", server.port), ("control", server.control_port)]
