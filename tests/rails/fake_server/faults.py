"""What goes wrong on the wire, by rule: which requests, how, how often.

A rule: `on` is "METHOD /path" with * and ? as in file names; `times` (1; null is for ever); `after`
lets that many matching requests pass first (0). The faults and their fields:

lose_answer    executes, then cuts the connection
lose_request   cuts the connection and executes nothing
error_500      JSON body; `executes` (false)
bad_gateway    502 with a page of HTML; `executes` (false)
too_many       429 with `retry_after` seconds (1); `executes` (false)
conflict       409 with the rail's own body; `executes` (false)
invalid_json   executes, then sends half of the body as if it were all
slow_drip      executes, then sends `bytes` (1) each `interval_seconds` (0.01)
delay          waits `seconds` (0.05), then executes and answers
"""

import asyncio
from collections.abc import Awaitable, Callable
from fnmatch import fnmatchcase
from typing import Any

from aiohttp import web

from tests.rails.fake_server.store import Document, Table

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]
Effect = Callable[[web.Request, Handler, Document], Awaitable[web.StreamResponse]]
HTML = (
    "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
)


class Faults:
    def __init__(self, table: Table, conflict_body: Callable[[web.Request], Document]) -> None:
        self._table = table
        self._effects: dict[str, Effect] = {
            "lose_answer": _lose_answer,
            "lose_request": _lose_request,
            "error_500": _error_500,
            "bad_gateway": _bad_gateway,
            "too_many": _too_many,
            "conflict": self._conflict,
            "invalid_json": _invalid_json,
            "slow_drip": _slow_drip,
            "delay": _delay,
        }
        self._conflict_body = conflict_body

    def add(self, rule: Document) -> None:
        if rule.get("fault") not in self._effects or not isinstance(rule.get("on"), str):
            raise ValueError(f"A rule has `on` and one `fault` of {sorted(self._effects)}: {rule}")
        self._table.append({"times": 1, "after": 0} | rule)

    def clear(self) -> None:
        self._table.clear()

    async def serve(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """The first rule that matches has its effect; without one the handler answers."""
        rule = self._claim(f"{request.method} {request.path}")
        if rule is None:
            return await handler(request)
        return await self._effects[rule["fault"]](request, handler, rule)

    def _claim(self, line: str) -> Document | None:
        for key, rule in self._table.as_dict().items():
            if not fnmatchcase(line, rule["on"]):
                continue
            if rule["after"] > 0:
                self._table.save(key, rule | {"after": rule["after"] - 1})
                continue
            self._count_down(key, rule)
            return dict(rule)
        return None

    def _count_down(self, key: str, rule: Document) -> None:
        if rule["times"] == 1:
            self._table.remove(key)
        elif rule["times"] is not None:
            self._table.save(key, rule | {"times": rule["times"] - 1})

    async def _conflict(
        self, request: web.Request, handler: Handler, rule: Document
    ) -> web.StreamResponse:
        await _execute_if_told(request, handler, rule)
        return web.json_response(self._conflict_body(request), status=409)


async def _execute_if_told(request: web.Request, handler: Handler, rule: Document) -> None:
    if rule.get("executes", False):
        await handler(request)


def cut(request: web.Request) -> web.StreamResponse:
    """The peer sees a reset; what is returned goes nowhere."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response(status=499)


async def _lose_answer(
    request: web.Request, handler: Handler, rule: Document
) -> web.StreamResponse:
    await handler(request)
    return cut(request)


async def _lose_request(
    request: web.Request, handler: Handler, rule: Document
) -> web.StreamResponse:
    return cut(request)


async def _error_500(request: web.Request, handler: Handler, rule: Document) -> web.StreamResponse:
    await _execute_if_told(request, handler, rule)
    return web.json_response({"error": {"type": "INTERNAL_ERROR", "reason": "…"}}, status=500)


async def _bad_gateway(
    request: web.Request, handler: Handler, rule: Document
) -> web.StreamResponse:
    await _execute_if_told(request, handler, rule)
    return web.Response(status=502, text=HTML, content_type="text/html")


async def _too_many(request: web.Request, handler: Handler, rule: Document) -> web.StreamResponse:
    await _execute_if_told(request, handler, rule)
    headers = {"Retry-After": str(rule.get("retry_after", 1))}
    return web.Response(status=429, text="Too Many Requests", headers=headers)


async def _invalid_json(
    request: web.Request, handler: Handler, rule: Document
) -> web.StreamResponse:
    status, content = await _answer_of(request, handler)
    half = content[: max(1, len(content) // 2)]
    return web.Response(status=status, body=half, content_type="application/json")


async def _slow_drip(request: web.Request, handler: Handler, rule: Document) -> web.StreamResponse:
    status, content = await _answer_of(request, handler)
    answer = web.StreamResponse(status=status, headers={"Content-Type": "application/json"})
    answer.content_length = len(content)
    await answer.prepare(request)
    size = int(rule.get("bytes", 1))
    for position in range(0, len(content), size):
        await answer.write(content[position : position + size])
        await asyncio.sleep(float(rule.get("interval_seconds", 0.01)))
    return answer


async def _delay(request: web.Request, handler: Handler, rule: Document) -> web.StreamResponse:
    await asyncio.sleep(float(rule.get("seconds", 0.05)))
    return await handler(request)


async def _answer_of(request: web.Request, handler: Handler) -> tuple[int, bytes]:
    answer = await handler(request)
    body: Any = getattr(answer, "body", b"")
    return answer.status, bytes(body or b"")
