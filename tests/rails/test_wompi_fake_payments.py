"""The fake of Wompi's collections: late URLs, sandbox outcomes, the bank's page, the listing."""

import base64
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import call, wait_until
from tests.rails.wompi.rail import WompiRail
from tests.rails.wompi_client import DAVIPLATA, NEQUI, PSE, QR, TRANSFER, WompiClient


@pytest.fixture
def client() -> Iterator[WompiClient]:
    rail = WompiRail(url_delay_seconds=0.02, nequi_delay_seconds=0.02, pse_resolution="payer")
    with RunningServer(rail) as server:
        yield WompiClient(server.url, server.control.url)


def decide(page: str, decision: str) -> Any:
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    return call("POST", page, f"decision={decision}".encode(), form)


def test_url_comes_late_and_the_payment_stays_pending_until_the_payer_decides(
    client: WompiClient,
) -> None:
    number = client.create()["id"]
    assert "async_payment_url" not in client.poll(number)["payment_method"]["extra"]
    page = client.poll_for_url(number)
    assert page == f"{client.url}/bank/{number}"
    assert client.poll(number)["status"] == "PENDING"
    assert client.poll(number)["finalized_at"] is None


def test_sandbox_publishes_url_and_approval_at_the_same_instant(client: WompiClient) -> None:
    client.control.set(pse_resolution="with_url")
    number = client.create()["id"]
    assert client.poll_for_url(number)
    found = client.poll(number)
    assert found["status"] == "APPROVED"
    assert found["payment_method"]["extra"]["traceability_code"].isdigit()
    assert found["finalized_at"].endswith("Z")


@pytest.mark.parametrize(("bank", "status"), [("2", "DECLINED"), ("3", "ERROR")])
def test_refusal_of_a_sandbox_bank_has_no_url(client: WompiClient, bank: str, status: str) -> None:
    number = client.create(PSE | {"financial_institution_code": bank})["id"]
    found = client.poll_until(number, status)
    assert "async_payment_url" not in found["payment_method"]["extra"]
    assert found["status_message"]


def test_refusal_may_have_a_url_and_a_reason_of_the_bank(client: WompiClient) -> None:
    client.control.set(refusal_has_url=True, status_messages={"DECLINED": "Fondos insuficientes"})
    number = client.create(PSE | {"financial_institution_code": "2"})["id"]
    found = client.poll_until(number, "DECLINED")
    assert found["payment_method"]["extra"]["async_payment_url"]
    assert found["status_message"] == "Fondos insuficientes"


def test_url_never_comes_if_told(client: WompiClient) -> None:
    client.control.set(url_delay_seconds=None, pending_seconds=0.05, pending_ends_as="ERROR")
    number = client.create()["id"]
    found = client.poll_until(number, "ERROR")
    assert "async_payment_url" not in found["payment_method"]["extra"]


def test_pending_dies_after_a_time_if_told(client: WompiClient) -> None:
    client.control.set(pending_seconds=0.06)
    number = client.create()["id"]
    assert client.poll_for_url(number)
    client.poll_until(number, "DECLINED")


def test_expiration_time_ends_a_pending_if_told(client: WompiClient) -> None:
    client.control.set(expiration_ends_as="ERROR")
    moment = datetime.now(UTC) + timedelta(seconds=2)
    number = client.create(expiration_time=moment.strftime("%Y-%m-%dT%H:%M:%S.%fZ"))["id"]
    client.poll_until(number, "ERROR")


@pytest.mark.parametrize(
    ("number", "status"),
    [("3991111111", "APPROVED"), ("3992222222", "DECLINED"), ("3001234567", "ERROR")],
)
def test_nequi_resolves_by_number(client: WompiClient, number: str, status: str) -> None:
    created = client.create(NEQUI | {"phone_number": number})
    assert created["status"] == "PENDING"
    client.poll_until(created["id"], status)


def test_nequi_of_another_number_waits_if_told(client: WompiClient) -> None:
    client.control.set(nequi_other_number=None)
    number = client.create(NEQUI | {"phone_number": "3001234567"})["id"]
    client.control.call("POST", f"transactions/{number}", {"status": "APPROVED"})
    assert client.poll(number)["status"] == "APPROVED"


