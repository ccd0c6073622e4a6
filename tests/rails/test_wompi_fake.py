"""The fake of Wompi's collections: credentials, acceptance, signature, fields, references."""

import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import call
from tests.rails.wompi.rail import WompiRail
from tests.rails.wompi.signature import integrity_signature
from tests.rails.wompi_client import (
    CUSTOMER,
    DAVIPLATA,
    NEQUI,
    PRIVATE_KEY,
    PSE,
    PUBLIC_KEY,
    QR,
    TRANSFER,
    WompiClient,
    sign,
)

PROD_SECRET = "prod_integrity_Z5mMke9x0k8gpErbDqwrJXMqsI6SFli6"


@pytest.fixture
def client() -> Iterator[WompiClient]:
    with RunningServer(WompiRail(url_delay_seconds=0, nequi_delay_seconds=0)) as server:
        yield WompiClient(server.url, server.control.url)


def messages(answer: Any) -> Any:
    """The messages of an INPUT_VALIDATION_ERROR."""
    assert answer.status == 422, answer.content
    error = answer.json["error"]
    assert error["type"] == "INPUT_VALIDATION_ERROR", error
    return error["messages"]


@pytest.mark.parametrize(
    ("reference", "expiration", "secret", "expected"),
    [
        (
            "ref-123",
            None,
            "test_integrity_key",
            "3020531ed7879230f3ed79e981eda23c5efcd8ce2da4576876ca16f783224e54",
        ),
        (
            "ref-123",
            "2025-01-01T00:00:00.000Z",
            "test_integrity_key",
            "e03cb492e50b9497abd14c0e99a9d677401d9fafce3ed8d6296c68e7fa3304b9",
        ),
        (
            "sk8-438k4-xmxm392-sn2m",
            None,
            PROD_SECRET,
            "37c8407747e595535433ef8f6a811d853cd943046624a0ec04662b17bbf33bf5",
        ),
    ],
)
def test_integrity_signature_matches_published_vector(
    reference: str, expiration: str | None, secret: str, expected: str
) -> None:
    assert integrity_signature(reference, 2490000, "COP", expiration, secret) == expected


def test_published_signature_opens_a_transaction(client: WompiClient) -> None:
    client.control.set(integrity_secret="test_integrity_key")
    signature = "3020531ed7879230f3ed79e981eda23c5efcd8ce2da4576876ca16f783224e54"
    assert client.create(reference="ref-123", signature=signature)["status"] == "PENDING"


def test_good_requests_of_every_method_leave_no_complaint(client: WompiClient) -> None:
    collect = {"type": "BANCOLOMBIA_COLLECT"}
    full = PSE | {"reference_one": "190.0.0.1", "reference_two": "20261102"}
    for method in (PSE, full, NEQUI, QR, TRANSFER, collect, DAVIPLATA):
        client.create(method, ip="190.0.0.1", expiration_time="2099-11-02T15:04:05.000Z")
    assert client.control.complaints() == []


def test_creation_answers_pending_without_url(client: WompiClient) -> None:
    created = client.create()
    assert created["status"] == "PENDING"
    assert set(created["payment_method"]["extra"]) == {"is_three_ds", "three_ds_auth_type"}
    merchant, epoch, number = created["id"].split("-")
    assert (merchant, abs(int(epoch) - time.time()) < 5, number.isdigit()) == ("1292", True, True)


@pytest.mark.parametrize(
    ("method", "path", "key"),
    [
        ("GET", "/pse/financial_institutions", "pub_prod_0123456789fakeFAKE"),
        ("GET", "/pse/financial_institutions", PRIVATE_KEY),
        ("POST", "/transactions", "pub_test_unknown"),
        ("POST", "/transactions", PRIVATE_KEY),
        ("GET", "/transactions/1292-1-1", "pub_prod_0123456789fakeFAKE"),
        ("GET", "/transactions?reference=a", PUBLIC_KEY),
        ("GET", "/transactions?reference=a", "prv_prod_0123456789fakeFAKE"),
        ("POST", "/transactions/1292-1-1/void", PUBLIC_KEY),
    ],
)
def test_wrong_key_is_an_invalid_access_token(
    client: WompiClient, method: str, path: str, key: str
) -> None:
    answer = client.call(method, path, {}, key=key)
    assert answer.status == 401
    assert answer.json["error"]["type"] == "INVALID_ACCESS_TOKEN"
    assert answer.json["error"]["reason"]
    assert len(client.control.complaints()) == 1


