"""POST /payout/batches and what is read of a batch."""

from datetime import datetime
from typing import Any

import pytest
from django.db import DatabaseError

from merchants.models import Merchant
from payments.api.idempotency import fingerprint
from payments.core import clock, jsontext
from payments.payout import tasks
from payments.payout.models import Payout
from payments.payout_batches.models import BatchLine, PayoutBatch
from payments.payout_batches.services import open_batches, queue
from tests.payout_batches import flow
from tests.support.factories import issue_key
from tests.support.fixtures import ApiClient
from tests.support.funds import fund
from webhooks.models import Event

pytestmark = pytest.mark.django_db


def line(number: int = 1, **changes: Any) -> dict[str, Any]:
    return {
        "reference": f"N-{number}",
        "amount": 50_000,
        "recipientName": "Ana Pérez",
        "recipientDocType": "CC",
        "recipientDocNumber": str(52_000_000 + number),
        "bankCanonicalId": "bancolombia",
        "accountType": "SAVINGS",
        "accountNumber": str(10_020_000_000 + number),
        **changes,
    }


def send(api: ApiClient, *lines: dict[str, Any], key: str = "k-1", **more: Any) -> Any:
    body = {"lines": list(lines), **more}
    return api.post("/payout/batches", body, headers={"Idempotency-Key": key})


def test_batch_becomes_payouts_once_for_each_key(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 1_000_000)
    first = send(api, line(1), line(2), name="Nómina")
    again = send(api, line(1), line(2), name="Nómina")
    assert (first.status_code, again.status_code) == (201, 201), first.content
    assert again.headers["Idempotent-Replayed"] == "true"
    assert first.body["data"]["batchId"] == again.body["data"]["batchId"]
    assert first.body["data"]["lines"] == {"WAITING": 2}
    flow.work()
    assert Payout.objects.count() == 2
    batch = api.get(f"/payout/batches/{first.body['data']['batchId']}").body["data"]
    assert (batch["status"], batch["amount"], batch["feeAmount"]) == ("DONE", 100000, 5000)
    assert sum(batch["lines"].values()) == 2
    lines = api.get(f"/payout/batches/{batch['batchId']}/lines").body["data"]
    assert [one["number"] for one in lines] == [1, 2]
    payout = Payout.objects.get(pk=lines[0]["payoutId"])
    assert (payout.reference, lines[0]["reference"]) == ("N-1", "N-1")
    assert payout.requested_by == api.key.pk


def test_metadata_of_a_line_is_that_of_its_payout(api: ApiClient, merchant: Merchant) -> None:
    fund(merchant, 1_000_000)
    merchant.event_kinds = ["payout.processing"]
    merchant.save()
    metadata = {"z": 1, "empleado": {"cédula": [1, None, "☕"]}}
    made = send(api, line(1, metadata=metadata), line(2)).body["data"]
    flow.work()
    tasks.process_due()

    lines = api.get(f"/payout/batches/{made['batchId']}/lines").body["data"]
    assert [one["metadata"] for one in lines] == [metadata, {}]
    payouts = [api.get(f"/payout/{one['payoutId']}").body["data"] for one in lines]
    assert [payout["metadata"] for payout in payouts] == [metadata, {}]
    events = Event.objects.filter(kind="payout.processing", subject_id=lines[0]["payoutId"])
    assert jsontext.loads(bytes(events.get().body))["data"]["metadata"] == metadata


def test_metadata_counts_for_the_key_and_none_is_as_before(api: ApiClient) -> None:
    first = send(api, line(1, metadata={"a": 1}))
    assert send(api, line(1, metadata={"a": 1})).body == first.body
    for changed in (line(1), line(1, metadata={"a": 2})):
        other = send(api, changed)
        assert (other.status_code, other.body["error"]["code"]) == (400, "IDEMPOTENCY_KEY_REUSED")
    plain = send(api, line(1), key="k-2")
    assert send(api, line(1, metadata={}), key="k-2").body == plain.body


def test_a_batch_of_an_earlier_release_is_replayed(api: ApiClient) -> None:
    """Its fingerprint was made of twelve texts a line."""
    made = send(api, line(1)).body["data"]["batchId"]
    texts = ["N-1", "50000", "Ana Pérez", "CC", "52000001", "BANK", "bancolombia"]
    texts += ["SAVINGS", "10020000001", "", "", ""]
    before = fingerprint({"name": "", "currency": "COPM", "lines": [texts]})
    assert bytes(PayoutBatch.objects.get(pk=made).fingerprint) == before


