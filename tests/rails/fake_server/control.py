"""The endpoints with which a test settles and inspects a running fake. Not part of any rail."""

from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

from tests.rails.fake_server.rail import FakeRail, read_json
from tests.rails.fake_server.settings import UnknownSetting

# Stops listening for so many seconds; None until it is called with 0.
Outage = Callable[[float | None], Awaitable[None]]


class Control:
    def __init__(self, rail: FakeRail, outage: Outage) -> None:
        self._rail = rail
        self._outage = outage

    def routes(self) -> list[web.RouteDef]:
        return [
            web.get("/_control/state", self.state),
            web.post("/_control/settings", self.settings),
            web.post("/_control/faults", self.add_fault),
            web.delete("/_control/faults", self.clear_faults),
            web.post("/_control/outage", self.outage),
            web.post("/_control/events", self.send_event),
            web.delete("/_control/complaints", self.clear_complaints),
            web.post("/_control/reset", self.reset),
        ]

    async def state(self, request: web.Request) -> web.Response:
        return web.json_response(self._rail.state())

    async def settings(self, request: web.Request) -> web.Response:
        try:
            self._rail.settings.update(await _read(request))
        except UnknownSetting as error:
            return wrong(str(error.args[0]))
        return web.json_response(self._rail.settings.as_dict())

    async def add_fault(self, request: web.Request) -> web.Response:
        try:
            self._rail.faults.add(await _read(request))
        except ValueError as error:
            return wrong(str(error))
        return done()

    async def clear_faults(self, request: web.Request) -> web.Response:
        self._rail.faults.clear()
        return done()

    async def outage(self, request: web.Request) -> web.Response:
        seconds = (await _read(request)).get("seconds")
        await self._outage(None if seconds is None else float(seconds))
        return done()

    async def send_event(self, request: web.Request) -> web.Response:
        body = await _read(request)
        return web.json_response(self._rail.publish_custom(body["event"], body["data"]))

    async def clear_complaints(self, request: web.Request) -> web.Response:
        self._rail.store.table("complaint").clear()
        return done()

    async def reset(self, request: web.Request) -> web.Response:
        self._rail.forget()
        return done()


async def _read(request: web.Request) -> dict[str, Any]:
    body = await read_json(request)
    return body if isinstance(body, dict) else {}


def done() -> web.Response:
    return web.json_response({})


def wrong(message: str) -> web.Response:
    return web.json_response({"wrong": message}, status=400)
