"""The adapter of Wompi's payouts against a fake that was written from the documents alone."""

import time
from dataclasses import replace
from decimal import Decimal

import pytest

from payments.core import clock, ids, jsontext
from payments.providers.account import Mode, RailAccount
from payments.providers.http import RailAnswer
from payments.providers.ports import (
    Callback,
    Hint,
    InvalidCallback,
    Known,
    OutgoingReason,
    OutgoingState,
    PayoutNetwork,
    PayoutRequest,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
)
from payments.providers.wompi import signatures
from payments.providers.wompi_payouts.client import PayoutsClient
from payments.providers.wompi_payouts.payout import WompiPayout
from tests.rails.accounts import payouts_credentials
from tests.rails.event_receiver import EventReceiver
from tests.rails.fake_server.server import RunningServer
from tests.rails.http_calls import wait_until
from tests.rails.wompi_payouts.rail import WompiPayoutsRail

TIMEOUT = 5.0
S = OutgoingState


@pytest.fixture
def fake():
    rail = WompiPayoutsRail(settle_seconds=0)
    with RunningServer(rail) as server:
        yield server
        assert server.control.complaints() == []


@pytest.fixture
def rail(fake):
    return WompiPayout(
        RailAccount(
            slug="wompi-payouts-main",
            mode=Mode.SANDBOX,
            credentials=payouts_credentials(fake.rail),
            base_url=fake.url,
        )
    )


@pytest.fixture
def to_bank(rail):
    """A payout to a bank account."""
    bank = next(one for one in rail.payout_banks() if one.ach_code == "1007")

    def make(**changes):
        request = PayoutRequest(
            reference=ids.new_id("por"),
            payment_id=ids.new_id("po"),
            network=PayoutNetwork.BANK,
            amount=Decimal(125000),
            recipient_name="Ana Prueba",
            document_type="CC",
            document_number="1099888777",
            bank_code=bank.code,
            account_type="SAVINGS",
            account_number="12345678901",
            description="Pago 123",
            callback_url="",
        )
        return replace(request, **changes)

    return make


@pytest.fixture
def to_key(to_bank):
    def make(key="@elias123", **changes):
        return to_bank(
            network=PayoutNetwork.BREB,
            bank_code="",
            account_type="",
            account_number="",
            key_type="ALPHANUMERIC",
            key_value=key,
            **changes,
        )

    return make


def ended(rail, request):
    def ask():
        update = rail.query(Known(reference=request.reference))
        return update if update.state is not S.PENDING else None

    return wait_until(ask)


def test_event_of_the_documentation_is_genuine():
    event = {
        "data": {
            "transaction": {
                "id": "04a6e53d-a244-4140-ab9e-48fa541f9fe5",
                "status": "FAILED",
                "amountInCents": 7500000,
            }
        },
        "signature": {
            "properties": ["transaction.id", "transaction.status", "transaction.amountInCents"],
            "checksum": "82f0e769716170e202edfd348f604bd8461cdeeb416594cde563a890215a5282",
        },
        "timestamp": 1747673128600,
    }
    signatures.check_event(event, ["prod_events_7b193c8afd7b47949f90d443cb1e1742"])


def test_payouts_to_a_bank_and_to_a_key_arrive(rail, to_bank, to_key):
    for request in (to_bank(), to_key(), to_bank(document_type="NIT", document_number="900123456")):
        sent = rail.send(request, TIMEOUT)
        assert (sent.state, sent.reference) == (S.PENDING, request.reference)
        assert sent.provider_id
        update = ended(rail, request)
        assert (update.state, update.amount) == (S.COMPLETED, request.amount)


def test_payout_to_a_closed_account_fails_with_its_reason(fake, rail, to_bank):
    fake.control.set(outcome="FAILED")
    request = to_bank()
    rail.send(request, TIMEOUT)
    update = ended(rail, request)
    assert (update.state, update.reason) == (S.FAILED, OutgoingReason.ACCOUNT_CLOSED)


