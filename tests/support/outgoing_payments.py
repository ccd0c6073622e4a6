"""How tests of all outgoing products talk: refusals, decisions of operators, what a rail says."""

from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse
from django.test import Client

from payments.core import clock
from payments.outgoing import resolutions
from payments.outgoing.engine import Engine
from payments.outgoing.models import OutgoingPayment
from payments.providers.ports import OutgoingState, OutgoingUpdate
from payments.simulator.magic import OutgoingProduct


def advance(engine: Engine[Any], minutes: float = 10, step_seconds: int = 5) -> datetime:
    """Lets the engine work through the next minutes; returns when they began."""
    start = clock.now()
    for seconds in range(0, int(minutes * 60) + 1, step_seconds):
        engine.process_due(now=start + timedelta(seconds=seconds))
    return start


def say(engine: Engine[Any], payment: OutgoingPayment, state: str, **changes: Any) -> None:
    """The rail says what became of it."""
    update = OutgoingUpdate(
        reference=payment.provider_reference,
        provider_id="sim_1",
        state=OutgoingState(state),
        occurred_at=clock.now(),
        **changes,
    )
    engine.apply_update(provider=payment.provider, update=update, now=clock.now())
    payment.refresh_from_db()


def resolve(
    engine: Engine[Any],
    payment: OutgoingPayment,
    outcome: str,
    *,
    actor: str = "ana",
    proof: str = "statement 7",
    reason: str = "seen there",
    now: datetime | None = None,
) -> None:
    """An operator ends it by hand."""
    resolutions.resolve(
        engine=engine,
        payment=payment,
        outcome=outcome,
        decision=resolutions.Decision(actor=actor, proof=proof, reason=reason),
        now=now or clock.now(),
    )


def call_back(
    product: OutgoingProduct, body: bytes, headers: dict[str, str], provider: str = "simulator"
) -> int:
    """The HTTP status of the response to this callback of the product."""
    response = Client(raise_request_exception=False).post(
        f"/callbacks/{product}/{provider}", body, content_type="application/json", headers=headers
    )
    assert response.headers["Content-Type"] == "application/json"
    return response.status_code


def refusal(response: HttpResponse) -> tuple[int, str]:
    """Status and code."""
    assert response.body["success"] is False, response.content
    return response.status_code, response.body["error"]["code"]
