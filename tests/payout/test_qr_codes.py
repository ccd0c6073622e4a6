"""POST /payout/qr: what a Bre-B QR code says, ready for POST /payout."""

import pytest
from django.test import override_settings

from merchants.models import Merchant
from payments.api import request_log
from payments.api.models import ApiCall
from payments.payout.models import Payout
from payments.providers.breb_qr.refusals import Reason
from tests.providers.breb_qr.samples import WITH_AMOUNT, static, template, tlv
from tests.support.factories import payout_body
from tests.support.fixtures import ApiClient
from tests.support.payouts import send

pytestmark = pytest.mark.django_db


def test_a_code_is_read(api: ApiClient) -> None:
    answer = api.post("/payout/qr", {"qr": WITH_AMOUNT})

    assert answer.status_code == 200
    assert answer.body == {
        "success": True,
        "data": {
            "network": "BREB",
            "keyType": "ALPHANUMERIC",
            "keyValue": "@EJEMPLO123",
            "recipientName": "TIENDA EJEMPLO",
            "amount": 15000,
            "city": "BOGOTA",
            "taxId": None,
            "merchantCode": "00000000",
            "reference": None,
            "isStatic": True,
        },
    }
    assert not Payout.objects.exists()


def test_what_is_read_makes_a_payout(api: ApiClient) -> None:
    told = api.post("/payout/qr", {"qr": static(key=tlv("02", "+573001010101"))}).body["data"]
    assert told["amount"] is None
    taken = {name: told[name] for name in ("network", "keyType", "keyValue", "recipientName")}

    api.post("/sandbox/balance", {"currency": "COPM", "amount": 100_000})

    created = send(api, payout_body(**taken, bankCanonicalId=None, amount=20000))

    assert created.status_code == 201, created.body
    payout = Payout.objects.get()
    assert (payout.key_type, payout.key_value) == ("PHONE", "3001010101")
    assert payout.recipient_name == "TIENDA EJEMPLO"


@pytest.mark.parametrize(
    ("in_code", "kind", "value"),
    [
        (tlv("05", "12345678"), "BCODE", "0012345678"),
        (tlv("01", "900.123.456"), "ID", "900123456"),
        (tlv("03", "ana@example.com"), "EMAIL", "ana@example.com"),
    ],
)
def test_keys_are_told_as_payouts_take_them(api: ApiClient, in_code, kind, value) -> None:
    told = api.post("/payout/qr", {"qr": static(key=in_code)}).body["data"]

    assert (told["keyType"], told["keyValue"]) == (kind, value)


@pytest.mark.parametrize(
    ("text", "reason", "field"),
    [
        ("https://example.com", Reason.NOT_EMV, None),
        (WITH_AMOUNT.replace("TIENDA", "TIENDO"), Reason.BAD_CRC, "63"),
        (WITH_AMOUNT[:-20], Reason.NO_CRC, "63"),
        (static(currency=tlv("53", "840")), Reason.WRONG_CURRENCY, "53"),
        (static(tlv("59", "OTRA")), Reason.DUPLICATE_TAG, "59"),
        (static(key=template("26", "CO.COM.RBM.LLA", tlv("02", "3001010101"))[4:]), None, "26.00"),
        (static(key=tlv("02", "123")), Reason.BAD_KEY, "26"),
        (static(key=tlv("04", "sinarroba")), Reason.BAD_KEY, "26"),
        (static(key=tlv("03", "ana@example.com\u00e1")), Reason.BAD_KEY, "26"),
        (static().replace("LLA", "XYZ"), Reason.BAD_CRC, "63"),
    ],
)
def test_a_text_that_cannot_be_paid_is_refused(api: ApiClient, text, reason, field) -> None:
    answer = api.post("/payout/qr", {"qr": text})

    assert answer.status_code == 400
    error = answer.body["error"]
    assert error["code"] == "QR_NOT_VALID"
    assert error["details"] == {
        "field": "qr",
        "reason": reason or Reason.DUPLICATE_TAG,
        "qrField": field,
    }
    assert error["message"].endswith(".")


@pytest.mark.parametrize("body", [{}, {"qr": ""}, {"qr": 5}, {"qr": "0" * 1025}, {"qr": None}])
def test_a_body_without_a_text_is_refused(api: ApiClient, body) -> None:
    answer = api.post("/payout/qr", body)

    assert answer.status_code == 400
    assert answer.body["error"]["code"] == "VALIDATION_ERROR"
    assert answer.body["error"]["details"]["field"] == "qr"


def test_it_needs_what_reads_of_payouts_need(api: ApiClient) -> None:
    Merchant.objects.update(payout_enabled=False)

    assert api.post("/payout/qr", {"qr": WITH_AMOUNT}).status_code == 403


def test_it_has_the_limit_of_reads_for_itself(api: ApiClient) -> None:
    answer = api.post("/payout/qr", {"qr": WITH_AMOUNT})

    assert answer.headers["X-RateLimit-Limit"] == "1000"
    assert answer.headers["X-RateLimit-Remaining"] == "999"
    assert api.get("/payout/methods").headers["X-RateLimit-Remaining"] == "999"


def test_other_methods_are_refused(api: ApiClient) -> None:
    assert api.get("/payout/qr").status_code == 405


def test_a_code_reads_the_same_in_every_language(api: ApiClient) -> None:
    with override_settings(LANGUAGE_CODE="es"):
        error = api.post("/payout/qr", {"qr": "hola"}).body["error"]

    assert error["message"].startswith("A text of a QR code")


@pytest.mark.usefixtures("call_log")
def test_the_log_of_a_refused_call_does_not_keep_the_key(api: ApiClient) -> None:
    text = static(key=tlv("02", "3001010101"))
    api.post("/payout/qr", {"qr": text[:-1] + "x"})

    assert request_log.writer.flush()
    (call,) = ApiCall.objects.all()
    assert call.code == "QR_NOT_VALID"
    assert "3001010101" not in call.request_body
    assert "TIENDA" not in call.request_body
