"""POST /sandbox/refund/{id}, /sandbox/collect/{id}/dispute and /sandbox/dispute/{id}: every event
after a payment without an operator (docs/gaps.md, Sandbox).
"""

from typing import Any

import pytest

from merchants.models import Merchant
from payments.core.ids import new_id
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from tests.support.factories import order_body
from tests.support.fixtures import ApiClient
from tests.support.refunds import DOCUMENTS
from webhooks import catalogue
from webhooks.catalogue import Sent
from webhooks.models import Event


@pytest.fixture
def paid(api: ApiClient, merchant: Merchant) -> str:
    """The id of a paid order of a merchant who hears of everything."""
    merchant.event_kinds = catalogue.kinds(Sent.IF_ENABLED)
    merchant.save()
    api.post("/sandbox/balance", {"currency": "COPM", "amount": 100_000})
    order_id = api.post("/collect", order_body()).body["data"]["id"]
    done = api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
    assert done.body["data"]["status"] == "COMPLETED"
    return order_id


def refund_of(api: ApiClient, order_id: str, **body: Any) -> str:
    asked = api.post(
        f"/collect/{order_id}/refunds",
        {"reason": "Devuelto", **body},
        headers={"Idempotency-Key": new_id("key")},
    )
    assert asked.status_code == 201, asked.content
    return asked.body["data"]["id"]


def answer(api: ApiClient, refund_id: str, status: str) -> Any:
    return api.post(f"/sandbox/refund/{refund_id}", {"status": status})


def told(after: str = "payment.completed") -> list[str]:
    """The kinds of events since the payment, oldest first."""
    kinds = list(Event.objects.order_by("place__id").values_list("kind", flat=True))
    return kinds[kinds.index(after) + 1 :]


def test_developer_approves_a_refund_and_it_reaches_its_end(api: ApiClient, paid: str) -> None:
    refund_id = refund_of(api, paid, amount=20_000)
    done = answer(api, refund_id, "COMPLETED")

    assert done.status_code == 200
    assert done.body["data"]["status"] == "COMPLETED"
    assert api.get(f"/collect/{paid}/refunds/{refund_id}").body == done.body
    assert sorted(set(told()) - {"payment.confirmed"}) == [
        "payment.partially_refunded",
        "refund.approved",
        "refund.completed",
        "refund.requested",
    ]
    assert ledger.verify().problems == []


def test_approved_refund_goes_to_its_rail_without_another_call(api: ApiClient, paid: str) -> None:
    refund_id = refund_of(api, paid)
    approved = answer(api, refund_id, "APPROVED").body["data"]

    assert approved["approvedAt"]
    assert approved["status"] == "PENDING"
    assert AuditEntry.objects.get(action="refund.approved").actor == "sandbox"


def test_a_rejected_refund_gives_the_money_back(api: ApiClient, paid: str) -> None:
    before = api.get("/balance").body["data"]
    refund_id = refund_of(api, paid)
    assert api.get("/balance").body["data"] != before
    assert answer(api, refund_id, "REJECTED").body["data"]["status"] == "FAILED"
    assert api.get("/balance").body["data"] == before
    assert told()[-1] == "refund.rejected"


@pytest.mark.parametrize("at_once", [True, False])
def test_a_refund_comes_back(api: ApiClient, paid: str, at_once: bool) -> None:
    refund_id = refund_of(api, paid)
    if not at_once:
        answer(api, refund_id, "COMPLETED")
        assert api.get(f"/collect/{paid}").body["data"]["refundedAmount"] == 50_025
    done = answer(api, refund_id, "REFUNDED")

    assert done.body["data"]["status"] == "REFUNDED"
    assert api.get(f"/collect/{paid}").body["data"]["refundedAmount"] == 0
    assert ledger.verify().problems == []


def test_a_refund_fails_where_its_rail_does_not_complete_it_at_once(
    api: ApiClient, merchant: Merchant, paid: str
) -> None:
    refund_id = refund_of(api, paid)
    refused = answer(api, refund_id, "FAILED")
    assert refused.status_code == 400
    assert "magic document" in refused.body["error"]["message"]
    waiting = api.get(f"/collect/{paid}/refunds/{refund_id}").body["data"]
    assert (waiting["status"], waiting["approvedAt"]) == ("PENDING", None)

    slow = order_body(reference="slow", customerDocNumber=DOCUMENTS["pending"])
    order_id = api.post("/collect", slow).body["data"]["id"]
    api.post(f"/sandbox/collect/{order_id}", {"status": "COMPLETED"})
    failed = answer(api, refund_of(api, order_id), "FAILED")
    assert failed.status_code == 200, failed.body
    assert failed.body["data"]["status"] == "FAILED"
    assert ledger.verify().problems == []