@pytest.mark.parametrize("shape", ["page", "list", "one"])
@pytest.mark.parametrize("envelope", ["always", "never"])
def test_every_documented_shape_of_a_query_is_read(fake, rail, to_bank, shape, envelope):
    fake.control.set(by_reference=shape, get_envelope=envelope)
    request = to_bank()
    rail.send(request, TIMEOUT)
    assert ended(rail, request).state is S.COMPLETED


@pytest.mark.parametrize("unknown", ["empty", "not_found"])
def test_reference_that_the_rail_never_saw_is_unknown(fake, rail, unknown):
    fake.control.set(unknown_reference=unknown)
    assert rail.query(Known(reference=ids.new_id("por"))).state is S.UNKNOWN


@pytest.mark.parametrize(
    "answer",
    [
        RailAnswer(404, None),
        RailAnswer(404, {"message": "no Route matched with those values"}),
        RailAnswer(404, {"status": 404, "error": "Not Found", "path": "/v1/transactions"}),
        RailAnswer(200, {"message": "ok"}),
        RailAnswer(200, [{"reference": "another", "status": "FAILED", "amountInCents": 1}]),
    ],
)
def test_answer_that_is_not_the_rails_own_is_no_proof_that_it_knows_nothing(
    rail, monkeypatch, answer
):
    monkeypatch.setattr(PayoutsClient, "get", lambda *_, **__: answer)
    with pytest.raises(ProviderTimeout):
        rail.query(Known(reference=ids.new_id("por")))


@pytest.mark.parametrize(
    ("statuses", "state"),
    [
        (["FAILED", "APPROVED"], S.COMPLETED),
        (["FAILED", "PROCESSING"], S.PENDING),
        (["PROCESSING", "FAILED", "APPROVED"], S.COMPLETED),
        (["FAILED", "REJECTED"], S.FAILED),
    ],
)
def test_of_several_transactions_the_one_that_was_paid_counts(rail, monkeypatch, statuses, state):
    reference = ids.new_id("por")
    row = {"reference": reference.replace("_", "-"), "payoutId": "p", "amountInCents": 100}
    rows = [{**row, "status": status} for status in statuses]
    monkeypatch.setattr(PayoutsClient, "get", lambda *_, **__: RailAnswer(200, rows))
    assert rail.query(Known(reference=reference)).state is state


def test_repeated_reference_is_queried_and_paid_once(fake, rail, to_bank):
    request = to_bank()
    rail.send(request, TIMEOUT)
    again = rail.send(request, TIMEOUT)
    assert again.state in (S.PENDING, S.COMPLETED)
    ended(rail, request)
    paid = fake.control.state()["paid_in_cents"]
    assert paid == {request.reference.replace("_", "-"): 12500000}


def test_lost_answer_is_a_doubt_and_the_query_finds_the_payout(fake, rail, to_bank):
    fake.control.fault("POST /v1/payouts", "lose_answer")
    request = to_bank()
    with pytest.raises(ProviderTimeout):
        rail.send(request, TIMEOUT)
    assert ended(rail, request).state is S.COMPLETED


@pytest.mark.parametrize(
    ("key", "reason"),
    [
        ("noexiste@test.com", OutgoingReason.KEY_NOT_FOUND),
        ("inactiva@test.com", OutgoingReason.ACCOUNT_CLOSED),
    ],
)
def test_bad_key_is_a_definite_refusal(rail, to_key, key, reason):
    with pytest.raises(ProviderRefused) as refused:
        rail.send(to_key(key), TIMEOUT)
    assert refused.value.reason == reason


def test_empty_account_of_ours_is_no_refusal_of_the_payout(fake, rail, to_bank):
    fake.control.set(balance_in_cents=100)
    with pytest.raises(ProviderUnreachable):
        rail.send(to_bank(), TIMEOUT)


