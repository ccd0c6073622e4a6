"""How the tests of payouts talk: send one, let the engine work, let the rail say something."""

import itertools
from functools import partial
from typing import Any

from django.http import HttpResponse

from payments.core import clock
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from tests.support import outgoing_payments
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient

NOW = clock.now
_keys = itertools.count(1)
advance = partial(outgoing_payments.advance, engine)
say = partial(outgoing_payments.say, engine)
resolve_by_hand = partial(outgoing_payments.resolve, engine)


def send(api: ApiClient, body: Any = None, key: str | None = None) -> HttpResponse:
    headers = {"Idempotency-Key": key or f"key-{next(_keys)}"}
    return api.post("/payout", body or payout_body(), headers=headers)


def read(api: ApiClient, payout_id: str) -> dict[str, Any]:
    return api.get(f"/payout/{payout_id}").body["data"]


def create(api: ApiClient, document: str = "79123456", **changes: Any) -> Payout:
    response = send(api, payout_body(recipientDocNumber=document, **changes))
    assert response.status_code == 201, response.content
    return Payout.objects.get(pk=response.body["data"]["payoutId"])
