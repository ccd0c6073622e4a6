"""A callback about money on its way out counts only when it is signed, fresh and makes sense."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from django.test import Client

from payments.core import clock, jsontext
from payments.providers import registry
from payments.providers.ports import Callback, InvalidCallback, OutgoingState, OutgoingUpdate
from payments.simulator import callbacks, messages
from payments.simulator.magic import OutgoingProduct
from tests.simulator import test_callbacks as payin

NOW = clock.now()
UPDATE = OutgoingUpdate(
    reference="po_1",
    provider_id="simpo_1",
    state=OutgoingState.COMPLETED,
    amount=Decimal("50000.01"),
    occurred_at=NOW,
)
BODY = messages.body_of(UPDATE, OutgoingProduct.PAYOUT)
URL = "/callbacks/payout/simulator"


def signed(body=BODY, now=NOW, **changes):
    return {**callbacks.signed_headers(body, now), **changes}


def test_signed_callback_is_read_as_it_was_sent(payout_port):
    assert payout_port.read_callback(Callback(signed(), BODY), NOW) == UPDATE
    headers = {name.upper(): value for name, value in signed().items()}
    assert payout_port.read_callback(Callback(headers, BODY), NOW) == UPDATE


@pytest.mark.parametrize("seconds", [-300, 0, 300])
def test_five_minutes_are_tolerated(payout_port, seconds):
    now = NOW + timedelta(seconds=seconds)
    assert payout_port.read_callback(Callback(signed(), BODY), now) == UPDATE


@pytest.mark.parametrize("seconds", [-301, 301])
def test_older_and_later_ones_are_refused(payout_port, seconds):
    with pytest.raises(InvalidCallback):
        payout_port.read_callback(Callback(signed(), BODY), NOW + timedelta(seconds=seconds))


@pytest.mark.parametrize(
    "headers",
    [
        {},
        signed(**{callbacks.SIGNATURE_HEADER: ""}),
        signed(**{callbacks.SIGNATURE_HEADER: "0" * 64}),
        signed(**{callbacks.SIGNATURE_HEADER: "ñ" * 64}),
        signed(**{callbacks.TIMESTAMP_HEADER: str(int(NOW.timestamp() * 1000) + 1)}),
        signed(**{callbacks.TIMESTAMP_HEADER: "9" * 5000}),
        signed(body=b"{}"),
    ],
)
def test_unsigned_and_forged_ones_are_refused(payout_port, headers):
    with pytest.raises(InvalidCallback):
        payout_port.read_callback(Callback(headers, BODY), NOW)


def test_one_changed_byte_is_refused(payout_port):
    for before, after in ((b"50000.01", b"50000.02"), (b"po_1", b"po_2")):
        with pytest.raises(InvalidCallback):
            payout_port.read_callback(Callback(signed(), BODY.replace(before, after)), NOW)


def test_another_secret_is_refused(payout_port, settings):
    headers = signed()
    settings.SIMULATOR_CALLBACK_SECRET = "another"
    with pytest.raises(InvalidCallback):
        payout_port.read_callback(Callback(headers, BODY), NOW)


@pytest.mark.parametrize(
    "changes",
    [
        {"state": "PAID"},
        {"state": "UNKNOWN"},
        {"state": None},
        {"amount": 50000},
        {"amount": "NaN"},
        {"amount": "-1"},
        {"occurredAt": "yesterday"},
        {"product": None},
        {"product": "charge"},
        {"authorization": 123456},
        {"reference": 7},
        {"providerId": None},
    ],
)
def test_a_signed_body_must_make_sense(payout_port, changes):
    body = jsontext.dumps({**jsontext.loads(BODY), **changes}).encode()
    with pytest.raises(InvalidCallback):
        payout_port.read_callback(Callback(signed(body), body), NOW)


@pytest.mark.parametrize("body", [b"", b"null", b"[]", b"{}", b"\xff", b"[" * 9000, b" " * 20000])
def test_a_signed_body_must_be_a_message(payout_port, body):
    with pytest.raises(InvalidCallback):
        payout_port.read_callback(Callback(signed(body), body), NOW)


def test_words_on_a_charge_are_none_on_a_payout(payout_port, port):
    """They are signed with the same secret."""
    with pytest.raises(InvalidCallback):
        payout_port.read_callback(Callback(payin.signed(), payin.BODY), payin.NOW)
    with pytest.raises(InvalidCallback):
        port.read_callback(Callback(signed(), BODY), NOW)


@pytest.mark.parametrize("product", OutgoingProduct)
def test_each_product_reads_its_own(payout_port, topup_port, bill_port, product):
    """They, too, are signed with the same secret: only the address and the product differ."""
    refund_port = registry.outgoing("refund").configured()
    ports = dict(
        zip(OutgoingProduct, (payout_port, topup_port, bill_port, refund_port), strict=True)
    )
    update = replace(UPDATE, authorization="012345")
    body = messages.body_of(update, product)
    assert ports.pop(product).read_callback(Callback(signed(body), body), NOW) == update
    for port in ports.values():
        with pytest.raises(InvalidCallback):
            port.read_callback(Callback(signed(body), body), NOW)


def test_a_replay_verifies_again(payout_port):
    headers = signed()
    replays = {payout_port.read_callback(Callback(headers, BODY), NOW) for _ in range(64)}
    assert replays == {UPDATE}


def test_the_route_refuses_a_forgery(arrived_outgoing):
    post = Client().post
    assert post(URL, BODY, content_type="application/json").status_code == 401
    assert arrived_outgoing == []
    headers = callbacks.signed_headers(BODY, clock.now())
    answer = post(URL, BODY, content_type="application/json", headers=headers)
    assert (answer.status_code, arrived_outgoing) == (200, [UPDATE])
