"""A callback counts only when it is signed, fresh and makes sense."""

from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client
from django.utils import translation

from payments.core import clock, jsontext
from payments.providers.ports import Callback, ChargeStatus, ChargeUpdate, InvalidCallback
from payments.simulator import callbacks, control, messages
from tests.simulator.conftest import TIMEOUT, charge

NOW = clock.now()
UPDATE = ChargeUpdate(
    reference="chg_1",
    provider_id="sim_1",
    status=ChargeStatus.SUCCEEDED,
    received=Decimal("50025.00000001"),
    currency="COP",
    trace_code="0012345678",
    occurred_at=NOW,
)
BODY = messages.body_of(UPDATE)


def signed(body=BODY, now=NOW, **changes):
    return {**callbacks.signed_headers(body, now), **changes}


def test_signed_callback_is_read_as_it_was_sent(port):
    assert port.read_callback(Callback(signed(), BODY), NOW) == UPDATE


def test_header_names_have_no_case(port):
    headers = {name.upper(): value for name, value in signed().items()}
    assert port.read_callback(Callback(headers, BODY), NOW) == UPDATE


@pytest.mark.parametrize("age", [timedelta(minutes=-5), timedelta(0), timedelta(minutes=5)])
def test_five_minutes_are_tolerated(port, age):
    assert port.read_callback(Callback(signed(), BODY), NOW + age) == UPDATE


@pytest.mark.parametrize(
    "age", [timedelta(minutes=-5, seconds=-1), timedelta(minutes=5, seconds=1)]
)
def test_older_and_later_ones_are_refused(port, age):
    with pytest.raises(InvalidCallback):
        port.read_callback(Callback(signed(), BODY), NOW + age)


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {callbacks.TIMESTAMP_HEADER: signed()[callbacks.TIMESTAMP_HEADER]},
        {callbacks.SIGNATURE_HEADER: signed()[callbacks.SIGNATURE_HEADER]},
        signed(**{callbacks.SIGNATURE_HEADER: ""}),
        signed(**{callbacks.SIGNATURE_HEADER: "0" * 64}),
        signed(**{callbacks.SIGNATURE_HEADER: "ñ" * 64}),
        signed(**{callbacks.SIGNATURE_HEADER: "\udc80\ud800"}),
        signed(**{callbacks.TIMESTAMP_HEADER: str(int(NOW.timestamp() * 1000) + 1)}),
        signed(**{callbacks.TIMESTAMP_HEADER: ""}),
        signed(**{callbacks.TIMESTAMP_HEADER: "-1"}),
        signed(**{callbacks.TIMESTAMP_HEADER: "1e12"}),
        signed(**{callbacks.TIMESTAMP_HEADER: "٣" * 13}),
        signed(**{callbacks.TIMESTAMP_HEADER: "9" * 5000}),
        signed(body=b"{}"),
    ],
)
def test_unsigned_and_forged_ones_are_refused(port, headers):
    with pytest.raises(InvalidCallback):
        port.read_callback(Callback(headers, BODY), NOW)


def test_one_changed_byte_is_refused(port):
    with pytest.raises(InvalidCallback):
        port.read_callback(Callback(signed(), BODY.replace(b"50025", b"50026")), NOW)


def test_another_secret_is_refused(port, settings):
    headers = signed()
    settings.SIMULATOR_CALLBACK_SECRET = "another"
    with pytest.raises(InvalidCallback):
        port.read_callback(Callback(headers, BODY), NOW)


@pytest.mark.parametrize(
    "changes",
    [
        {"status": "PAID"},
        {"status": None},
        {"received": 50025},
        {"received": "NaN"},
        {"received": "Infinity"},
        {"received": "-1"},
        {"received": "1e"},
        {"occurredAt": "yesterday"},
        {"occurredAt": "0001-01-01T00:00:00+14:00"},
        {"reference": 7},
        {"currency": None},
    ],
)
def test_a_signed_body_must_make_sense(port, changes):
    body = jsontext.dumps({**jsontext.loads(BODY), **changes}).encode()
    with pytest.raises(InvalidCallback):
        port.read_callback(Callback(signed(body), body), NOW)


@pytest.mark.parametrize(
    "body", [b"", b"null", b"[]", b"{}", b'"text"', b"\xff", b"[" * 9000, b" " * 20000]
)
def test_a_signed_body_must_be_a_message(port, body):
    with pytest.raises(InvalidCallback):
        port.read_callback(Callback(signed(body), body), NOW)


def test_a_replay_verifies_again(port):
    headers = signed()
    assert {port.read_callback(Callback(headers, BODY), NOW) for _ in range(64)} == {UPDATE}


def test_the_route_refuses_a_forgery(arrived):
    answer = Client().post(
        "/callbacks/payin/simulator", BODY, content_type="application/json", headers={}
    )
    assert answer.status_code == 401
    assert arrived == []


def test_a_delivery_leaves_the_outer_request_alone(port, arrived):
    request = charge()
    port.start(request, TIMEOUT)
    with translation.override("en"):
        assert control.resolve(request.reference, ChargeStatus.SUCCEEDED) == 200
        assert translation.get_language() == "en"


@pytest.mark.parametrize(
    ("url", "host", "scheme"),
    [
        ("https://pagos.example/callbacks/payin/simulator?x=1", "pagos.example", "https"),
        ("http://localhost:8000/callbacks/payin/simulator", "localhost:8000", "http"),
    ],
)
def test_a_delivery_looks_as_if_it_came_from_outside(url, host, scheme):
    request = callbacks._request(url, BODY, signed())
    assert (request.get_host(), request.scheme, request.method) == (host, scheme, "POST")
    assert request.body == BODY
    assert request.build_absolute_uri() == url
