"""How the tests of payouts talk: send one, let the engine work, let the rail say something."""

import itertools
from datetime import datetime, timedelta
from typing import Any

from django.http import HttpResponse

from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers.ports import OutgoingState, OutgoingUpdate
from tests.factories import payout_body
from tests.fixtures import ApiClient

NOW = clock.now
_keys = itertools.count(1)


def send(api: ApiClient, body: Any = None, key: str | None = None) -> HttpResponse:
    headers = {"Idempotency-Key": key or f"key-{next(_keys)}"}
    return api.post("/payout", body or payout_body(), headers=headers)


def read(api: ApiClient, payout_id: str) -> dict[str, Any]:
    return api.get(f"/payout/{payout_id}").body["data"]


def create(api: ApiClient, document: str = "79123456", **changes: Any) -> Payout:
    response = send(api, payout_body(recipientDocNumber=document, **changes))
    assert response.status_code == 201, response.content
    return Payout.objects.get(pk=response.body["data"]["payoutId"])


def advance(minutes: float = 10, step_seconds: int = 5) -> datetime:
    """Lets the engine work through the next minutes."""
    start = NOW()
    for seconds in range(0, int(minutes * 60) + 1, step_seconds):
        engine.act_due(now=start + timedelta(seconds=seconds))
    return start


def say(payout: Payout, state: str, **changes: Any) -> None:
    update = OutgoingUpdate(
        reference=payout.provider_reference,
        provider_id="simpo_1",
        state=OutgoingState(state),
        occurred_at=NOW(),
        **changes,
    )
    engine.apply_update(provider=payout.provider, update=update, now=NOW())
    payout.refresh_from_db()