def test_limit_of_the_day_is_a_refusal(fake, rail, to_bank):
    fake.control.set(daily_limit_in_cents=100)
    with pytest.raises(ProviderRefused) as refused:
        rail.send(to_bank(), TIMEOUT)
    assert refused.value.reason == OutgoingReason.LIMIT_EXCEEDED


@pytest.mark.parametrize("fault", ["error_500", "bad_gateway", "invalid_json", "lose_request"])
def test_unclear_answers_are_doubts(fake, rail, to_bank, fault):
    fake.control.fault("POST /v1/payouts", fault)
    with pytest.raises(ProviderTimeout):
        rail.send(to_bank(), TIMEOUT)


def test_event_without_our_reference_hints_at_the_payout(fake, rail, to_bank):
    with EventReceiver() as receiver:
        fake.control.set(events_url=receiver.url, events_left_out=["payout.updated"])
        sent = rail.send(to_bank(), TIMEOUT)
        event = wait_until(lambda: receiver.received and receiver.received[-1])
    body = jsontext.dumps(event.body).encode()
    assert rail.read_callback(Callback({}, body), clock.now()) == Hint(provider_id=sent.provider_id)
    with pytest.raises(InvalidCallback):
        rail.read_callback(Callback({}, body.replace(b"APPROVED", b"FAILED")), clock.now())


@pytest.mark.parametrize("apart", [True, False])
def test_payout_that_an_event_names_is_found_in_either_version(fake, rail, to_bank, to_key, apart):
    fake.control.set(versions_apart=apart, search_lag_seconds=60)
    for request in (to_bank(), to_key()):
        sent = rail.send(request, TIMEOUT)
        assert rail.find_reference(sent.provider_id) == request.reference
        known = Known(reference=request.reference, provider_id=sent.provider_id)
        assert rail.query(known).state is not OutgoingState.UNKNOWN
    assert rail.find_reference("payout-99") == ""
    fake.control.fault("GET /v1/payouts/*", "error_500")
    with pytest.raises(ProviderTimeout):
        rail.find_reference(sent.provider_id)


def test_rail_that_used_the_key_and_cannot_be_asked_is_a_doubt(fake, rail, to_bank):
    for fault in ("too_many", "error_500", "lose_answer"):
        request = to_bank()
        rail.send(request, TIMEOUT)
        fake.control.fault("GET /v1/transactions/*", fault, times=2)
        with pytest.raises(ProviderTimeout):
            rail.send(request, TIMEOUT)
        fake.control.call("DELETE", "faults")


def test_rail_that_does_not_show_a_used_key_is_a_doubt(fake, rail, to_bank):
    fake.control.set(search_lag_seconds=60)
    request = to_bank()
    rail.send(request, TIMEOUT)
    with pytest.raises(ProviderTimeout):
        rail.send(request, TIMEOUT)


@pytest.mark.parametrize("executes", [True, False])
def test_used_key_is_known_only_if_the_rail_shows_the_payout(fake, rail, to_bank, executes):
    fake.control.fault("POST /v1/payouts", "conflict", executes=executes)
    request = to_bank()
    if executes:
        assert rail.send(request, TIMEOUT).provider_id
    else:
        with pytest.raises(ProviderTimeout):
            rail.send(request, TIMEOUT)


def test_refusal_does_not_hide_a_payout_that_an_earlier_call_made(fake, rail, to_bank):
    """Its money would be given back although it left."""
    request = to_bank()
    first = rail.send(request, TIMEOUT)
    fake.control.set(idempotency_seconds=0, daily_limit_in_cents=100)
    assert rail.send(request, TIMEOUT).provider_id == first.provider_id