@pytest.mark.parametrize("second", ["APPROVED", "REJECTED", "COMPLETED", "FAILED"])
def test_a_move_that_is_not_allowed_changes_nothing(api: ApiClient, paid: str, second: str) -> None:
    refund_id = refund_of(api, paid)
    first = answer(api, refund_id, "COMPLETED").body
    refused = answer(api, refund_id, second)

    assert (refused.status_code, refused.body["error"]["code"]) == (400, "NOT_ALLOWED")
    assert api.get(f"/collect/{paid}/refunds/{refund_id}").body == first


@pytest.mark.parametrize("outcome", ["WON", "LOST"])
@pytest.mark.parametrize("kind", ["DISPUTE", "CHARGEBACK"])
def test_a_payment_is_contested(api: ApiClient, paid: str, kind: str, outcome: str) -> None:
    opened = api.post(f"/sandbox/collect/{paid}/dispute", {"kind": kind, "amount": 30_000})

    assert opened.status_code == 201
    dispute = opened.body["data"]
    assert (dispute["orderId"], dispute["kind"], dispute["status"]) == (paid, kind, "OPEN")
    assert (dispute["disputedAmount"], bool(dispute["evidenceDueAt"])) == (30_000, True)
    done = api.post(f"/sandbox/dispute/{dispute['disputeId']}", {"status": outcome})
    assert done.body["data"] == {**dispute, "status": outcome}
    claimed = "payment.chargeback" if kind == "CHARGEBACK" else "payment.disputed"
    lost = ["payment.chargeback"] if (kind, outcome) == ("DISPUTE", "LOST") else []
    assert [each for each in told() if each != "payment.confirmed"] == [claimed, *lost]
    assert ledger.verify().problems == []

    again = api.post(f"/sandbox/dispute/{dispute['disputeId']}", {"status": "WON"})
    assert (again.status_code, again.body["error"]["code"]) == (400, "NOT_ALLOWED")


def test_without_an_amount_all_of_it_is_contested_once(api: ApiClient, paid: str) -> None:
    path = f"/sandbox/collect/{paid}/dispute"

    assert api.post(path, {}).body["data"]["disputedAmount"] == 50_025
    assert api.post(path, {}).status_code == 400


def test_what_is_unpaid_cannot_be_contested(api: ApiClient) -> None:
    order_id = api.post("/collect", order_body()).body["data"]["id"]
    refused = api.post(f"/sandbox/collect/{order_id}/dispute", {"kind": "CHARGEBACK"})

    assert refused.status_code == 400


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("refund/{refund}", {"status": "approved"}),
        ("refund/{refund}", {}),
        ("collect/{order}/dispute", {"kind": "QUESTION"}),
        ("collect/{order}/dispute", {"amount": 0.001}),
        ("collect/{order}/dispute", {"amount": -1}),
        ("dispute/{dispute}", {"status": "OPEN"}),
    ],
)
def test_bad_input_is_refused(api: ApiClient, paid: str, path: str, body: Any) -> None:
    ids = {"order": paid, "refund": refund_of(api, paid, amount=1000)}
    opened = api.post(f"/sandbox/collect/{paid}/dispute", {"amount": 1000})
    ids["dispute"] = opened.body["data"]["disputeId"]
    refused = api.post(f"/sandbox/{path.format(**ids)}", body)

    assert (refused.status_code, refused.body["error"]["code"]) == (400, "VALIDATION_ERROR")


def test_a_stranger_sees_what_an_absent_id_shows(
    api: ApiClient, stranger_api: ApiClient, paid: str
) -> None:
    refund_id = refund_of(api, paid, amount=1000)
    dispute = api.post(f"/sandbox/collect/{paid}/dispute", {"amount": 1000}).body["data"]
    for path, absent, body in (
        (f"refund/{refund_id}", f"refund/{new_id('ref')}", {"status": "APPROVED"}),
        (f"collect/{paid}/dispute", f"collect/{new_id('col')}/dispute", {}),
        (f"dispute/{dispute['disputeId']}", f"dispute/{new_id('dis')}", {"status": "WON"}),
    ):
        theirs = stranger_api.post(f"/sandbox/{path}", body)
        assert theirs.status_code == 404
        assert theirs.content == stranger_api.post(f"/sandbox/{absent}", body).content