@pytest.mark.parametrize("metadata", [[], "x", 7, None, {"a": "x" * 1024}])
def test_metadata_that_is_no_small_object_is_refused(api: ApiClient, metadata: object) -> None:
    answer = send(api, line(1, metadata=metadata))
    assert (answer.status_code, answer.body["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert answer.body["error"]["details"]["field"] == "lines.0.metadata"


def test_metadata_of_a_line_never_changes(api: ApiClient) -> None:
    send(api, line(1))
    with pytest.raises(DatabaseError, match="Cannot update"):
        BatchLine.objects.update(metadata='{"a":1}')


def test_key_with_another_body_is_refused(api: ApiClient) -> None:
    assert send(api, line(1)).status_code == 201
    other = send(api, line(2))
    assert (other.status_code, other.body["error"]["code"]) == (400, "IDEMPOTENCY_KEY_REUSED")
    missing = api.post("/payout/batches", {"lines": [line(1)]})
    assert missing.body["error"]["code"] == "IDEMPOTENCY_KEY_REQUIRED"


def test_one_wrong_line_refuses_all_and_burns_no_key(api: ApiClient) -> None:
    refused = send(
        api,
        line(1),
        line(2, amount="x", accountNumber="1"),
        line(3, bankCanonicalId="luna"),
        line(4, reference="N-1"),
    )
    assert (refused.status_code, refused.body["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert "lines.1.amount" in refused.body["error"]["details"]["fields"]
    assert not PayoutBatch.objects.exists()
    named = send(api, line(1), line(2, bankCanonicalId="luna"), line(3, reference="N-1"))
    assert named.body["error"]["details"]["fields"].keys() == {
        "lines.1.bankCanonicalId",
        "lines.2.reference",
    }
    assert send(api, line(1)).status_code == 201


@pytest.mark.parametrize("lines", [None, [], {}, "x", [1], [None], [{}]])
def test_lines_of_another_form_are_refused(api: ApiClient, lines: Any) -> None:
    answer = api.post("/payout/batches", {"lines": lines}, headers={"Idempotency-Key": "k"})
    assert (answer.status_code, answer.body["error"]["code"]) == (400, "VALIDATION_ERROR")


def test_amount_above_the_cap_and_too_many_lines_are_refused(api: ApiClient) -> None:
    above = send(api, line(1, amount=60_000_000))
    assert above.body["error"]["details"]["field"] == "lines.0.amount"
    many = send(api, *[{}] * 10_001)
    assert many.body["error"]["details"]["field"] == "lines"


def test_lines_above_the_balance_wait_and_the_batch_says_so(api: ApiClient) -> None:
    made = send(api, line(1)).body["data"]
    flow.work()
    batch = api.get(f"/payout/batches/{made['batchId']}").body["data"]
    assert (batch["status"], batch["waitsFor"]) == ("RUNNING", "INSUFFICIENT_BALANCE")


def test_files_to_check_of_one_merchant_do_not_keep_the_payouts_of_another_waiting(
    api: ApiClient, merchant: Merchant, stranger: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    fund(merchant, 1_000_000)
    for number in range(4):
        flow.upload(stranger, flow.many(1), f"{number}.csv")
    send(api, line(1))
    turns: list[str] = []
    process = queue.process

    def noted(*, batch: PayoutBatch, now: datetime) -> None:
        turns.append(batch.status)
        process(batch=batch, now=now)

    monkeypatch.setattr(queue, "process", noted)
    flow.work()
    assert "RUNNING" in turns[:2]
    assert turns.count("CHECKING") == 4
    assert Payout.objects.count() == 1


def test_batches_that_wait_have_a_limit_so_that_they_do_not_delay_those_of_others(
    api: ApiClient, merchant: Merchant, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_batches, "RUNNING_MAX", 2)
    first = send(api, line(1), key="k-1")
    assert send(api, line(2), key="k-2").status_code == 201
    flow.work()
    refused = send(api, line(3), key="k-3")
    assert (refused.status_code, refused.body["error"]["code"]) == (429, "RATE_LIMIT_EXCEEDED")
    assert refused.headers["Retry-After"] == "20"
    assert PayoutBatch.objects.count() == 2
    again = send(api, line(1), key="k-1")
    assert again.body["data"]["batchId"] == first.body["data"]["batchId"]
    fund(merchant, 1_000_000)
    PayoutBatch.objects.update(due_at=clock.now())
    flow.work()
    assert send(api, line(3), key="k-3").status_code == 201


def test_key_without_the_permission_creates_nothing(merchant: Merchant, api: ApiClient) -> None:
    key, secret = issue_key(merchant, ())
    api.headers = {"X-Api-Key": key.public_key, "X-Api-Secret": secret}
    assert send(api, line(1)).status_code == 403
    assert api.get("/payout/batches").status_code == 200


def test_batches_of_others_are_absent(api: ApiClient, stranger: Merchant) -> None:
    theirs = flow.check(stranger, flow.many(1))
    for path in (f"/payout/batches/{theirs.pk}", f"/payout/batches/{theirs.pk}/lines"):
        absent = path.replace(theirs.pk, "pob_00000000000000000000000000")
        assert api.get(path).status_code == 404
        assert api.get(path).body["error"] == api.get(absent).body["error"]
    assert api.get("/payout/batches").body["data"] == []


def test_files_of_the_console_are_listed_too(api: ApiClient, merchant: Merchant) -> None:
    batch = flow.check(merchant, flow.csv(flow.row(1), flow.row(2, amount="x")))
    found = api.get("/payout/batches?status=CHECKED").body["data"]
    assert [(one["batchId"], one["source"]) for one in found] == [(batch.pk, "FILE")]
    lines = api.get(f"/payout/batches/{batch.pk}/lines?status=WRONG").body["data"]
    assert [(one["number"], one["status"]) for one in lines] == [(3, "WRONG")]
    assert "“x”" in lines[0]["reason"]


def test_ten_thousand_lines_fit_in_one_request(api: ApiClient) -> None:
    made = send(api, *(line(number) for number in range(1, 10_001)))
    assert made.status_code == 201, made.content[:300]
    assert made.body["data"]["lineCount"] == 10_000