def test_query_names_the_payout_of_a_lost_answer_as_its_events_do(fake, rail, to_bank):
    fake.control.fault("POST /v1/payouts", "lose_answer")
    with EventReceiver() as receiver:
        fake.control.set(events_url=receiver.url, events_left_out=["payout.updated"])
        request = to_bank()
        with pytest.raises(ProviderTimeout):
            rail.send(request, TIMEOUT)
        event = wait_until(lambda: receiver.received and receiver.received[-1])
    hint = rail.read_callback(Callback({}, jsontext.dumps(event.body).encode()), clock.now())
    assert hint == Hint(provider_id=rail.query(Known(reference=request.reference)).provider_id)


def test_query_tells_the_state_also_where_the_rail_does_not_name_the_payout(fake, rail, to_bank):
    request = to_bank()
    rail.send(request, TIMEOUT)
    ended(rail, request)
    fake.control.fault("GET /v1/payouts", "error_500", times=2)
    update = rail.query(Known(reference=request.reference))
    assert (update.state, update.provider_id) == (S.COMPLETED, "")


@pytest.mark.parametrize(
    ("key_type", "key"),
    [
        ("PHONE", "3001234567"),
        ("EMAIL", "ecolon@wompi.com"),
        ("ALPHANUMERIC", "@elias123"),
        ("ID", "1020304050"),
        ("BCODE", "900123456"),
    ],
)
def test_every_type_of_key_is_resolved(rail, key_type, key):
    found = rail.resolve_key(key_type, key, TIMEOUT)
    assert found.bank == "BANCOLOMBIA"
    assert "*" in found.name


def test_key_with_signs_of_an_address_is_one_part_of_it(rail, fake):
    with pytest.raises(ProviderRefused) as refused:
        rail.resolve_key("EMAIL", "a/../b?c=d#e%2F+f@test.com", TIMEOUT)
    assert refused.value.reason == OutgoingReason.KEY_NOT_FOUND


def test_malformed_key_is_no_unknown_key(rail):
    with pytest.raises(ProviderRefused) as refused:
        rail.resolve_key("ID", "12345", TIMEOUT)
    assert refused.value.reason == OutgoingReason.INVALID_REQUEST


@pytest.mark.parametrize(
    "answer",
    [
        RailAnswer(404, None),
        RailAnswer(404, {"status": 404, "code": "NOT_FOUND", "type": "VALIDATION"}),
        RailAnswer(200, {}),
        RailAnswer(200, {"data": {"holderName": None}}),
        RailAnswer(200, []),
    ],
)
def test_other_answer_says_nothing_of_the_key(rail, monkeypatch, answer):
    monkeypatch.setattr(PayoutsClient, "get", lambda *_args, **_more: answer)
    with pytest.raises(ProviderTimeout):
        rail.resolve_key("PHONE", "3001234567", TIMEOUT)


@pytest.mark.parametrize("cents", [None, "5", 5.5, True])
def test_balance_of_another_shape_is_no_balance(rail, fake, monkeypatch, cents):
    row = {"id": payouts_credentials(fake.rail)["account_id"], "balanceInCents": cents}
    monkeypatch.setattr(PayoutsClient, "get", lambda *_args, **_more: RailAnswer(200, [row]))
    with pytest.raises(ProviderTimeout):
        rail.balance()


def test_balance_of_another_account_is_not_ours(rail, monkeypatch):
    answer = RailAnswer(200, [{"id": "another", "balanceInCents": 100}])
    monkeypatch.setattr(PayoutsClient, "get", lambda *_args, **_more: answer)
    with pytest.raises(ProviderTimeout):
        rail.balance()


def test_repeated_send_and_its_query_end_in_time_together(fake, rail, to_bank):
    request = to_bank()
    first = rail.send(request, TIMEOUT)
    fake.control.fault("GET /v1/transactions/*", "delay", seconds=8)
    began = time.monotonic()
    with pytest.raises(ProviderTimeout):
        rail.send(request, 1)
    assert time.monotonic() - began < 7
    assert rail.send(request, TIMEOUT).provider_id == first.provider_id
