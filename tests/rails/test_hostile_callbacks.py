"""What anybody may send to a callback URL, for collections and payouts: no money moves by it."""

from dataclasses import dataclass, field
from datetime import timedelta

import pytest
from django.test import Client

from payments.collect.models import Charge, Order
from payments.collect.services.charges import reconciliation
from payments.core import clock, jsontext
from payments.core.models import AuditEntry, Transition
from payments.ledger.models import Entry
from payments.payout.models import Payout
from payments.payout.services.bank_codes import load_codes
from payments.payout.services.engine import engine
from payments.rails.services import health
from tests.faults import scaled
from tests.rails.accounts import route, wompi, wompi_payouts
from tests.rails.event_receiver import EventReceiver
from tests.rails.http_calls import wait_until
from tests.rails.test_payin_accounts import start
from tests.support.charges import books_are_clean, create
from tests.support.factories import payout_body
from tests.support.funds import fund
from tests.support.invariants import check_invariants
from webhooks.models import Event

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("catalogues")]
FIVE_MINUTES = timedelta(minutes=5)
TIMES = scaled(1000)


@dataclass
class Line:
    """A payment whose rail is about to say that the money arrived."""

    product: str
    account: str
    event: dict
    client: Client = field(default_factory=Client)

    def tell(self, event=None, account=None, product=None):
        body = event if isinstance(event, str) else jsontext.dumps(event or self.event)
        path = f"/callbacks/{product or self.product}/{account or self.account}"
        return self.client.post(path, body, content_type="application/json").status_code

    def work(self):
        """What the background does after a message."""
        reconciliation.reconcile_due(now=clock.now())
        engine.process_due(now=clock.now())

    def is_paid(self):
        if self.product == "payin":
            return Order.objects.get().status == "COMPLETED"
        return Payout.objects.get().status == "COMPLETED"

    def counted(self, outcome):
        return health.callbacks([self.account], [outcome])[self.account, outcome]


def everything():
    """What must not change: states, money, events for the merchant, and what operators see."""
    tables = (Transition, Entry, Event, AuditEntry)
    charges = Charge.objects.values_list("status", "received", "credited", "provider_id")
    payouts = Payout.objects.values_list("status", "provider_id", "needs_operator")
    return [table.objects.count() for table in tables], list(charges), list(payouts)


def collection(api, fake):
    route("payin", "wompi-main")
    charge = start(create(api))
    fake.control.call("POST", f"transactions/{charge.pk}", {"status": "APPROVED"})


def payout(api, fake):
    route("payout", "wompi-payouts-main")
    load_codes(account="wompi-payouts-main", actor="olga")
    answer = api.post("/payout", payout_body(), headers={"Idempotency-Key": "p"})
    assert answer.status_code == 201, answer.content
    engine.process_due(now=clock.now())
    reference = Payout.objects.get().provider_reference.replace("_", "-")
    fake.control.call("POST", f"transactions/{reference}", {"status": "APPROVED"})


NO_REFERENCE = {"settle_seconds": None, "events_left_out": ["payout.updated"]}
LINES = {
    "payin": (wompi, "wompi-main", {"url_delay_seconds": None}, collection),
    "payout": (wompi_payouts, "wompi-payouts-main", NO_REFERENCE, payout),
}


@pytest.fixture(params=LINES)
def product(request):
    return request.param


@pytest.fixture
def rail_skew():
    """How far the rail's clock is off, in seconds."""
    return 0


@pytest.fixture
def line(api, merchant, product, rail_skew):
    fund(merchant, 100_000_000)
    rail, account, settings, begin = LINES[product]
    with rail(account, **settings) as fake, EventReceiver() as receiver:
        fake.control.set(events_url=receiver.url, clock_skew_seconds=rail_skew)
        begin(api, fake)
        event = wait_until(lambda: receiver.received and receiver.received[-1])
        yield Line(product, account, event.body)


@pytest.mark.faults("F25")
def test_genuine_message_a_thousand_times_is_one_payment(merchant, line):
    assert line.tell() == 200
    line.work()
    assert line.is_paid()
    known = everything()
    for _ in range(TIMES):
        assert line.tell() == 200
    line.work()
    assert everything() == known
    assert (line.counted("refused"), line.counted("unused")) == (0, 0)
    check_invariants([merchant.pk])


@pytest.mark.parametrize("skew", [FIVE_MINUTES, -FIVE_MINUTES])
def test_our_clock_five_minutes_off_changes_nothing(line, skew, monkeypatch):
    right = clock.now
    monkeypatch.setattr(clock, "now", lambda: right() + skew)
    assert line.tell() == 200
    line.work()
    assert line.is_paid()
    assert books_are_clean()


@pytest.mark.parametrize("rail_skew", [300, -300])
def test_clock_of_the_rail_five_minutes_off_changes_nothing(line):
    assert line.tell() == 200
    line.work()
    assert line.is_paid()
    assert books_are_clean()


def test_wrong_signature_is_401_and_counted_and_teaches_nothing(line):
    known = everything()
    forged = {**line.event, "timestamp": line.event["timestamp"] + 1}
    for _ in range(100):
        assert line.tell(forged) == 401
    assert everything() == known
    assert (line.counted("refused"), line.counted("unused")) == (100, 0)


def test_unknown_account_or_product_is_404(line):
    known = everything()
    other = "payout" if line.product == "payin" else "payin"
    assert line.tell(account="unknown") == 404
    assert line.tell(product="nothing") == 404
    assert line.tell(product=other) == 404
    assert everything() == known
    assert line.counted("refused") == 0


def test_body_of_a_megabyte_is_refused(line):
    known = everything()
    assert line.tell({**line.event, "more": "x" * 1024 * 1024}) == 413
    assert line.tell("[" * 1024 * 1024) == 413
    assert everything() == known


@pytest.mark.parametrize("body", ["", "[]", "7", "null", '{"event":', '{"data": {}}', "\ud83d"])
def test_what_is_no_event_is_401(line, body):
    known = everything()
    assert line.tell(body.encode("utf-8", "replace").decode()) == 401
    assert everything() == known
