"""References in the shape of a rail: each payment has its own, and old ones lead to it."""

import threading
from contextlib import contextmanager
from dataclasses import replace

import pytest
from django.db import transaction
from django.test import Client

from payments.collect.models import Charge, UnmatchedFunds
from payments.collect.services.charges import reconciliation
from payments.collect.services.errors import ProviderUnavailable
from payments.core import clock, ids
from payments.outgoing.completion import REPORTED_ELSEWHERE, has_finding
from payments.outgoing.resolutions import Decision, acknowledge
from payments.payout.services.engine import engine
from payments.rails.models import FormerState, WireReference
from payments.rails.services import health, wire_references
from tests.admin.conftest import Console, ana, console, person, url  # noqa: F401
from tests.config.test_logs import heard  # noqa: F401
from tests.ledger.books import total
from tests.rails import ferry_accounts
from tests.rails.accounts import route
from tests.rails.ferry_accounts import connect
from tests.rails.test_two_calls import LATER, new_payout, start
from tests.support.charges import books_are_clean, create, status_of
from tests.support.concurrency import run_concurrently

of_threads = pytest.mark.django_db(transaction=True)
of_rows = pytest.mark.django_db


@pytest.fixture
def ferries(monkeypatch, settings, catalogues):
    servers = connect(monkeypatch, settings, "ferry-one", "ferry-two")
    for priority, slug in enumerate(("ferry-one", "ferry-two"), start=1):
        route("payin", slug, priority=priority)
        route("payout", slug, priority=priority)
    return servers


def tell(account, callback, product="payin"):
    return Client().post(
        f"/callbacks/{product}/{account}?{callback.query}",
        callback.body,
        content_type="application/json",
        headers=dict(callback.headers),
    )


def wire_of(reference, account):
    return WireReference.objects.get(reference=reference, account=account).wire_reference


@of_threads
def test_two_payments_that_draw_the_same_reference_get_one_each(ferries, monkeypatch):
    together = threading.Barrier(2)
    drawn = threading.local()

    def draw(_reference):
        drawn.count = getattr(drawn, "count", 0) + 1
        if drawn.count == 1:
            together.wait(30)
        return str(drawn.count)

    rail = ferry_accounts.ferry.RAIL
    monkeypatch.setattr(ferry_accounts.ferry, "RAIL", replace(rail, wire_reference=draw))

    def allocate():
        reference = ids.new_id("chg")
        with transaction.atomic():
            wire = wire_references.allocate(
                account="ferry-one", reference=reference, now=clock.now()
            )
        return reference, wire

    found = dict(run_concurrently([allocate, allocate]))
    assert sorted(found.values()) == ["1", "2"]
    for reference, wire in found.items():
        assert wire_references.find_ours("ferry-one", wire) == reference


@contextmanager
def lying(server):
    server.is_lying = True
    yield
    server.is_lying = False


@of_rows
def test_charge_paid_at_the_account_that_it_left_waits_for_an_operator(api, ferries):
    """The first account answers that it took nothing. It tells its own id of the payment only."""
    first, second = ferries
    order = create(api)
    with lying(first):
        charge = start(order)
    assert (charge.provider, charge.status) == ("ferry-two", "PENDING")
    old, new = wire_of(charge.pk, "ferry-one"), wire_of(charge.pk, "ferry-two")
    assert (charge.wire_reference, charge.provider_state) == (new, {"ticket": "ticket-1"})
    assert FormerState.objects.get().state == {"ticket": "ticket-1"}
    callback = first.pay(old)
    for _ in range(2):
        assert tell("ferry-one", callback).status_code == 200
    funds = UnmatchedFunds.objects.get()
    assert (funds.charge, funds.amount, funds.reason) == (charge, charge.amount, "ACCOUNT")
    assert status_of(order) != "COMPLETED"
    assert health.callbacks(["ferry-one"], [health.ELSEWHERE])["ferry-one", health.ELSEWHERE] == 2
    assert tell("ferry-two", second.pay(new)).status_code == 200
    reconciliation.reconcile_due(now=clock.now())
    assert status_of(order) == "COMPLETED"
    assert UnmatchedFunds.objects.count() == 1
    assert books_are_clean()


@of_rows
def test_account_that_cannot_be_asked_is_told_to_repeat_its_message(api, ferries):
    first, _second = ferries
    with lying(first):
        charge = start(create(api))
    callback = first.pay(wire_of(charge.pk, "ferry-one"))
    with first.away():
        assert tell("ferry-one", callback).status_code == 503
    assert tell("ferry-one", callback).status_code == 200
    assert UnmatchedFunds.objects.get().charge == charge


