"""batch.*: what becomes of a batch, for accounts that have enabled it."""

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.core import clock
from payments.payout_batches.models import PayoutBatch
from payments.payout_batches.services import steps
from payments.payout_batches.services.steps import Person
from tests.payout_batches import flow
from tests.payout_batches.test_api import line, send
from tests.support.fixtures import ApiClient
from webhooks.models import Event

pytestmark = pytest.mark.django_db
KINDS = ["batch.running", "batch.paused", "batch.done", "batch.cancelled", "batch.rejected"]
PAULA = Person(actor=flow.PREPARER, reason="salaries")


@pytest.fixture
def merchant_told(payer: Merchant) -> Merchant:
    payer.event_kinds = KINDS
    payer.save()
    return payer


def told() -> list[tuple[str, dict[str, Any]]]:
    bodies = [json.loads(bytes(event.body)) for event in Event.objects.order_by("id")]
    return [(body["event"], body["data"]) for body in bodies]


def sent(merchant: Merchant) -> PayoutBatch:
    batch = flow.check(merchant, flow.many(2))
    flow.submit(batch)
    return batch


def test_batch_of_the_api_runs_and_is_done(api: ApiClient, merchant_told: Merchant) -> None:
    data = send(api, line(1), line(2), name="Nómina").body["data"]
    flow.work()
    (first, running), (last, done) = told()
    assert (first, last) == ("batch.running", "batch.done")
    assert running["id"] == done["id"] == data["batchId"]
    assert (running["status"], running["lines"]) == ("RUNNING", {"WAITING": 2})
    assert (done["status"], sum(done["lines"].values())) == ("DONE", 2)
    assert (done["name"], done["amount"], done["feeAmount"]) == ("Nómina", 100000, 5000)
    assert running["finishedAt"] is None
    assert done["finishedAt"]


def test_file_is_told_from_its_approval(merchant_told: Merchant) -> None:
    batch = sent(merchant_told)
    assert told() == []
    flow.approve(batch)
    steps.pause(batch_id=batch.pk, person=PAULA, now=clock.now())
    steps.resume(batch_id=batch.pk, person=PAULA, now=clock.now())
    steps.cancel(batch_id=batch.pk, person=PAULA, now=clock.now())
    running, paused, _done, cancelled, _rejected = KINDS
    assert [kind for kind, _data in told()] == [running, paused, running, cancelled]
    assert told()[-1][1]["lines"] == {"CANCELLED": 2}


def test_rejected_file_is_told(merchant_told: Merchant, approver: User) -> None:
    batch = sent(merchant_told)
    steps.reject(batch_id=batch.pk, person=PAULA, now=clock.now())
    ((kind, data),) = told()
    assert (kind, data["status"], data["source"]) == ("batch.rejected", "REJECTED", "FILE")


def test_other_accounts_are_told_nothing(api: ApiClient, payer: Merchant) -> None:
    send(api, line(1))
    flow.work()
    assert told() == []
