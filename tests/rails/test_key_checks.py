"""The holder of a Bre-B key: asked at the rail, shown to who approves, and never in the way."""

from datetime import timedelta

import pytest
import time_machine
from django.core.cache import cache

from payments.core import clock
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.payout.models import Payout
from payments.payout.services import keys
from payments.payout.services.bank_codes import load_codes
from payments.payout.services.engine import engine
from payments.providers.wompi_payouts.payout import WompiPayout
from payments.rails.models import KeyCheck
from tests.admin.conftest import Console, ana, beto, console, person  # noqa: F401
from tests.rails.accounts import route, wompi_payouts
from tests.support.factories import key_payout_body, payout_body
from tests.support.funds import fund

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogues")]
ACCOUNT = "wompi-payouts-main"
RESOLVE = "GET /v2/breb/keys/resolve/*"
WARNING = "a otro nombre"


@pytest.fixture
def fake(api, merchant):
    fund(merchant, 10_000_000)
    with wompi_payouts(settle_seconds=None) as server:
        route("payout", ACCOUNT)
        yield server
        assert server.control.complaints() == []


def send(api, key_type="ALPHANUMERIC", key_value="@elias123", name="Elias Colón"):
    body = key_payout_body(key_type=key_type, key_value=key_value, recipientName=name)
    answer = api.post("/payout", body, headers={"Idempotency-Key": f"key-{Payout.objects.count()}"})
    assert answer.status_code == 201, answer.content
    return Payout.objects.get(pk=answer.body["data"]["payoutId"])


def asked(fake):
    requests = fake.control.state()["requests"]
    return sum(count for name, count in requests.items() if "/breb/keys/resolve/" in name)


def sent(fake):
    return fake.control.state()["requests"].get("POST /v2/payouts", 0)


def process(payout):
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    return payout


def test_request_asks_nothing_and_the_worker_asks_before_it_sends(api, fake):
    payout = send(api)
    assert asked(fake) == 0
    process(payout)
    assert (payout.status, asked(fake), sent(fake)) == ("PROCESSING", 1, 1)
    check = KeyCheck.objects.get(pk=payout.pk)
    assert (check.result, check.account) == ("FOUND", ACCOUNT)
    assert (check.holder_name, check.bank_name) == ("E**** C****", "BANCOLOMBIA")


@pytest.mark.parametrize(
    ("key", "reason"),
    [("noexiste@test.com", "KEY_NOT_FOUND"), ("inactiva@test.com", "ACCOUNT_CLOSED")],
)
def test_key_that_takes_no_money_ends_the_payout_before_anything_is_sent(
    api, merchant, fake, key, reason
):
    before = ledger.balances(merchant.pk)["COPM"]
    payout = process(send(api, "EMAIL", key))
    assert (payout.status, payout.failure_reason, payout.sent_at) == ("FAILED", reason, None)
    assert (asked(fake), sent(fake)) == (1, 0)
    assert ledger.balances(merchant.pk)["COPM"] == before


@pytest.mark.parametrize("fault", ["error_500", "too_many", "lose_answer", "invalid_json"])
def test_rail_that_names_no_holder_stops_nothing(api, fake, fault):
    fake.control.fault(RESOLVE, fault, times=None)
    payout = process(send(api))
    assert (payout.status, bool(payout.provider_id)) == ("PROCESSING", True)
    assert KeyCheck.objects.get(pk=payout.pk).result == "UNRESOLVED"


@pytest.mark.parametrize("key", ["timeout@test.com", "error@test.com"])
def test_key_whose_service_is_away_is_sent_all_the_same(api, fake, key):
    payout = process(send(api, "EMAIL", key))
    assert (asked(fake), sent(fake)) == (1, 1)
    assert KeyCheck.objects.get(pk=payout.pk).result == "UNRESOLVED"


def test_defect_of_the_adapter_stops_nothing(api, fake, monkeypatch):
    def breaks(*_args):
        raise RuntimeError

    monkeypatch.setattr(WompiPayout, "resolve_key", breaks)
    assert process(send(api)).status == "PROCESSING"