@of_rows
def test_message_about_nothing_of_ours_is_accepted_and_asked_about_once(api, ferries, monkeypatch):
    first, _second = ferries
    asked = []
    by_id = first.by_id
    monkeypatch.setattr(first, "by_id", lambda number: asked.append(number) or by_id(number))
    first.board(first.new_ticket(1000, clock.now()), "9" * 20)
    callback = first.pay("9" * 20)
    first.payments.clear()
    for _ in range(2):
        assert tell("ferry-one", callback).status_code == 200
    assert asked == ["f-1"]
    assert not UnmatchedFunds.objects.exists()


@of_rows
def test_message_that_overtakes_the_answer_of_the_start_finds_the_charge(api, ferries):
    """The charge has no id of the rail yet."""
    first, _second = ferries
    order = create(api)
    with first.losing_answers(), pytest.raises(ProviderUnavailable):
        start(order)
    charge = Charge.objects.get()
    assert tell("ferry-one", first.pay(charge.wire_reference)).status_code == 200
    reconciliation.reconcile_due(now=clock.now())
    assert status_of(order) == "COMPLETED"


@of_rows
def test_payout_paid_at_the_account_that_it_left_calls_an_operator(api, merchant, ferries):
    first, second = ferries
    payout = new_payout(api, merchant)
    with lying(first):
        engine.process_due(now=clock.now())
    payout.refresh_from_db()
    assert payout.provider == "ferry-two"
    old = wire_of(payout.provider_reference, "ferry-one")
    assert old != payout.wire_reference
    assert tell("ferry-one", first.complete("payout", old), "payout").status_code == 200
    payout.refresh_from_db()
    assert (payout.status, payout.needs_operator) == ("PROCESSING", True)
    assert has_finding(payout, REPORTED_ELSEWHERE)
    second.complete("payout", payout.wire_reference)
    engine.process_due(now=clock.now() + LATER)
    payout.refresh_from_db()
    assert (payout.status, payout.needs_operator) == ("COMPLETED", True)
    assert total("clearing:ferry-two:COPM") == payout.amount
    proof = Decision(actor="ana", reason="Both paid", proof="Statement of ferry-one")
    acknowledge(engine=engine, payment=payout, is_loss=True, decision=proof, now=clock.now())
    assert total("clearing:ferry-one:COPM") == -total("losses:COPM") == payout.amount
    assert books_are_clean()


@of_rows
def test_operators_find_a_payment_by_any_of_its_references_at_rails(
    api,
    ferries,
    console,  # noqa: F811
):
    first, _second = ferries
    with lying(first):
        charge = start(create(api))
    page = url("collect_charge_change", charge.pk)
    for account in ("ferry-one", "ferry-two"):
        wire = wire_of(charge.pk, account)
        found = console.get("/admin/search/", {"q": wire})
        assert (found.status_code, found.headers["Location"]) == (302, page)
        listed = console.get("/admin/collect/charge/", {"q": wire}).content.decode()
        assert charge.pk in listed
        assert f"{account}: {wire}" in console.get(page).content.decode()


@of_rows
def test_payout_is_found_by_its_reference_at_the_rail(api, merchant, ferries, console):  # noqa: F811
    payout = new_payout(api, merchant)
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    page = url("payout_payout_change", payout.pk)
    found = console.get("/admin/search/", {"q": payout.wire_reference})
    assert (found.status_code, found.headers["Location"]) == (302, page)
    listed = console.get("/admin/payout/payout/", {"q": payout.wire_reference}).content.decode()
    assert payout.pk in listed
    assert payout.wire_reference in console.get(page).content.decode()


@of_rows
@pytest.mark.parametrize("product", ["payin", "payout"])
def test_no_log_has_the_query_string_of_a_callback(ferries, heard, product, monkeypatch):  # noqa: F811
    """A rail may put a secret there. Genuine, forged, unreadable, and where we have a defect."""
    first, _second = ferries
    first.board(first.new_ticket(1000, clock.now()), "9" * 20)
    genuine = first.pay("9" * 20)
    queries = ["", "&data.id=2", "&%ff=%ff", "&" * 60 + "a=1"]
    for query in queries:
        callback = replace(genuine, query=f"{genuine.query}&token=hush-4711{query}")
        tell("ferry-one", callback, product)
        tell("ferry-one", replace(callback, headers={}), product)
        tell("stranger", callback, product)
    monkeypatch.setattr(
        ferry_accounts.ferry.FerryRail, "read_callback", lambda *_: 1 // 0, raising=True
    )
    client = Client(raise_request_exception=False)
    answer = client.post(f"/callbacks/{product}/ferry-one?token=hush-4711", b"{}", "text/json")
    assert answer.status_code == 500
    assert "ZeroDivisionError" in heard.text
    assert "hush-4711" not in heard.text