def test_missing_key_is_an_invalid_access_token(client: WompiClient) -> None:
    assert call("GET", f"{client.url}/v1/pse/financial_institutions").status == 401


def test_production_takes_its_own_keys_only() -> None:
    with RunningServer(WompiRail(environment="prod")) as server:
        client = WompiClient(server.url, server.control.url)
        path = "/pse/financial_institutions"
        assert client.call("GET", path, key="pub_test_0123456789fakeFAKE").status == 401
        banks = client.call("GET", path, key="pub_prod_0123456789fakeFAKE").json["data"]
        assert banks[0] == {
            "financial_institution_code": "0",
            "financial_institution_name": "A continuación seleccione su banco",
        }
        assert call("GET", f"{server.url}/v1/merchants/{PUBLIC_KEY}").status == 401


def test_merchant_needs_no_key_and_shows_fresh_tokens_each_time(client: WompiClient) -> None:
    url = f"{client.url}/v1/merchants/{PUBLIC_KEY}"
    first, second = (call("GET", url).json["data"] for _ in range(2))
    assert first["accepted_currencies"] == ["COP"]
    for name, kind in [
        ("presigned_acceptance", "END_USER_POLICY"),
        ("presigned_personal_data_auth", "PERSONAL_DATA_AUTH"),
    ]:
        assert first[name]["type"] == kind
        assert first[name]["permalink"].endswith(".pdf")
        assert first[name]["acceptance_token"].startswith("eyJ")
        assert first[name]["acceptance_token"] != second[name]["acceptance_token"]


def test_unknown_merchant_is_not_found(client: WompiClient) -> None:
    answer = call("GET", f"{client.url}/v1/merchants/pub_test_unknown")
    assert (answer.status, answer.json["error"]["type"]) == (404, "NOT_FOUND_ERROR")


def test_sandbox_lists_three_banks_and_the_placeholder_if_told(client: WompiClient) -> None:
    def codes() -> list[str]:
        banks = client.call("GET", "/pse/financial_institutions").json["data"]
        return [bank["financial_institution_code"] for bank in banks]

    assert codes() == ["1", "2", "3"]
    client.control.set(bank_placeholder=True)
    assert codes() == ["0", "1", "2", "3"]


def test_placeholder_bank_is_refused_with_a_complaint(client: WompiClient) -> None:
    client.control.set(bank_placeholder=True)
    found = messages(client.post(PSE | {"financial_institution_code": "0"}))
    assert list(found) == ["payment_method.financial_institution_code"]
    assert "placeholder" in client.control.complaints()[0]


def test_acceptance_token_is_single_use(client: WompiClient) -> None:
    tokens = client.tokens()
    client.create(**tokens)
    found = messages(client.post(**tokens))
    assert found == {"acceptance_token": ["El token de aceptación ya fue usado"]}
    found = messages(client.post(accept_personal_auth=tokens["accept_personal_auth"]))
    assert found == {"accept_personal_auth": ["El token de aceptación ya fue usado"]}


@pytest.mark.parametrize(("spends", "status"), [(True, 422), (False, 201)])
def test_refused_request_spends_its_tokens_as_configured(
    client: WompiClient, spends: bool, status: int
) -> None:
    client.control.set(refusal_spends_acceptance=spends)
    tokens = client.tokens()
    assert client.post(**tokens, signature="0" * 64).status == 422
    assert client.post(**tokens).status == status


def test_acceptance_token_expires(client: WompiClient) -> None:
    tokens = client.tokens()
    client.control.set(clock_skew_seconds=3601)
    found = messages(client.post(**tokens))
    assert found == {"acceptance_token": ["El token de aceptación ha expirado"]}


def test_swapped_and_invented_acceptance_tokens_are_refused(client: WompiClient) -> None:
    tokens = client.tokens()
    swapped = {
        "acceptance_token": tokens["accept_personal_auth"],
        "accept_personal_auth": tokens["acceptance_token"],
    }
    assert client.post(**swapped).status == 422
    assert client.post(acceptance_token="eyJh.eyJh.abc").status == 422


