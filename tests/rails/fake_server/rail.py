"""What each fake rail is made of, and how a request passes through it."""

import json
import traceback
from pathlib import Path
from typing import Any, ClassVar

from aiohttp import web

from tests.rails.fake_server import events
from tests.rails.fake_server.agenda import Agenda
from tests.rails.fake_server.clock import Clock
from tests.rails.fake_server.faults import Faults, Handler, cut
from tests.rails.fake_server.refusal import Refusal
from tests.rails.fake_server.settings import Settings
from tests.rails.fake_server.store import Document, Store

DEFAULTS: dict[str, Any] = {
    "clock_skew_seconds": 0,
    "unknown_fields": "complain",
    "search_lag_seconds": 0,
} | events.DEFAULTS
VARIANTS: dict[str, tuple[Any, ...]] = {"unknown_fields": ("complain", "refuse")} | events.VARIANTS


class FakeRail:
    """A rail names its settings, routes, inspected tables and error bodies; the rest is here."""

    name = "rail"
    defaults: ClassVar[dict[str, Any]] = {}
    variants: ClassVar[dict[str, tuple[Any, ...]]] = {}
    inspected: tuple[str, ...] = ()

    def __init__(self, state_file: Path | None = None, **settings: Any) -> None:
        self.store = Store(state_file)
        self.settings = Settings(
            self.store.table("setting"),
            DEFAULTS | self.defaults,
            VARIANTS | self.variants,
        )
        self.settings.update(settings)
        self.clock = Clock(self.settings)
        self.signer = events.Signer(self.settings)
        self.outbox = events.Outbox(self.store, self.settings, lambda: self.agenda)
        self.agenda = Agenda(self.store.table("agenda"), self._perform)
        self.faults = Faults(self.store.table("fault"), self.conflict_body)
        self.base_url = ""
        self.is_listening = True

    def routes(self) -> list[web.RouteDef]:
        raise NotImplementedError

    async def perform(self, action: str, subject: str) -> None:
        """What the agenda holds of the rail's own."""
        raise NotImplementedError

    def conflict_body(self, request: web.Request) -> Document:
        raise NotImplementedError

    def not_found_body(self) -> Document:
        raise NotImplementedError

    def publish_custom(self, event: str, data: Document) -> list[str]:
        """Signs and sends any event."""
        raise NotImplementedError

    def complain(self, text: str) -> None:
        self.store.table("complaint").append(text)

    def state(self) -> Document:
        """What `/_control/state` shows."""
        tables = {kind: self.store.table(kind).as_dict() for kind in self.inspected}
        return tables | {
            "settings": self.settings.as_dict(),
            "complaints": self.store.table("complaint").values(),
            "requests": self.store.table("request").as_dict(),
            "deliveries": self.store.table("delivery").values(),
            "faults": self.store.table("fault").values(),
        }

    def forget(self) -> None:
        """Everything except the settings."""
        self.agenda.clear()
        for kind, table in self.store.tables().items():
            if kind != "setting":
                table.clear()

    async def _perform(self, action: str, subject: str) -> None:
        try:
            if action == "deliver":
                await self.outbox.deliver(subject)
            else:
                await self.perform(action, subject)
        except Exception:
            self.complain(f"The fake itself failed: {traceback.format_exc()}")

    @web.middleware
    async def serve(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        """Outage, then faults, then the handler; refusals become the rail's bodies."""
        if request.path.startswith("/_control/"):
            return await self._answer(request, handler)
        if not self.is_listening:
            return cut(request)
        self.store.table("request").count(f"{request.method} {request.path}")
        response = await self.faults.serve(request, lambda it: self._answer(it, handler))
        if not response.prepared:
            response.headers["Date"] = self.clock.http_date()
        return response

    async def _answer(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        try:
            return await handler(request)
        except Refusal as refusal:
            if refusal.complaint:
                self.complain(f"{request.method} {request.path}: {refusal.complaint}")
            return web.json_response(refusal.body, status=refusal.status)
        except web.HTTPException as refused:
            if refused.status < 400:
                raise
            self.complain(f"{request.method} {request.path_qs}: {refused.status}")
            return web.json_response(self.not_found_body(), status=refused.status)
        except ConnectionError:
            return cut(request)  # the client was killed before it had sent everything
        except Exception:
            self.complain(f"The fake itself failed: {traceback.format_exc()}")
            return web.Response(status=500, text="The fake itself failed; see the complaints.")


async def read_json(request: web.Request) -> Any:
    """The body, or None where it is no JSON. NaN and doubled names are no JSON either."""
    try:
        return json.loads(await request.read(), object_pairs_hook=_once, parse_constant=_never)
    except ValueError:
        return None


def _once(pairs: list[tuple[str, Any]]) -> Document:
    names = [name for name, _ in pairs]
    if len(set(names)) != len(names):
        raise ValueError("doubled name")
    return dict(pairs)


def _never(constant: str) -> Any:
    raise ValueError(constant)
