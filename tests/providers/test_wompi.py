"""Wompi's adapter against a fake rail that was written from the rail's documents alone."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest
from structlog.testing import capture_logs

from payments.core import clock, ids
from payments.providers.account import Mode, RailAccount
from payments.providers.http import RailAnswer
from payments.providers.ports import (
    Callback,
    ChargeRequest,
    ChargeStatus,
    Flow,
    Ignored,
    InvalidCallback,
    Known,
    Payer,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    Rail,
    Reason,
)
from payments.providers.wompi.client import WompiClient
from payments.providers.wompi.payin import WompiPayin
from tests.rails.event_receiver import EventReceiver
from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import wait_until
from tests.rails.terms import WOMPI_TERMS
from tests.rails.wompi.rail import WompiRail
from tests.rails.wompi_client import EVENTS_SECRET, INTEGRITY_SECRET, PRIVATE_KEY, PUBLIC_KEY

TIMEOUT = 5.0
CREDENTIALS = {
    "public_key": PUBLIC_KEY,
    "private_key": PRIVATE_KEY,
    "integrity_secret": INTEGRITY_SECRET,
    "events_secret": EVENTS_SECRET,
}


@pytest.fixture
def fake():
    with RunningServer(WompiRail(url_delay_seconds=0, nequi_delay_seconds=0)) as server:
        yield server
        assert server.control.complaints() == []


def account_of(fake, **credentials):
    return RailAccount(
        slug="wompi-main",
        mode=Mode.SANDBOX,
        credentials={**CREDENTIALS, **credentials},
        base_url=f"{fake.url}/v1",
    )


@pytest.fixture
def payin(fake):
    return WompiPayin(account_of(fake))


def charge(**changes):
    request = ChargeRequest(
        reference=ids.new_id("chg"),
        method=Rail.PSE,
        amount=Decimal("24900"),
        currency="COP",
        description="Café de Nariño, 2 libras para O'Brien y familia",
        payer=Payer(
            name="Ana Prueba",
            email="ana@example.com",
            phone="3001234567",
            document_type="CC",
            document_number="1099888777",
        ),
        fields={"bankCode": "1", "personType": "NATURAL"},
        return_url="https://pagos.example/pay/1/return",
        callback_url="https://pagos.example/callbacks/payin/wompi-main",
        expires_at=clock.now() + timedelta(hours=1),
        accepted_terms=tuple(term.url for term in WOMPI_TERMS),
    )
    return replace(request, **changes)


def nequi(**changes):
    fields = {"phone": "3991111111"}
    return charge(method=Rail.BANK_TRANSFER, direct_method="wompi_nequi", fields=fields, **changes)


def query_until(payin, reference, condition):
    def ask():
        update = payin.query(Known(reference=reference))
        return update if condition(update) else None

    return wait_until(ask)


def paid_amount(payin, request):
    return wait_until(lambda: payin.query(Known(reference=request.reference)).received)


def test_page_of_the_bank_comes_after_the_start(payin):
    request = charge()
    started = payin.start(request, TIMEOUT)
    assert (started.flow, started.redirect_url) == (Flow.REDIRECT, None)
    update = query_until(payin, request.reference, lambda update: update.redirect_url)
    assert update.redirect_url.startswith("http")
    assert update.provider_id == started.provider_id


@pytest.mark.parametrize(
    ("bank", "status", "reason"),
    [
        ("1", ChargeStatus.SUCCEEDED, ""),
        ("2", ChargeStatus.FAILED, Reason.REFUSED_BY_BANK),
        ("3", ChargeStatus.FAILED, Reason.REFUSED_BY_PROVIDER),
    ],
)
def test_banks_of_the_sandbox_end_as_documented(payin, bank, status, reason):
    request = charge(fields={"bankCode": bank, "personType": "LEGAL"})
    payin.start(request, TIMEOUT)
    update = query_until(
        payin, request.reference, lambda update: update.status is not ChargeStatus.PENDING
    )
    assert (update.status, update.reason) == (status, reason)
    assert update.received == (request.amount if bank == "1" else 0)
    assert update.currency == "COP"


def test_nequi_wakes_the_app_of_the_payer(payin):
    request = nequi()
    assert payin.start(request, TIMEOUT).flow is Flow.PUSH
    paid = query_until(payin, request.reference, lambda update: update.received)
    assert paid.received == request.amount


def test_empty_account_is_told_apart_where_the_bank_says_so(fake, payin):
    fake.control.set(status_messages={"DECLINED": "Fondos insuficientes"})
    request = charge(fields={"bankCode": "2", "personType": "NATURAL"})
    payin.start(request, TIMEOUT)
    update = query_until(payin, request.reference, lambda update: update.reason)
    assert update.reason == Reason.INSUFFICIENT_FUNDS


def test_placeholder_is_no_bank(fake, payin):
    fake.control.set(bank_placeholder=True)
    banks = payin.banks()
    assert banks
    assert "0" not in {bank.code for bank in banks}
    assert [bank.name for bank in banks] == sorted(bank.name for bank in banks)


def test_payer_can_read_both_documents_of_the_rail(payin):
    assert len({term.url for term in payin.terms()}) == 2


def test_reference_that_was_sent_before_is_one_transaction(payin):
    request = charge()
    first = payin.start(request, TIMEOUT)
    again = payin.start(replace(request, amount=request.amount * 2), TIMEOUT)
    assert again.provider_id == first.provider_id


def test_lost_answer_is_a_doubt_and_the_query_finds_the_transaction(fake, payin):
    fake.control.fault("POST /v1/transactions", "lose_answer", times=1)
    request = charge()
    with pytest.raises(ProviderTimeout):
        payin.start(request, TIMEOUT)
    assert payin.query(Known(reference=request.reference)).status is not ChargeStatus.UNKNOWN


def test_without_acceptance_tokens_nothing_was_started(fake, payin):
    for fault in ("error_500", "invalid_json", "lose_answer"):
        fake.control.fault("GET /v1/merchants/*", fault, times=2)
        with pytest.raises(ProviderUnreachable):
            payin.start(charge(), TIMEOUT)
        fake.control.call("DELETE", "faults")
    assert "POST /v1/transactions" not in fake.control.state()["requests"]


def test_reference_that_the_rail_never_saw_is_unknown(payin):
    assert payin.query(Known(reference=ids.new_id("chg"))).status is ChargeStatus.UNKNOWN


@pytest.mark.parametrize(
    "changes",
    [
        {"amount": Decimal("10.001")},
        {"amount": Decimal(0)},
        {"payer": replace(charge().payer, document_type="PP")},
        {"method": Rail.CRYPTO},
        {"direct_method": "wompi_cards"},
    ],
)
def test_what_the_rail_does_not_carry_is_refused_before_the_call(payin, changes):
    with pytest.raises(ProviderRefused):
        payin.start(charge(**changes), TIMEOUT)


@pytest.mark.parametrize("name", ["public_key", "integrity_secret"])
def test_wrong_credentials_start_nothing(fake, name):
    wrong = WompiPayin(account_of(fake, **{name: f"{CREDENTIALS[name]}x"}))
    with pytest.raises((ProviderUnreachable, ProviderRefused)):
        wrong.start(charge(), TIMEOUT)
    fake.control.call("DELETE", "complaints")


def test_log_of_a_refusal_names_fields_and_no_values(payin, monkeypatch):
    messages = {"customer_email": ["ana@example.com no es un correo"]}
    answer = RailAnswer(422, {"error": {"type": "INPUT_VALIDATION_ERROR", "messages": messages}})
    monkeypatch.setattr(WompiClient, "create", lambda *_: answer)
    with capture_logs() as lines, pytest.raises(ProviderRefused) as refused:
        payin.start(charge(), TIMEOUT)
    (line,) = [one for one in lines if one["event"] == "wompi.refused"]
    assert (line["status"], line["fields"]) == (422, ["customer_email"])
    assert "ana@" not in f"{lines}{refused.value}"


def test_rail_that_has_the_reference_and_cannot_be_asked_is_a_doubt(fake, payin):
    """Another account must not get a charge that may exist here."""
    for fault in ("too_many", "error_500", "lose_answer", "conflict"):
        request = charge()
        payin.start(request, TIMEOUT)
        fake.control.fault("GET /v1/transactions", fault, times=2)
        with pytest.raises(ProviderTimeout):
            payin.start(request, TIMEOUT)
        fake.control.call("DELETE", "faults")


def test_refusal_after_the_deadline_does_not_hide_the_transaction(fake, payin):
    """The rail looks at the deadline before the reference."""
    request = charge()
    first = payin.start(request, TIMEOUT)
    late = replace(request, expires_at=clock.now() - timedelta(seconds=1))
    assert payin.start(late, TIMEOUT).provider_id == first.provider_id
    with pytest.raises(ProviderRefused):
        payin.start(replace(late, reference=ids.new_id("chg")), TIMEOUT)


def test_rail_that_does_not_show_a_used_reference_is_a_doubt(fake, payin):
    fake.control.set(search_lag_seconds=60)
    request = charge()
    payin.start(request, TIMEOUT)
    with pytest.raises(ProviderTimeout):
        payin.start(request, TIMEOUT)


@pytest.mark.parametrize("executes", [True, False])
def test_conflict_is_a_doubt(fake, payin, executes):
    fake.control.fault("POST /v1/transactions", "conflict", executes=executes)
    request = charge()
    with pytest.raises(ProviderTimeout):
        payin.start(request, TIMEOUT)
    assert (
        payin.query(Known(reference=request.reference)).status is ChargeStatus.UNKNOWN
    ) != executes


@pytest.mark.parametrize(
    ("first", "second", "status"),
    [
        ("APPROVED", "DECLINED", ChargeStatus.SUCCEEDED),
        ("DECLINED", "APPROVED", ChargeStatus.SUCCEEDED),
        ("PENDING", "ERROR", ChargeStatus.PENDING),
        ("ERROR", "DECLINED", ChargeStatus.FAILED),
    ],
)
def test_of_two_transactions_the_paid_one_counts_and_then_the_open_one(
    fake, payin, first, second, status
):
    fake.control.set(url_delay_seconds=None)
    request = charge()
    payin.start(request, TIMEOUT)
    path = f"transactions/{request.reference}"
    if first != "PENDING":
        fake.control.call("POST", path, {"status": first})
    fake.control.call("POST", f"{path}/copy", {"status": second})
    assert payin.query(Known(reference=request.reference)).status is status
    if status is ChargeStatus.FAILED:
        with pytest.raises(ProviderRefused):
            payin.start(request, TIMEOUT)
    else:
        assert payin.start(request, TIMEOUT).provider_id


@pytest.mark.parametrize("phone", ["+573001234567", "573001234567", "300 123 4567", "+34911234567"])
@pytest.mark.parametrize("description", ["", "'' '", "ñ" * 200])
def test_whatever_shops_send_has_the_shape_that_the_rail_takes(fake, payin, phone, description):
    payer = replace(charge().payer, phone=phone, name="Ana " * 50)
    request = charge(payer=payer, description=description, amount=Decimal("24900.05"))
    payin.start(request, TIMEOUT)
    found = paid_amount(payin, request)
    assert found == request.amount


@pytest.mark.parametrize("name", ["bankCode", "personType"])
def test_field_that_is_missing_is_refused_before_the_call(fake, payin, name):
    fields = {key: value for key, value in charge().fields.items() if key != name}
    with pytest.raises(ProviderRefused):
        payin.start(charge(fields=fields), TIMEOUT)
    with pytest.raises(ProviderRefused):
        payin.start(replace(nequi(), fields={}), TIMEOUT)
    assert "POST /v1/transactions" not in fake.control.state()["requests"]


def test_event_about_no_transaction_is_invalid(fake, payin):
    with EventReceiver() as receiver:
        fake.control.set(events_url=receiver.url, event_properties=["other"])
        for transaction in (None, 7, [], {"id": 7}, {"status": []}):
            data = {"other": 1, "transaction": transaction}
            fake.control.call("POST", "events", {"event": "transaction.updated", "data": data})
            event = wait_until(lambda: receiver.received and receiver.received.pop())
            with pytest.raises(InvalidCallback):
                payin.read_callback(Callback({}, raw(event)), clock.now())


@pytest.mark.parametrize(
    "body",
    [
        b"[" * 500_000,
        b'{"data":{},"signature":{"properties":["a"],"checksum":"' + b"0" * 1_000_000 + b'"}}',
        b'{"data":{"a":"\\ud800"},"timestamp":1,"signature":{"properties":["a"],"checksum":"0"}}',
        b'{"data":{"a":1},"timestamp":1,"signature":{"properties":["a"],"checksum":"\\ud800"}}',
        b'{"data":{"a":1},"timestamp":1,"signature":{"properties":[7],"checksum":"0"}}',
    ],
)
def test_hostile_body_is_invalid(payin, body):
    with pytest.raises(InvalidCallback):
        payin.read_callback(Callback({}, body), clock.now())


def test_clock_five_minutes_off_changes_nothing(fake, payin):
    for skew in (300, -300):
        fake.control.set(clock_skew_seconds=skew)
        request = charge()
        payin.start(request, TIMEOUT)
        assert paid_amount(payin, request) == request.amount


def test_event_of_a_payment_is_the_same_news_as_a_query(fake, payin):
    with EventReceiver() as receiver:
        fake.control.set(events_url=receiver.url)
        request = charge()
        payin.start(request, TIMEOUT)
        event = wait_until(lambda: receiver.received and receiver.received[-1])
    body = raw(event)
    update = payin.read_callback(Callback({}, body), clock.now())
    assert (update.reference, update.received) == (request.reference, request.amount)
    assert update.provider_id == payin.query(Known(reference=request.reference)).provider_id
    for changed in (body.replace(b"APPROVED", b"DECLINED"), body.replace(b"2490000", b"2490001")):
        with pytest.raises(InvalidCallback):
            payin.read_callback(Callback({}, changed), clock.now())


def raw(event):
    from payments.core import jsontext

    return jsontext.dumps(event.body).encode()


def test_event_of_another_kind_is_ignored_and_one_of_production_refused(fake, payin):
    with EventReceiver() as receiver:
        fake.control.set(events_url=receiver.url, event_properties=["token.id"])
        event = {"event": "nequi_token.updated", "data": {"token": {"id": 7}}}
        fake.control.call("POST", "events", event)
        other = wait_until(lambda: receiver.received and receiver.received[-1])
    assert isinstance(payin.read_callback(Callback({}, raw(other)), clock.now()), Ignored)
    live = WompiPayin(replace(account_of(fake), mode=Mode.LIVE))
    with pytest.raises(InvalidCallback):
        live.read_callback(Callback({}, raw(other)), clock.now())


def test_event_signed_with_the_secret_before_a_rotation_is_taken(fake):
    account = account_of(fake, events_secret="test_events_new")
    rotated = WompiPayin(replace(account, previous=CREDENTIALS))
    with EventReceiver() as receiver:
        fake.control.set(events_url=receiver.url)
        rotated.start(charge(), TIMEOUT)
        event = wait_until(lambda: receiver.received and receiver.received[-1])
    assert rotated.read_callback(Callback({}, raw(event)), clock.now()).received
    with pytest.raises(InvalidCallback):
        WompiPayin(account).read_callback(Callback({}, raw(event)), clock.now())