def test_validation_follows_the_measured_order(client: WompiClient) -> None:
    wrong: dict[str, Any] = {
        "acceptance_token": "no-jwt",
        "accept_personal_auth": "eyJh.eyJh.abc",
        "signature": "0" * 64,
        "payment_method": None,
    }
    assert list(messages(client.post(**wrong))) == ["acceptance_token"]
    wrong["acceptance_token"] = "eyJh.eyJh.abc"
    assert "inválido" in messages(client.post(**wrong))["acceptance_token"][0]
    del wrong["acceptance_token"], wrong["accept_personal_auth"]
    assert messages(client.post(**wrong)) == {"signature": ["La firma es inválida"]}
    del wrong["signature"]
    answer = client.post(**wrong)
    assert answer.status == 422
    assert answer.json["error"] == {
        "type": "UNPROCESSABLE",
        "reason": "No se especificó método de pago o fuente de pago",
    }


def test_missing_signature_has_its_own_text(client: WompiClient) -> None:
    found = messages(client.post(signature=None))
    assert found == {"signature": ["Firma de integridad requerida no enviada"]}


def test_texts_stand_as_reason_if_told(client: WompiClient) -> None:
    client.control.set(error_shape="reason")
    error = client.post(signature="0" * 64).json["error"]
    assert error == {"type": "UNPROCESSABLE", "reason": "La firma es inválida"}
    client.control.set(error_shape="messages")
    assert "payment_method" in messages(client.post(payment_method=None))


def test_expiration_time_is_part_of_the_signature(client: WompiClient) -> None:
    body = client.body(expiration_time="2099-01-01T00:00:00.000Z")
    body["signature"] = sign({**body, "expiration_time": ""})
    answer = client.call("POST", "/transactions", body)
    assert messages(answer) == {"signature": ["La firma es inválida"]}


@pytest.mark.parametrize("signature", ["upper", "wrong secret"])
def test_signature_is_lower_case_hex_of_the_integrity_secret(
    client: WompiClient, signature: str
) -> None:
    body = client.body()
    wrong = {"upper": body["signature"].upper(), "wrong secret": sign(body, "test_events_key")}
    answer = client.call("POST", "/transactions", body | {"signature": wrong[signature]})
    assert messages(answer) == {"signature": ["La firma es inválida"]}


def test_reference_is_unique_for_ever(client: WompiClient) -> None:
    client.create(reference="chg-once")
    found = messages(client.post(reference="chg-once", amount_in_cents=9990000))
    assert found == {"reference": ["La referencia ya ha sido usada"]}
    assert client.control.complaints() == []


def test_refused_request_leaves_its_reference_free(client: WompiClient) -> None:
    assert client.post(reference="chg-later", currency="USD").status == 422
    assert client.post(reference="chg-later").status == 201


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("amount_in_cents", "2490000"),
        ("amount_in_cents", 2490000.0),
        ("amount_in_cents", 0),
        ("amount_in_cents", 10**12 + 1),
        ("amount_in_cents", 149999),
        ("currency", "USD"),
        ("reference", "x" * 256),
        ("customer_email", "ana"),
        ("customer_email", None),
        ("redirect_url", "pay.example.co"),
        ("expiration_time", "2099-11-02T15:04:05-05:00"),
        ("expiration_time", "2020-11-02T15:04:05.000Z"),
        ("ip", "localhost"),
    ],
)
def test_wrong_field_is_refused(client: WompiClient, field: str, value: Any) -> None:
    assert list(messages(client.post(**{field: value}))) == [field]


def test_true_is_no_amount(client: WompiClient) -> None:
    client.control.set(pse_minimum_cents=None)
    assert list(messages(client.post(amount_in_cents=True))) == ["amount_in_cents"]
    client.create(amount_in_cents=1)


@pytest.mark.parametrize("missing", ["full_name", "phone_number"])
def test_pse_requires_the_payers_name_and_phone(client: WompiClient, missing: str) -> None:
    customer = {name: value for name, value in CUSTOMER.items() if name != missing}
    assert list(messages(client.post(customer_data=customer))) == [f"customer_data.{missing}"]
    client.create(NEQUI, customer_data=customer)