def test_qr_is_an_svg_in_base64(client: WompiClient) -> None:
    number = client.create(QR)["id"]
    image = client.poll_for_url(number, "qr_image")
    assert base64.b64decode(image).startswith(b"<svg")
    extra = client.poll(number)["payment_method"]["extra"]
    assert extra["qr_id"]
    assert extra["external_identifier"]
    assert client.poll(number)["status"] == "PENDING"


@pytest.mark.parametrize("status", ["APPROVED", "DECLINED", "ERROR"])
def test_sandbox_status_of_a_qr_is_its_outcome(client: WompiClient, status: str) -> None:
    client.poll_until(client.create(QR | {"sandbox_status": status})["id"], status)


def test_cash_at_a_correspondent_has_an_agreement_and_an_intention(client: WompiClient) -> None:
    number = client.create({"type": "BANCOLOMBIA_COLLECT"})["id"]
    assert client.poll_for_url(number, "business_agreement_code")
    assert client.poll_for_url(number, "payment_intention_identifier")


def test_daviplata_has_a_page_and_services_for_codes(client: WompiClient) -> None:
    number = client.create(DAVIPLATA)["id"]
    page = client.poll_for_url(number, "url")
    services = client.poll_for_url(number, "url_services")
    assert set(services) == {"token", "code_otp_send", "code_otp_validate"}
    assert decide(page, "approve").status == 303
    client.poll_until(number, "APPROVED")


@pytest.mark.parametrize(
    ("decision", "status"), [("approve", "APPROVED"), ("decline", "DECLINED"), ("leave", "PENDING")]
)
@pytest.mark.parametrize("method", [PSE, TRANSFER])
def test_payer_decides_on_the_banks_page_and_comes_back(
    client: WompiClient, decision: str, status: str, method: dict[str, Any]
) -> None:
    number = client.create(method, redirect_url="https://shop.example/back?order=7")["id"]
    page = client.poll_for_url(number)
    shown = call("GET", page)
    assert "24,900.00 COP" in shown.content.decode()
    assert f'value="{decision}"' in shown.content.decode()
    answer = decide(page, decision)
    back = urlsplit(answer.headers["location"])
    assert (answer.status, back.netloc) == (303, "shop.example")
    assert parse_qs(back.query) == {"order": ["7"], "id": [number], "env": ["test"]}
    assert client.poll(number)["status"] == status


def test_way_back_has_no_environment_if_told(client: WompiClient) -> None:
    client.control.set(return_env=False)
    number = client.create()["id"]
    back = decide(client.poll_for_url(number), "leave").headers["location"]
    assert back == f"https://pay.example.co/return/1?id={number}"


def test_decision_counts_once(client: WompiClient) -> None:
    number = client.create()["id"]
    page = client.poll_for_url(number)
    decide(page, "approve")
    assert 'id="decline"' not in call("GET", page).content.decode()
    decide(page, "decline")
    assert client.poll(number)["status"] == "APPROVED"


def test_banks_page_is_not_there_before_its_url_is(client: WompiClient) -> None:
    client.control.set(url_delay_seconds=None)
    number = client.create()["id"]
    assert call("GET", f"{client.url}/bank/{number}").status == 404


def test_outcome_can_be_forced_whatever_the_bank(client: WompiClient) -> None:
    client.control.set(outcome="DECLINED", cus_field=None)
    found = client.poll_until(client.create()["id"], "DECLINED")
    assert "async_payment_url" not in found["payment_method"]["extra"]


@pytest.mark.parametrize("field", ["external_identifier", "traceability_code"])
def test_name_of_the_cus_is_configurable(client: WompiClient, field: str) -> None:
    client.control.set(cus_field=field, pse_resolution="with_url")
    number = client.create()["id"]
    assert field in client.poll_until(number, "APPROVED")["payment_method"]["extra"]


def test_unknown_transaction_is_not_found(client: WompiClient) -> None:
    answer = client.call("GET", "/transactions/1292-1-1")
    assert (answer.status, answer.json["error"]["type"]) == (404, "NOT_FOUND_ERROR")
    assert answer.json["error"]["reason"]


