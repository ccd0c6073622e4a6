"""Reads a rail's message, for the callback routes of all products, and answers it."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Generic, Protocol, TypeVar, cast

import structlog
from django.http import HttpRequest, HttpResponse

from payments.api.callbacks import InvalidSignature, acknowledged, read_body
from payments.core.errors import NotFound
from payments.providers import ports, registry
from payments.rails.services import health, wire_references

log = structlog.get_logger(__name__)
M = TypeVar("M")
Message = TypeVar("Message", covariant=True)


class ReadsCallbacks(Protocol[Message]):
    def read_callback(self, callback: ports.Callback, now: datetime) -> Message: ...


_NO_TEXT = "\x00"
_NAMES = ("reference", "charge_reference", "provider_id")


@dataclass(frozen=True, slots=True)
class Received(Generic[M]):
    """A genuine message, with our own references, to the rail or account `code`."""

    code: str
    message: M
    answer: ports.CallbackAnswer

    def accept(self, reference: str, status: str) -> HttpResponse:
        if self.answer.body is None:
            return acknowledged(reference, status, self.answer.status)
        return HttpResponse(self.answer.body, self.answer.content_type, self.answer.status)

    def leave_unused(self, why: str, reference: str = "") -> HttpResponse:
        """Accepted, so that the rail does not repeat the message. Nothing was changed."""
        health.count_callback(self.code, health.UNUSED)
        log.warning("callback.unused", provider=self.code, why=why, reference=reference[:100])
        return self.accept(reference, "IGNORED")


def receive(
    adapters: registry.Adapters[ReadsCallbacks[M]], request: HttpRequest, code: str, now: datetime
) -> Received[M]:
    """Raises NotFound (404) and InvalidSignature (401)."""
    try:
        rail, adapter = adapters.serving(code)
        message = adapter.read_callback(_callback_of(request), now)
    except registry.UnknownProvider as error:
        raise NotFound("There is no such provider account.") from error
    except (ports.InvalidCallback, ports.UnusableAmount) as error:
        health.count_callback(code, health.REFUSED)
        log.warning("callback.refused", provider=code, error=str(error))
        raise InvalidSignature from error
    return Received(code, _with_our_reference(code, message), rail.callback_answer)


def _callback_of(request: HttpRequest) -> ports.Callback:
    query = request.META.get("QUERY_STRING", "")
    return ports.Callback(request.headers, read_body(request), query, request.path)


def _with_our_reference(account: str, message: M) -> M:
    """The rail may have another reference than ours for the payment (wire_references.py)."""
    if isinstance(message, ports.Ignored):
        return message
    if any(_NO_TEXT in getattr(message, name, "") for name in _NAMES):
        # PostgreSQL cannot even search for it.
        return cast(M, ports.Ignored(kind="a reference that is no text"))
    name = "charge_reference" if isinstance(message, ports.DisputeUpdate) else "reference"
    ours = wire_references.find_ours(account, getattr(message, name))
    return cast(M, replace(cast(Any, message), **{name: ours})) if ours else message