def test_rail_that_does_not_answer_is_left_alone_for_a_while(api, fake, settings):
    settings.PROVIDER_BREAKER_FAILURES = 2
    fake.control.fault(RESOLVE, "error_500", times=None)
    for _ in range(4):
        process(send(api))
    assert (asked(fake), sent(fake)) == (2, 4)
    cache.clear()


def test_bank_account_has_no_key_to_ask_for(api, fake, merchant):
    load_codes(account=ACCOUNT, actor="olga")
    api.post("/payout", payout_body(), headers={"Idempotency-Key": "bank-1"})
    payout = process(Payout.objects.get())
    assert (payout.status, asked(fake)) == ("PROCESSING", 0)
    assert not KeyCheck.objects.exists()


@pytest.fixture
def waiting(api, fake, merchant):
    """A payout to a key that a second person approves."""
    merchant.payout_approval_above = 1
    merchant.save(update_fields=["payout_approval_above"])
    return lambda **changes: send(api, **changes)


def test_who_approves_sees_the_holder_and_the_audit_row_keeps_it(fake, waiting, console):  # noqa: F811
    payout = waiting()
    assert (
        "Aún no se ha consultado"
        in console.page("payout_payout_change", payout.pk).content.decode()
    )
    page = console.page("payout_payout_approve", payout.pk).content.decode()
    assert "E**** C**** · BANCOLOMBIA" in page
    assert WARNING not in page
    assert asked(fake) == 1
    page = console.page("payout_payout_change", payout.pk).content.decode()
    assert "E**** C**** · BANCOLOMBIA" in page
    assert console.submit("payout_payout_approve", payout.pk).status_code == 302
    details = AuditEntry.objects.get(action="payout.approved").details
    assert (details["key"], details["key_holder"]) == ("FOUND", "E**** C****")
    process(payout)
    assert (payout.status, asked(fake)) == ("PROCESSING", 1)  # asked less than ten minutes ago


def test_another_name_is_a_warning_and_no_refusal(fake, waiting, console):  # noqa: F811
    payout = waiting(name="Beatriz Pinzón")
    assert WARNING in console.page("payout_payout_approve", payout.pk).content.decode()
    assert WARNING in console.page("payout_payout_change", payout.pk).content.decode()
    console.submit("payout_payout_approve", payout.pk)
    assert process(payout).status == "PROCESSING"


def test_unknown_key_is_shown_to_who_approves(fake, waiting, console):  # noqa: F811
    payout = waiting(key_type="EMAIL", key_value="noexiste@test.com")
    page = console.page("payout_payout_approve", payout.pk).content.decode()
    assert "no conoce esa llave" in page


def test_rail_that_is_away_is_shown_as_not_resolved(fake, waiting, console):  # noqa: F811
    payout = waiting()
    fake.control.call("POST", "outage", {"seconds": None})
    page = console.page("payout_payout_approve", payout.pk).content.decode()
    assert "No resuelta" in page
    fake.control.call("POST", "outage", {"seconds": 0})
    assert "E**** C****" in console.page("payout_payout_approve", payout.pk).content.decode()
    fake.control.call("POST", "outage", {"seconds": None})
    later = keys.check(payout=payout, now=clock.now() + timedelta(hours=1))
    assert later.holder_name == "E**** C****"  # the last answer, with its time
    assert later.checked_at < clock.now()
    fake.control.call("POST", "outage", {"seconds": 0})


def test_holder_is_asked_for_again_after_a_while(fake, waiting, console):  # noqa: F811
    payout = waiting()
    for _ in range(2):
        console.page("payout_payout_approve", payout.pk)
    assert asked(fake) == 1
    with time_machine.travel(clock.now() + timedelta(minutes=11), tick=True):
        console.page("payout_payout_approve", payout.pk)
    assert asked(fake) == 2


def test_only_who_may_approve_makes_the_service_ask(fake, waiting, db):
    payout, viewer = waiting(), person("vera", "Viewer")
    assert viewer.page("payout_payout_approve", payout.pk).status_code == 403
    assert asked(fake) == 0