def test_void_is_for_cards_only(client: WompiClient) -> None:
    number = client.create()["id"]
    answer = client.call("POST", f"/transactions/{number}/void", key="prv_test_0123456789fakeFAKE")
    assert answer.status == 422


def test_search_by_reference_finds_it_or_nothing(client: WompiClient) -> None:
    number = client.create(reference="chg-a")["id"]
    client.create(reference="chg-b")
    assert [row["id"] for row in client.search(reference="chg-a").json["data"]] == [number]
    assert client.search(reference="chg-never").json["data"] == []


def test_new_transaction_is_missing_from_searches_for_a_time_if_told(client: WompiClient) -> None:
    client.control.set(search_lag_seconds=60)
    number = client.create(reference="chg-a")["id"]
    assert client.search(reference="chg-a").json["data"] == []
    assert client.poll(number)["id"] == number
    client.control.set(search_lag_seconds=0)
    assert len(client.search(reference="chg-a").json["data"]) == 1


def test_search_pages_filters_and_orders(client: WompiClient) -> None:
    made = [client.create(amount_in_cents=200000 + n)["id"] for n in range(5)]
    client.control.call("POST", f"transactions/{made[0]}", {"status": "APPROVED"})
    order = {"order_by": "amount_in_cents", "order": "ASC", "page_size": 2}
    pages = [client.search(page=page, **order).json["data"] for page in (1, 2, 3, 4)]
    assert [[row["id"] for row in page] for page in pages] == [
        made[0:2],
        made[2:4],
        made[4:],
        [],
    ]
    assert [row["id"] for row in client.search(status="APPROVED").json["data"]] == made[:1]
    assert len(client.search(payment_method_type="PSE", until_date="2020-01-01").json["data"]) == 0
    assert client.control.complaints() == []


@pytest.mark.parametrize(
    "query", [{"page_size": 201}, {"page": 0}, {"order": "up"}, {"order_by": "secret"}]
)
def test_search_refuses_what_no_page_has(client: WompiClient, query: dict[str, Any]) -> None:
    assert client.search(**query).status == 422


def test_unknown_parameter_is_a_complaint(client: WompiClient) -> None:
    client.search(ref="chg-a")
    assert client.control.complaints() == ["GET /transactions: unknown parameters ['ref']"]


def test_same_reference_may_have_another_id_from_wompis_own_checkout(client: WompiClient) -> None:
    number = client.create(reference="chg-a")["id"]
    other = client.control.call("POST", f"transactions/{number}/copy", {"status": "APPROVED"})
    found = {row["id"]: row["status"] for row in client.search(reference="chg-a").json["data"]}
    assert found == {number: "PENDING", other["id"]: "APPROVED"}


def test_inspection_shows_how_often_each_was_asked_for(client: WompiClient) -> None:
    number = client.create(reference="chg-a")["id"]
    client.poll(number)
    client.search(reference="chg-a")
    state = client.control.state()
    assert state["transaction"][number]["asked"] == 2
    assert state["requests"]["POST /v1/transactions"] == 1
    assert state["requests"][f"GET /v1/transactions/{number}"] == 1
    assert state["reference"] == {"chg-a": number}


def test_control_refuses_unknown_settings_variants_and_statuses(client: WompiClient) -> None:
    for wrong in ({"url_delay": 1}, {"environment": "live"}):
        with pytest.raises(ValueError, match="400"):
            client.control.set(**wrong)
    number = client.create()["id"]
    with pytest.raises(ValueError, match="final status"):
        client.control.call("POST", f"transactions/{number}", {"status": "PAID"})


def test_reset_forgets_everything_except_settings(client: WompiClient) -> None:
    client.create(reference="chg-a")
    client.control.call("POST", "reset")
    state = client.control.state()
    assert (state["transaction"], state["reference"]) == ({}, {})
    assert state["settings"]["pse_resolution"] == "payer"
    wait_until(lambda: client.control.complaints() == [])
    client.create(reference="chg-a")
