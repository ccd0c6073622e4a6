"""The fake of Wompi's payouts: credentials, idempotency, fields, limits, keys."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import Answer, call
from tests.rails.wompi_payouts.rail import WompiPayoutsRail
from tests.rails.wompi_payouts_client import WompiPayoutsClient


@pytest.fixture
def rail() -> WompiPayoutsRail:
    return WompiPayoutsRail(settle_seconds=0.02)


@pytest.fixture
def client(rail: WompiPayoutsRail) -> Iterator[WompiPayoutsClient]:
    with RunningServer(rail) as server:
        yield WompiPayoutsClient(server.url, server.control.url, rail.company)


def code_of(answer: Answer) -> tuple[int, str]:
    error = answer.json
    assert set(error) == {"status", "code", "message", "type", "meta"}
    assert error["status"] == answer.status
    return answer.status, error["code"]


def test_payout_is_answered_as_documented_and_leaves_no_complaint(
    client: WompiPayoutsClient,
) -> None:
    answer = client.pay(client.bank_line(), reference="por-01j")
    assert answer.status == 201
    body = answer.json
    assert (body["status"], body["code"]) == (201, "OK")
    assert body["message"] == "Solicitud ejecutada correctamente."
    assert body["meta"]["trace_id"]
    expected = {"payoutId": "payout-1", "transactions": 1, "success": 1, "failed": 0}
    assert body["data"] == expected
    assert client.pay(client.key_line(legalIdType="CC", legalId="1099888777")).status == 201
    assert client.control.complaints() == []


@pytest.mark.parametrize("header", ["x-api-key", "user-principal-id"])
def test_both_credentials_are_checked(client: WompiPayoutsClient, header: str) -> None:
    assert client.status_of("/v1/banks", **{header: "other"}) == 401
    client.headers[header] = "fake-prod-api-key"
    assert client.post("/v1/payouts", {}).status == 401
    assert len(client.control.complaints()) == 2


def test_credentials_of_the_sandbox_do_not_open_production(rail: WompiPayoutsRail) -> None:
    headers = {"x-api-key": rail.company.api_key, "user-principal-id": rail.company.principal_id}
    with RunningServer(WompiPayoutsRail(environment="prod")) as server:
        answer = call("GET", f"{server.url}/v1/banks", headers=headers)
        assert code_of(answer)[0] == 401


@pytest.mark.parametrize("key", ["", "x" * 65, "por_1", "a b", "ñ".encode().decode("latin-1")])
def test_idempotency_key_has_its_characters_and_length(
    client: WompiPayoutsClient, key: str
) -> None:
    headers = client.headers | ({"idempotency-key": key} if key else {})
    body = client.body([client.bank_line()])
    assert code_of(call("POST", f"{client.url}/v1/payouts", body, headers))[0] == 400
    assert len(client.control.complaints()) == 1
    assert client.pay(key="x" * 64).status == 201


@pytest.mark.parametrize(("kind", "code"), [("bank_line", "EXC_022"), ("key_line", "EXC_032")])
def test_reused_idempotency_key_is_a_conflict_and_replays_nothing(
    client: WompiPayoutsClient, kind: str, code: str
) -> None:
    line = getattr(client, kind)()
    assert client.pay(line, key="once").status == 201
    assert code_of(client.pay(line, key="once")) == (409, code)
    assert len(client.control.state()["payout"]) == 1
    assert client.control.complaints() == []


def test_idempotency_key_is_kept_for_a_day_and_then_pays_again(client: WompiPayoutsClient) -> None:
    line = client.bank_line()
    client.create(line, key="once")
    client.control.set(clock_skew_seconds=86300)
    assert client.pay(line, key="once").status == 409
    client.control.set(clock_skew_seconds=86500)
    client.wait_for(client.create(line, key="once"), "TOTAL_PAYMENT")
    assert client.control.state()["paid_in_cents"][line["reference"]] == 25000000


@pytest.mark.parametrize(("spends", "status"), [(True, 409), (False, 201)])
def test_refused_request_uses_its_key_as_configured(
    client: WompiPayoutsClient, spends: bool, status: int
) -> None:
    client.control.set(refusal_spends_key=spends)
    assert client.pay(client.bank_line(amount=0), key="once").status == 400
    assert client.pay(key="once").status == status


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("reference", "por_1"),
        ("reference", "x" * 41),
        ("reference", None),
        ("accountId", "12345678901"),
        ("paymentType", "SALARY"),
        ("transactions", []),
        ("transactions", {}),
        ("dispersionDatetime", "2099-01-01"),
        ("dispersionDatetime", "2099-13-01T10:00"),
        ("dispersionDatetime", "2020-01-01T10:00"),
        ("recurring", {"interval": "week", "months": 3}),
    ],
)
def test_wrong_field_of_the_batch_is_refused(
    client: WompiPayoutsClient, field: str, value: Any
) -> None:
    assert code_of(client.pay(**{field: value}))[0] == 400
    assert field in client.control.complaints()[0]


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("legalIdType", "OTHER"),
        ("legalId", None),
        ("bankId", "1007"),
        ("accountType", "SAVINGS"),
        ("accountNumber", "12345"),
        ("accountNumber", "1" * 21),
        ("accountNumber", "00000000"),
        ("accountNumber", "1234-5678"),
        ("accountNumber", 12345678901),
        ("name", ""),
        ("amount", 125000.0),
        ("amount", "12500000"),
        ("amount", 0),
        ("amount", -1),
        ("personType", "HUMAN"),
        ("email", "ana"),
        ("reference", "por_1"),
        ("reference", "x" * 41),
        ("transactionStatus", "PENDING"),
    ],
)
def test_wrong_field_of_a_bank_line_is_refused(
    client: WompiPayoutsClient, field: str, value: Any
) -> None:
    assert code_of(client.pay(client.bank_line(**{field: value})))[0] == 400
    assert "transactions[0]" in client.control.complaints()[0]


@pytest.mark.parametrize(
    "changes",
    [{"email": None}, {"legalIdType": "CC"}, {"legalId": "1099888777"}, {"reference": "x" * 41}],
)
def test_wrong_field_of_a_key_line_is_refused(
    client: WompiPayoutsClient, changes: dict[str, Any]
) -> None:
    assert code_of(client.pay(client.key_line(**changes)))[0] == 400


def test_batch_may_leave_later_and_again(client: WompiPayoutsClient) -> None:
    recurring = {"interval": "month", "months": 6, "description": "Nómina"}
    tomorrow = (client_now(client) + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    number = client.create(dispersionDatetime=tomorrow, recurring=recurring)
    assert client.get(f"/v1/payouts/{number}")["status"] == "PENDING"
    today = client_now(client).strftime("%Y-%m-%dT23:59")
    assert code_of(client.pay(dispersionDatetime=today))[0] == 400


def client_now(client: WompiPayoutsClient) -> Any:
    return WompiPayoutsRail().company.local_now()


def test_sandbox_only_fields_and_calls_are_refused_in_production() -> None:
    rail = WompiPayoutsRail(environment="prod", extra_keys={"@tienda1": "Tienda Ejemplo"})
    with RunningServer(rail) as server:
        client = WompiPayoutsClient(server.url, server.control.url, rail.company)
        client.headers["x-api-key"] = rail.company.api_key
        line = client.bank_line(transactionStatus="APPROVED")
        assert code_of(client.pay(line))[0] == 400
        assert "sandbox only" in client.control.complaints()[0]
        recharge = {"accountId": rail.company.accounts()[0]["id"], "amountInCents": 1}
        assert client.post("/v1/accounts/balance-recharge", recharge).status == 404
        assert client.status_of("/v2/breb/keys/resolve/@elias123?keyType=ALPHANUMERIC") == 404
        resolved = client.get("/v2/breb/keys/resolve/@tienda1?keyType=ALPHANUMERIC")
        assert resolved["holderName"] == "T***** E******"
        assert client.pay(client.bank_line()).status == 201


def test_line_with_a_key_goes_to_version_two_only(client: WompiPayoutsClient) -> None:
    mixed = client.body([client.bank_line(), client.key_line()])
    assert code_of(client.post("/v1/payouts", mixed))[0] == 400
    assert client.post("/v2/payouts", mixed).status == 201
    client.control.call("DELETE", "complaints")
    assert client.post("/v2/payouts", client.body([client.bank_line()])).status == 201
    assert client.control.complaints() == ["bank lines alone go to /v1/payouts"]


def test_unknown_fields_are_complaints_or_refused(client: WompiPayoutsClient) -> None:
    assert client.pay(client.bank_line(bank="x"), currency="COP").status == 201
    complaints = client.control.complaints()
    assert complaints == ["unknown fields ['currency']", "unknown fields ['transactions[0].bank']"]
    client.control.set(unknown_fields="refuse")
    assert code_of(client.pay(currency="COP"))[0] == 400


def test_line_without_reference_is_a_complaint(client: WompiPayoutsClient) -> None:
    client.create(client.bank_line(reference=None))
    assert "reference is missing" in client.control.complaints()[0]


@pytest.mark.parametrize("body", [b"", b"{", b"[]"])
def test_body_that_is_no_json_object_is_refused(client: WompiPayoutsClient, body: bytes) -> None:
    assert code_of(client.post("/v1/payouts", body))[0] == 400


def test_amount_above_the_balance_is_refused_and_moves_nothing(client: WompiPayoutsClient) -> None:
    client.control.set(balance_in_cents=12500000)
    assert code_of(client.pay(client.bank_line(amount=12500001))) == (400, "EXC_008")
    client.create()
    assert client.get("/v1/accounts")[0]["balanceInCents"] == 0
    recharge = {"accountId": client.get("/v1/accounts")[0]["id"], "amountInCents": 500}
    assert client.post("/v1/accounts/balance-recharge", recharge).status == 201
    assert client.get("/v1/accounts")[0]["balanceInCents"] == 500


def test_limits_of_the_day_hold_until_tomorrow(client: WompiPayoutsClient) -> None:
    client.control.set(balance_in_cents=10**15)
    client.create(client.bank_line(amount=150_000_000_000))
    assert code_of(client.pay(client.bank_line(amount=1))) == (400, "EXC_017")
    assert client.get("/v1/limits")["usedAmountInCents"] == 150_000_000_000
    client.control.set(clock_skew_seconds=86400, daily_batches=1)
    client.create()
    assert code_of(client.pay()) == (400, "EXC_017")


@pytest.mark.parametrize(
    ("key", "key_type", "holder"),
    [
        ("@elias123", "ALPHANUMERIC", "E**** C****"),
        ("ecolon@wompi.com", "MAIL", "E**** C****"),
        ("3001234567", "PHONE", "A** P*****"),
        ("1020304050", "IDENTIFICATION", "A** P*****"),
        ("900123456", "ESTABLISHMENT_CODE", "T***** E******"),
    ],
)
def test_sandbox_key_resolves_to_a_masked_holder(
    client: WompiPayoutsClient, key: str, key_type: str, holder: str
) -> None:
    assert client.get(f"/v2/breb/keys/resolve/{key}?keyType={key_type}") == {
        "holderName": holder,
        "financialEntity": {"name": "BANCOLOMBIA", "code": "1007"},
        "keyType": key_type,
        "keyValue": key,
    }


BAD_KEYS = [
    ("noexiste@test.com", "MAIL", 404, "EXC_034"),
    ("12345", "IDENTIFICATION", 400, "EXC_033"),
    ("inactiva@test.com", "MAIL", 400, "EXC_035"),
    ("timeout@test.com", "MAIL", 503, "EXC_037"),
    ("error@test.com", "MAIL", 503, "EXC_036"),
    ("@unknown1", "ALPHANUMERIC", 404, "EXC_034"),
    ("x", "ALPHANUMERIC", 400, "EXC_033"),
]


@pytest.mark.parametrize(("key", "key_type", "status", "code"), BAD_KEYS)
def test_key_without_an_account_is_refused_by_its_code(
    client: WompiPayoutsClient, key: str, key_type: str, status: int, code: str
) -> None:
    path = f"{client.url}/v2/breb/keys/resolve/{key}?keyType={key_type}"
    assert code_of(call("GET", path, headers=client.headers)) == (status, code)
    assert code_of(client.pay(client.key_line(key=key))) == (status, code)
    assert client.control.state()["payout"] == {}
    assert client.control.complaints() == []


@pytest.mark.parametrize("query", ["", "?keyType=EMAIL", "?keyType=PHONE"])
def test_resolution_with_a_wrong_key_type_is_a_complaint(
    client: WompiPayoutsClient, query: str
) -> None:
    assert client.status_of(f"/v2/breb/keys/resolve/@elias123{query}") == 400
    assert len(client.control.complaints()) == 1


def test_bad_key_fails_later_or_is_counted_if_told(client: WompiPayoutsClient) -> None:
    line = client.key_line(key="noexiste@test.com")
    client.control.set(bad_key_at_send="fail")
    number = client.create(line)
    client.wait_for(number, "REJECTED")
    client.control.set(bad_key_at_send="count")
    counted = client.pay(line).json["data"]
    assert (counted["success"], counted["failed"]) == (0, 1)
    assert client.lines(counted["payoutId"])[0]["status"] == "FAILED"


def test_calls_out_of_scope_are_complaints(client: WompiPayoutsClient) -> None:
    assert client.post("/v1/payouts/file", {}).status in {404, 405}
    assert client.status_of("/v1/reports/presigned_url") == 404
    assert len(client.control.complaints()) == 2
