"""Payouts over a provider account: banks by their ACH codes, events that only hint, doubts."""

from datetime import timedelta
from io import StringIO

import pytest
import time_machine
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from django.utils import translation

from payments.core import clock, jsontext
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.outgoing import completion
from payments.outgoing.admin.next_steps import of_outgoing
from payments.outgoing.completion import NOT_SENT_AGAIN
from payments.payout.models import Bank, Payout
from payments.payout.services.bank_codes import load_codes
from payments.payout.services.engine import engine
from payments.providers import ports
from payments.providers.http import RailAnswer
from payments.providers.wompi_payouts.client import PayoutsClient
from payments.providers.wompi_payouts.payout import WompiPayout
from tests.rails.accounts import route, wompi_payouts
from tests.rails.event_receiver import EventReceiver
from tests.rails.http_calls import wait_until
from tests.support.factories import payout_body
from tests.support.funds import fund
from tests.support.outgoing_payments import resolve

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogues")]
ACCOUNT = "wompi-payouts-main"


@pytest.fixture
def fake(api, merchant):
    fund(merchant, 10_000_000)
    with wompi_payouts(settle_seconds=None) as server, EventReceiver() as receiver:
        server.control.set(events_url=receiver.url, events_left_out=["payout.updated"])
        server.receiver = receiver
        route("payout", ACCOUNT)
        load_codes(account=ACCOUNT, actor="olga")
        yield server
        assert server.control.complaints() == []


def send(api, **changes):
    headers = {"Idempotency-Key": f"payout-{Payout.objects.count()}"}
    answer = api.post("/payout", payout_body(**changes), headers=headers)
    assert answer.status_code == 201, answer.content
    return Payout.objects.get(pk=answer.body["data"]["payoutId"])


def end(fake, payout, status):
    reference = payout.provider_reference.replace("_", "-")
    fake.control.call("POST", f"transactions/{reference}", {"status": status})
    event = wait_until(lambda: fake.receiver.received and fake.receiver.received[-1])
    answer = Client().post(
        f"/callbacks/payout/{ACCOUNT}",
        jsontext.dumps(event.body),
        content_type="application/json",
    )
    assert answer.status_code == 200


def test_payout_goes_out_and_an_event_without_our_reference_completes_it(api, merchant, fake):
    payout = send(api)
    assert payout.provider == ACCOUNT
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert (payout.status, bool(payout.provider_id)) == ("PROCESSING", True)
    end(fake, payout, "APPROVED")
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert payout.status == "COMPLETED"


def test_payout_to_a_closed_account_gives_the_money_back(api, merchant, fake):
    before = ledger.balances(merchant.pk)["COPM"]["available"]
    payout = send(api)
    engine.process_due(now=clock.now())
    end(fake, payout, "FAILED")
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert (payout.status, payout.failure_reason) == ("FAILED", "ACCOUNT_CLOSED")
    assert ledger.balances(merchant.pk)["COPM"]["available"] == before


@pytest.mark.parametrize("is_deaf", [False, True])
def test_payout_that_failed_here_and_was_paid_there_is_shown_to_an_operator(api, fake, is_deaf):
    """The rail's hint is followed whatever the state, also if its first query fails."""
    payout = send(api)
    engine.process_due(now=clock.now())
    with transaction.atomic():
        completion.fail(
            engine.product, engine.lock(payout.pk), now=clock.now(), actor=ACCOUNT, reason="X"
        )
    if is_deaf:
        fake.control.fault("GET /v1/transactions/*", "error_500")
    end(fake, payout, "APPROVED")
    for hours in (0, 2):
        engine.process_due(now=clock.now() + timedelta(hours=hours))
    payout.refresh_from_db()
    assert (payout.status, payout.needs_operator) == ("FAILED", True)
    assert fake.control.state()["requests"]["POST /v1/payouts"] == 1


def test_refused_repetition_and_a_404_of_a_gateway_release_nothing(
    api, merchant, fake, monkeypatch
):
    fake.control.fault("POST /v1/payouts", "lose_answer")
    payout = send(api)
    engine.process_due(now=clock.now())
    held = ledger.balances(merchant.pk)["COPM"]

    def refuse(*_):
        raise ports.ProviderRefused("LIMIT_EXCEEDED")

    unknown = {"status": 404, "code": "NOT_FOUND", "type": "VALIDATION", "message": "", "meta": {}}
    answers = iter([RailAnswer(404, unknown), RailAnswer(404, None)])
    with monkeypatch.context() as patch:
        patch.setattr(WompiPayout, "send", refuse)
        patch.setattr(PayoutsClient, "get", lambda *_, **__: next(answers))
        engine.process_due(now=clock.now() + timedelta(minutes=5))
    payout.refresh_from_db()
    assert (payout.status, payout.needs_operator) == ("PROCESSING", True)
    assert ledger.balances(merchant.pk)["COPM"] == held
    assert payout.last_sent_at != payout.sent_at


