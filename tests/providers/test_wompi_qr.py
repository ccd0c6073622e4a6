"""Bancolombia's QR over Wompi: the picture of the code comes after the start."""

import base64
from dataclasses import replace

import pytest

from payments.providers.account import Mode
from payments.providers.ports import ChargeStatus, Flow, Known, Rail, UiType
from payments.providers.qr_images import PREFIX
from payments.providers.wompi import transactions
from payments.providers.wompi.payin import WompiPayin
from tests.providers.test_wompi import TIMEOUT, account_of, charge, query_until
from tests.rails.fake_server.server import RunningServer
from tests.rails.wompi.methods import SVG
from tests.rails.wompi.rail import WompiRail


@pytest.fixture
def fake():
    with RunningServer(WompiRail(url_delay_seconds=0, qr_resolution="payer")) as server:
        yield server
        assert server.control.complaints() == []


@pytest.fixture
def payin(fake):
    return WompiPayin(account_of(fake))


def qr(**changes):
    return charge(
        method=Rail.BANK_TRANSFER, direct_method="wompi_bancolombia_qr", fields={}, **changes
    )


def test_shops_offer_the_code_as_a_page(payin):
    (method,) = [one for one in payin.direct_methods() if one.key == "wompi_bancolombia_qr"]
    assert (method.flow, method.ui_type) == (Flow.QR, UiType.WEBVIEW)
    assert (method.category, method.required_fields) == (Rail.BANK_TRANSFER, ())


def test_code_comes_after_the_start_and_then_the_payment(fake, payin):
    request = qr()
    started = payin.start(request, TIMEOUT)
    assert (started.flow, started.qr_image, started.redirect_url) == (Flow.QR, "", None)
    open_code = query_until(payin, request.reference, lambda update: update.qr_image)
    assert (open_code.status, open_code.received) == (ChargeStatus.PENDING, 0)
    assert base64.b64decode(open_code.qr_image.removeprefix(PREFIX)).decode() == SVG
    again = payin.start(request, TIMEOUT)
    assert (again.provider_id, again.qr_image) == (started.provider_id, open_code.qr_image)
    fake.control.call("POST", f"transactions/{request.reference}", {"status": "APPROVED"})
    paid = query_until(payin, request.reference, lambda update: update.received)
    assert paid.received == request.amount
    assert paid.trace_code


@pytest.mark.parametrize("status", ["DECLINED", "ERROR"])
def test_code_that_the_payer_refuses_is_a_failed_charge(fake, payin, status):
    request = qr()
    payin.start(request, TIMEOUT)
    fake.control.call("POST", f"transactions/{request.reference}", {"status": status})
    assert payin.query(Known(reference=request.reference)).status is ChargeStatus.FAILED


def test_sandbox_pays_its_codes_itself(fake, payin):
    fake.control.set(qr_resolution="with_image")
    request = qr()
    payin.start(request, TIMEOUT)
    paid = query_until(payin, request.reference, lambda update: update.received)
    assert (paid.received, bool(paid.qr_image)) == (request.amount, True)


def test_production_is_not_told_how_a_payment_ends():
    merchant = {
        "presigned_acceptance": {"acceptance_token": "a"},
        "presigned_personal_data_auth": {"acceptance_token": "b"},
    }
    for mode, expected in ((Mode.LIVE, None), (Mode.SANDBOX, "APPROVED")):
        body = transactions.creation_body(qr(), merchant, mode)
        assert body["payment_method"].get("sandbox_status") == expected


@pytest.mark.parametrize(
    "image", ["", None, 7, "%%%", base64.b64encode(b"<svg><script/></svg>").decode()]
)
def test_picture_that_no_page_may_show_does_not_hide_the_payment(image):
    wire = {
        "id": "1292-1-1",
        "status": "APPROVED",
        "amount_in_cents": 2490000,
        "reference": "chg_1",
        "currency": "COP",
        "payment_method": {"type": "BANCOLOMBIA_QR", "extra": {"qr_image": image}},
    }
    update = transactions.to_update(wire)
    assert (update.qr_image, update.status) == ("", ChargeStatus.SUCCEEDED)
    assert update == replace(update, received=qr().amount)