def test_legal_id_types_of_the_customer_are_eight(client: WompiClient) -> None:
    for kind in ("CC", "CE", "NIT", "PP", "TI", "DNI", "RG", "OTHER"):
        client.create(customer_data=CUSTOMER | {"legal_id_type": kind})
    answer = client.post(customer_data=CUSTOMER | {"legal_id_type": "PA"})
    assert list(messages(answer)) == ["customer_data.legal_id_type"]


@pytest.mark.parametrize(
    ("method", "field", "value"),
    [
        (PSE, "user_type", "0"),
        (PSE, "user_type", 2),
        (PSE, "user_type", False),
        (PSE, "user_legal_id_type", "CE"),
        (PSE, "user_legal_id", 1099888777),
        (PSE, "financial_institution_code", 1),
        (PSE, "financial_institution_code", "77"),
        (PSE, "payment_description", "x" * 31),
        (PSE, "reference_one", "here"),
        (PSE, "reference_two", "2026-11-02"),
        (NEQUI, "phone_number", "573001234567"),
        (NEQUI, "phone_number", 3001234567),
        (TRANSFER, "payment_description", "x" * 65),
        (TRANSFER, "payment_description", "Ana's"),
        (TRANSFER, "ecommerce_url", "shop"),
        (QR, "sandbox_status", "PENDING"),
        (DAVIPLATA, "user_legal_id_type", "XX"),
        (DAVIPLATA, "payment_description", "x" * 31),
    ],
)
def test_wrong_field_of_a_method_is_refused(
    client: WompiClient, method: dict[str, Any], field: str, value: Any
) -> None:
    found = messages(client.post(method | {field: value}))
    assert list(found) == [f"payment_method.{field}"]


@pytest.mark.parametrize("field", sorted(set(PSE) - {"type"}))
def test_pse_requires_each_of_its_fields(client: WompiClient, field: str) -> None:
    method = {name: value for name, value in PSE.items() if name != field}
    assert list(messages(client.post(method))) == [f"payment_method.{field}"]


def test_sandbox_status_is_refused_in_production() -> None:
    with RunningServer(WompiRail(environment="prod")) as server:
        url, key = f"{server.url}/v1", "pub_prod_0123456789fakeFAKE"
        merchant = call("GET", f"{url}/merchants/{key}").json["data"]
        body = {
            "acceptance_token": merchant["presigned_acceptance"]["acceptance_token"],
            "accept_personal_auth": merchant["presigned_personal_data_auth"]["acceptance_token"],
            "amount_in_cents": 2490000,
            "currency": "COP",
            "customer_email": "ana@example.com",
            "reference": "chg-live",
            "payment_method": QR | {"sandbox_status": "APPROVED"},
        }
        body["signature"] = sign(body, "prod_integrity_0123456789fakeFAKE")
        answer = call("POST", f"{url}/transactions", body, {"Authorization": f"Bearer {key}"})
        assert list(messages(answer)) == ["payment_method.sandbox_status"]


def test_pse_description_may_have_64_characters_if_told(client: WompiClient) -> None:
    client.control.set(pse_description_max=64)
    client.create(PSE | {"payment_description": "x" * 64})


def test_card_is_out_of_scope(client: WompiClient) -> None:
    assert list(messages(client.post({"type": "CARD"}))) == ["payment_method.type"]
    assert len(client.control.complaints()) == 1


def test_unknown_fields_are_complaints_or_refused(client: WompiClient) -> None:
    odd: dict[str, Any] = {
        "amount": 1,
        "customer_data": CUSTOMER | {"city": "Bogotá"},
        "payment_method": PSE | {"bank": "1"},
    }
    client.create(**odd)
    for field in ("amount", "customer_data.city", "payment_method.bank"):
        assert field in client.control.complaints()[0]
    client.control.set(unknown_fields="refuse")
    found = messages(client.post(**odd))
    assert set(found) == {"amount", "customer_data.city", "payment_method.bank"}


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"a": NaN}', b'{"a": 1, "a": 2}'])
def test_body_that_is_no_json_object_is_refused(client: WompiClient, body: bytes) -> None:
    assert client.call("POST", "/transactions", body).status == 422
    assert len(client.control.complaints()) == 1


def test_page_without_a_way_back_is_a_complaint(client: WompiClient) -> None:
    client.create(redirect_url=None)
    assert "redirect_url" in client.control.complaints()[0]