def test_lost_answer_pays_once(api, merchant, fake):
    fake.control.fault("POST /v1/payouts", "lose_answer")
    payout = send(api)
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert payout.status == "PROCESSING"
    fake.control.call(
        "POST",
        f"transactions/{payout.provider_reference.replace('_', '-')}",
        {"status": "APPROVED"},
    )
    engine.process_due(now=clock.now() + timedelta(minutes=5))
    payout.refresh_from_db()
    assert payout.status == "COMPLETED"
    assert list(fake.control.state()["paid_in_cents"].values()) == [int(payout.amount) * 100]


def test_unknown_payout_is_not_sent_again_once_the_rail_may_have_forgotten_its_key(
    api, merchant, fake
):
    fake.control.fault("POST /v1/payouts", "lose_request", times=None)
    payout = send(api)
    engine.process_due(now=clock.now())
    engine.process_due(now=clock.now() + timedelta(hours=25))
    payout.refresh_from_db()
    assert (payout.status, payout.needs_operator) == ("PROCESSING", True)
    assert fake.control.state()["requests"]["POST /v1/payouts"] == 1


def test_payout_whose_refusal_was_lost_is_ended_by_an_operator_and_not_paid(api, merchant, fake):
    """The refusal used the idempotency key: the rail neither takes the payout nor shows it."""
    before = ledger.balances(merchant.pk)["COPM"]["available"]
    limit = fake.control.state()["settings"]["daily_limit_in_cents"]
    fake.control.set(daily_limit_in_cents=0)
    fake.control.fault("POST /v1/payouts", "lose_answer")
    payout = send(api)
    engine.process_due(now=clock.now())
    fake.control.set(daily_limit_in_cents=limit)

    for hours in (1, 6, 23):
        scan_at(payout, hours)
        assert (payout.status, payout.needs_operator) == ("PROCESSING", False)
    calls = fake.control.state()["requests"]["POST /v1/payouts"]
    for hours in (25, 30):  # the rail has forgotten the key, and would pay
        scan_at(payout, hours)
        assert (payout.status, payout.needs_operator) == ("PROCESSING", True)
    assert fake.control.state()["requests"]["POST /v1/payouts"] == calls > 1
    with translation.override("en"):
        step = of_outgoing(payout)
    assert f"Look for {payout.provider_reference} at the rail" in step.why
    assert step.actions == ("resolve", "ask_rail")

    with time_machine.travel(clock.now() + timedelta(hours=31)):
        resolve(engine, payout, "FAILED")
    payout.refresh_from_db()
    assert (payout.status, payout.needs_operator) == ("FAILED", False)
    assert ledger.balances(merchant.pk)["COPM"]["available"] == before
    assert fake.control.state()["paid_in_cents"] == {}
    assert AuditEntry.objects.filter(subject_id=payout.pk, action=NOT_SENT_AGAIN).count() == 1


def scan_at(payout, hours):
    with time_machine.travel(clock.now() + timedelta(hours=hours)):
        engine.process_due(now=clock.now())
    payout.refresh_from_db()


def test_bank_that_the_account_does_not_reach_is_refused(api, merchant, fake):
    Bank.objects.create(slug="banco-nuevo", name="Banco Nuevo", codes={"simulator": "1999"})
    body = payout_body(bankCanonicalId="banco-nuevo")
    answer = api.post("/payout", body, headers={"Idempotency-Key": "other-bank"})
    assert answer.status_code == 400


def test_command_loads_banks_by_ach_code_once(fake):
    bank = Bank.objects.get(codes__simulator="1007")
    assert bank.codes["ach"] == "1007"
    assert len(bank.codes[ACCOUNT]) == 36
    count = Bank.objects.count()
    out = StringIO()
    call_command("load_payout_banks", ACCOUNT, stdout=out)
    assert Bank.objects.count() == count
    assert jsontext.loads(out.getvalue().encode())["banks"] == 4


def test_ach_code_that_the_rail_lists_twice_is_taken_from_neither(fake, monkeypatch):
    banks = (
        ports.PayoutBank(code="one", ach_code="1007", name="Bancolombia"),
        ports.PayoutBank(code="two", ach_code="1007", name="Bancolombia Ahorro a la Mano"),
        ports.PayoutBank(code="three", ach_code="1051", name="Davivienda"),
    )
    monkeypatch.setattr(WompiPayout, "payout_banks", lambda _: banks)
    out = StringIO()
    call_command("load_payout_banks", ACCOUNT, stdout=out)
    told = jsontext.loads(out.getvalue().encode())
    assert (told["banks"], told["ambiguous"]) == (1, ["1007"])
    assert ACCOUNT not in Bank.objects.get(codes__simulator="1007").codes
