"""The fake of Wompi's payouts: statuses, queries, events, restart."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.rails.event_receiver import EventReceiver
from tests.rails.fake_server.events import checksum_of
from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import call, wait_until
from tests.rails.wompi_payouts.rail import WompiPayoutsRail
from tests.rails.wompi_payouts_client import EVENTS_SECRET, WompiPayoutsClient


@pytest.fixture
def receiver() -> Iterator[EventReceiver]:
    with EventReceiver() as receiver:
        yield receiver


@pytest.fixture
def client(receiver: EventReceiver) -> Iterator[WompiPayoutsClient]:
    rail = WompiPayoutsRail(
        settle_seconds=0.02, events_url=receiver.url, event_retry_seconds=[0.02, 0.02, 0.02]
    )
    with RunningServer(rail) as server:
        yield WompiPayoutsClient(server.url, server.control.url, rail.company)


def test_payment_is_pending_then_processing_then_approved(client: WompiPayoutsClient) -> None:
    client.control.set(settle_seconds=1)
    line = client.bank_line()
    number = client.create(line)
    seen = [client.lines(number)[0]["status"]]

    def is_final() -> bool:
        status = client.lines(number)[0]["status"]
        if status != seen[-1]:
            seen.append(status)
        return bool(status == "APPROVED")

    wait_until(is_final)
    assert seen == ["PENDING", "PROCESSING", "APPROVED"]
    found = client.lines(number)[0]
    assert found["amountInCents"] == 12500000
    assert found["reference"] == line["reference"]
    assert found["failureReason"] is None
    assert found["appliedAt"].endswith("Z")
    assert set(found["fee"]) == {
        "feeInCents",
        "vatPercentage",
        "gmfInCents",
        "vatInCents",
        "totalInCents",
    }
    assert client.wait_for(number, "TOTAL_PAYMENT")["totalTransactions"] == 1


def test_sandbox_status_fails_a_payment_and_gives_the_money_back(
    client: WompiPayoutsClient,
) -> None:
    before = client.get("/v1/accounts")[0]["balanceInCents"]
    number = client.create(client.bank_line(transactionStatus="FAILED"))
    client.wait_for(number, "REJECTED")
    found = client.lines(number)[0]
    assert found["status"] == "FAILED"
    assert found["failureReason"] == "La cuenta no existe o está inactiva"
    assert client.get("/v1/accounts")[0]["balanceInCents"] == before


def test_batch_of_which_a_part_is_paid_says_so(client: WompiPayoutsClient) -> None:
    failed = client.bank_line(transactionStatus="FAILED")
    client.wait_for(client.create(client.bank_line(), failed), "PARTIAL_PAYMENT")
    client.control.set(failed_batch_status="PARTIAL_PAYMENT", outcome="FAILED")
    client.wait_for(client.create(), "PARTIAL_PAYMENT")


def test_fee_comes_with_vat_and_gmf(client: WompiPayoutsClient) -> None:
    client.control.set(fee_in_cents=100000)
    before = client.get("/v1/accounts")[0]["balanceInCents"]
    fee = client.lines(client.create())[0]["fee"]
    assert (fee["feeInCents"], fee["vatInCents"], fee["gmfInCents"]) == (100000, 19000, 50000)
    after = client.get("/v1/accounts")[0]["balanceInCents"]
    assert before - after == 12500000 + fee["totalInCents"] == 12500000 + 169000


def test_approval_by_hand_holds_a_batch(client: WompiPayoutsClient) -> None:
    client.control.set(approval=True)
    approved, refused = client.create(), client.create()
    assert client.get(f"/v1/payouts/{approved}")["status"] == "PENDING_APPROVAL"
    client.control.call("POST", f"payouts/{approved}", {"status": "APPROVE"})
    client.wait_for(approved, "TOTAL_PAYMENT")
    client.control.call("POST", f"payouts/{refused}", {"status": "NOT_APPROVED"})
    client.wait_for(refused, "NOT_APPROVED")
    assert client.lines(refused)[0]["status"] == "CANCELLED"


def test_control_settles_a_payment_in_any_status(client: WompiPayoutsClient) -> None:
    client.control.set(settle_seconds=None)
    line = client.bank_line()
    number = client.create(line)
    for status in ("READY_TO_FILE", "ADDED_TO_FILE", "REJECTED", "APPROVED"):
        client.control.call("POST", f"transactions/{line['reference']}", {"status": status})
        expected = "REJECTED" if status == "APPROVED" else status
        assert client.lines(number)[0]["status"] == expected
    with pytest.raises(ValueError, match="no such status"):
        client.control.call("POST", f"transactions/{line['reference']}", {"status": "PAID"})


def test_return_after_completion_shows_in_balance_and_report_only(
    client: WompiPayoutsClient, receiver: EventReceiver
) -> None:
    line = client.bank_line()
    before = client.get("/v1/accounts")[0]["balanceInCents"]
    number = client.create(line)
    client.wait_for(number, "TOTAL_PAYMENT")
    wait_until(lambda: len(receiver.bodies) == 2)
    client.control.call("POST", f"transactions/{line['reference']}/return")
    assert client.get("/v1/accounts")[0]["balanceInCents"] == before
    assert client.lines(number)[0]["status"] == "APPROVED"
    assert client.get("/v1/reports/payouts?periodicity=DAILY")[0]["returned"] is True
    assert len(client.control.state()["deliveries"]) == 2


def test_payment_is_found_by_our_reference(client: WompiPayoutsClient) -> None:
    line = client.bank_line()
    number = client.create(line)
    client.wait_for(number, "TOTAL_PAYMENT")
    path = f"/v1/transactions/{line['reference']}"
    page = client.get(path)
    assert (page["page"], page["total"], page["pages"]) == (1, 1, 1)
    assert page["records"][0]["id"] == client.lines(number)[0]["id"]
    assert client.get(f"{path}?status=FAILED,PENDING")["records"] == []
    assert client.get(f"{path}?status=FAILED,APPROVED")["total"] == 1
    client.control.set(by_reference="list")
    assert client.get(path)[0]["status"] == "APPROVED"
    client.control.set(by_reference="one")
    assert client.get(path)["status"] == "APPROVED"


def test_new_payment_is_missing_from_searches_for_a_time_if_told(
    client: WompiPayoutsClient,
) -> None:
    client.control.set(search_lag_seconds=60)
    line = client.bank_line()
    number = client.create(line)
    assert client.get(f"/v1/transactions/{line['reference']}")["total"] == 0
    assert client.get("/v1/payouts")["total"] == 0
    assert client.get(f"/v1/payouts/{number}")["id"] == number
    client.control.set(search_lag_seconds=0)
    assert client.get(f"/v1/transactions/{line['reference']}")["total"] == 1
    assert client.get("/v1/payouts")["total"] == 1


def test_unknown_reference_is_empty_or_not_found(client: WompiPayoutsClient) -> None:
    assert client.get("/v1/transactions/por-never")["records"] == []
    client.control.set(unknown_reference="not_found")
    assert client.status_of("/v1/transactions/por-never") == 404


def test_payouts_are_listed_in_pages_and_filtered(client: WompiPayoutsClient) -> None:
    made = [client.create(reference=f"batch-x{n}") for n in range(3)]
    for number in made:
        client.wait_for(number, "TOTAL_PAYMENT")
    page = client.get("/v1/payouts?page=2&limit=2")
    assert (page["limit"], page["total"], page["pages"]) == (2, 3, 2)
    assert [record["id"] for record in page["records"]] == made[2:]
    assert client.get("/v1/payouts?reference=batch-x1")["records"][0]["id"] == made[1]
    assert client.get("/v1/payouts?status=REJECTED,TOTAL_PAYMENT")["total"] == 3
    assert client.get("/v1/payouts?toDate=2020-01-01")["total"] == 0
    assert client.status_of("/v1/payouts?limit=0") == 400
    client.control.call("DELETE", "complaints")
    client.get("/v1/payouts?ref=a")
    assert "unknown parameters ['ref']" in client.control.complaints()[0]


def test_single_payments_are_found_below_their_payout(client: WompiPayoutsClient) -> None:
    number = client.create(client.key_line())
    line = client.lines(number)[0]["id"]
    for version in ("v1", "v2"):
        found = client.get(f"/{version}/payouts/{number}/transactions/{line}")
        assert found["payeeInfo"]["key"] == "@elias123"
    assert client.status_of(f"/v2/payouts/{number}/transactions/other") == 404
    assert client.status_of("/v1/payouts/payout-77") == 404
    client.control.set(versions_apart=True)
    assert client.status_of(f"/v1/payouts/{number}") == 404
    assert client.status_of(f"/v2/payouts/{number}") == 200


def test_some_answers_come_bare(client: WompiPayoutsClient) -> None:
    def raw(path: str) -> Any:
        return call("GET", f"{client.url}{path}", headers=client.headers).json

    assert isinstance(raw("/v1/banks"), list)
    assert "data" in raw("/v1/payouts")
    client.control.set(get_envelope="always")
    assert "data" in raw("/v1/accounts")
    client.control.set(get_envelope="never")
    assert "records" in raw("/v1/payouts")


def test_banks_and_health_are_as_documented(client: WompiPayoutsClient) -> None:
    names = {"id", "name", "code", "achCode", "allowedForOrigin", "isElectronicDeposit"}
    assert all(set(bank) == names for bank in client.get("/v1/banks"))
    account = {"id", "balanceInCents", "number", "status", "accountType", "bank"}
    assert set(client.get("/v1/accounts")[0]) == account
    client.control.set(health="PARTIAL_OUTAGE")
    assert client.get("/health") == {"status": "PARTIAL_OUTAGE"}


def events_of(receiver: EventReceiver, count: int) -> dict[str, Any]:
    wait_until(lambda: len(receiver.bodies) >= count)
    return {body["event"]: body for body in receiver.bodies}


def is_genuine(body: Any, secret: str = EVENTS_SECRET) -> bool:
    signature = body["signature"]
    expected = checksum_of(body["data"], signature["properties"], body["timestamp"], secret)
    return bool(signature["checksum"] == expected)


def test_checksum_matches_published_vector() -> None:
    data = {
        "transaction": {
            "id": "04a6e53d-a244-4140-ab9e-48fa541f9fe5",
            "status": "FAILED",
            "amountInCents": 7500000,
        }
    }
    properties = ["transaction.id", "transaction.status", "transaction.amountInCents"]
    secret = "prod_events_7b193c8afd7b47949f90d443cb1e1742"
    assert (
        checksum_of(data, properties, 1747673128600, secret)
        == "82f0e769716170e202edfd348f604bd8461cdeeb416594cde563a890215a5282"
    )


def test_events_are_signed_and_the_payments_lacks_our_reference(
    client: WompiPayoutsClient, receiver: EventReceiver
) -> None:
    line = client.bank_line(transactionStatus="FAILED")
    number = client.create(line, reference="batch-a")
    found = events_of(receiver, 2)
    payment = found["transaction.updated"]
    assert set(payment) == {"event", "data", "signature", "timestamp", "sentAt"}
    assert line["reference"] not in str(payment)
    assert "batch-a" not in str(payment)
    event = payment["data"]["transaction"]
    assert (event["payoutId"], event["id"]) == (number, client.lines(number)[0]["id"])
    assert event["failureReason"]["code"] == "C01"
    assert event["payee"] == {
        "name": "Ana Prueba",
        "bank": "BANCOLOMBIA",
        "accountNumber": "12345678901",
    }
    assert abs(payment["timestamp"] / 1000 - time.time()) < 5
    batch = found["payout.updated"]["data"]["payout"]
    assert (batch["reference"], batch["status"]) == ("batch-a", "REJECTED")
    assert all(is_genuine(body) for body in receiver.bodies)


def test_event_comes_before_the_answer_of_the_post_if_told(
    client: WompiPayoutsClient, receiver: EventReceiver
) -> None:
    client.control.set(event_before_answer=True, settle_seconds=60)
    client.create()
    # Two deliveries that leave at the same instant: either may arrive first.
    assert {body["event"] for body in receiver.bodies} == {"transaction.updated", "payout.updated"}
    assert len(receiver.bodies) == 2


def test_event_of_the_other_environment_has_its_secret(
    client: WompiPayoutsClient, receiver: EventReceiver
) -> None:
    client.control.set(event_environment="other", events_left_out=["payout.updated"])
    client.create()
    body = events_of(receiver, 1)["transaction.updated"]
    assert not is_genuine(body)
    assert is_genuine(body, "prod_events_0123456789fakePAYOUTS")


def test_events_come_reordered_twice_and_with_another_amount_if_told(
    client: WompiPayoutsClient, receiver: EventReceiver
) -> None:
    client.control.set(event_reorder=2, event_copies=2, event_amount_in_cents=100)
    client.create()
    wait_until(lambda: len(receiver.bodies) == 4)
    names = [body["event"] for body in receiver.bodies]
    assert names == ["payout.updated"] * 2 + ["transaction.updated"] * 2
    assert receiver.bodies[3]["data"]["transaction"]["amountInCents"] == 100
    assert is_genuine(receiver.bodies[3])


def test_lost_answer_leaves_a_payment_that_the_same_key_does_not_repeat(
    client: WompiPayoutsClient,
) -> None:
    line = client.bank_line()
    client.control.fault("POST /v1/payouts", "lose_answer")
    with pytest.raises(ConnectionError):
        client.pay(line, key="once")
    assert client.pay(line, key="once").status == 409
    assert client.get(f"/v1/transactions/{line['reference']}")["total"] == 1


def test_conflict_can_be_forced_with_the_code_of_the_version(client: WompiPayoutsClient) -> None:
    client.control.fault("POST /v?/payouts", "conflict", times=2)
    assert client.pay(client.bank_line()).json["code"] == "EXC_022"
    assert client.pay(client.key_line()).json["code"] == "EXC_032"


def test_state_survives_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "payouts.sqlite3"
    rail = WompiPayoutsRail(path, settle_seconds=0.1)
    with RunningServer(rail) as server:
        client = WompiPayoutsClient(server.url, server.control.url, rail.company)
        number = client.create(key="once")
        balance = client.get("/v1/accounts")[0]["balanceInCents"]
    rail = WompiPayoutsRail(path)
    with RunningServer(rail) as server:
        client = WompiPayoutsClient(server.url, server.control.url, rail.company)
        assert client.pay(key="once").status == 409
        client.wait_for(number, "TOTAL_PAYMENT")
        assert client.get("/v1/accounts")[0]["balanceInCents"] == balance
