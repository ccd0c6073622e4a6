"""What an operator does about a payout: approve, resolve by hand, ask the rail, acknowledge."""

from typing import Any

import pytest
from django.test import Client

from merchants.models import Merchant
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.ledger.models import Entry, Posting
from payments.outgoing import resolutions
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from payments.providers.ports import OutgoingState
from payments.simulator import callbacks, control, store
from tests.admin.conftest import PROOF, REASON, Console, move_shown, url
from tests.support.fixtures import ApiClient
from tests.support.funds import balance
from tests.support.hand_payouts import approver, preparer
from tests.support.merchant_staff import browser_of
from tests.support.outgoing_payments import resolve

pytestmark = pytest.mark.django_db


# Approval.


def test_a_second_person_approves(console: Console, api: ApiClient, waiting: Payout) -> None:
    engine.process_due(now=clock.now())
    assert store.executions(waiting.pk) == 0
    assert console.submit("payout_payout_approve", waiting.pk).status_code == 302
    waiting.refresh_from_db()
    assert not waiting.needs_approval
    row = AuditEntry.objects.get(action="payout.approved")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, waiting.pk)
    done = api.post(f"/sandbox/payout/{waiting.pk}", {"status": "COMPLETED"})
    assert done.body["data"]["status"] == "COMPLETED"
    again = console.submit("payout_payout_approve", waiting.pk)
    assert again.status_code == 400
    assert AuditEntry.objects.filter(action="payout.approved").count() == 1


def test_payout_of_the_api_that_waits_for_an_operator_is_cancelled_by_an_approver(
    merchant: Merchant, waiting: Payout
) -> None:
    before = sum(balance(merchant))
    name = "payout_payout_withdraw"
    pilar, andres = browser_of(preparer(merchant)), browser_of(approver(merchant))
    record = ("payout_payout_change", waiting.pk)
    assert url(name, waiting.pk) not in pilar.page(*record).content.decode()
    assert pilar.submit(name, waiting.pk).status_code == 400
    assert url(name, waiting.pk) in andres.page(*record).content.decode()
    assert andres.submit(name, waiting.pk).status_code == 302
    waiting.refresh_from_db()
    assert (waiting.status, waiting.needs_approval) == ("FAILED", False)
    assert balance(merchant) == (before, 0)
    row = AuditEntry.objects.get(action="payout.withdrawn")
    assert (row.actor, row.reason) == ("andres", REASON)
    assert url(name, waiting.pk) not in andres.page(*record).content.decode()


def test_a_rejected_payout_gives_the_money_back(
    console: Console, merchant: Merchant, waiting: Payout
) -> None:
    assert balance(merchant) == (9_897_500, 102_500)
    assert console.submit("payout_payout_reject", waiting.pk).status_code == 302
    waiting.refresh_from_db()
    assert (waiting.status, waiting.needs_approval) == ("FAILED", False)
    assert balance(merchant) == (10_000_000, 0)
    row = AuditEntry.objects.get(action="payout.rejected")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, waiting.pk)
    assert REASON in console.page("payout_payout_change", waiting.pk).content.decode()


@pytest.mark.parametrize("act", ["approve", "reject"])
def test_author_of_the_rule_does_not_decide_under_it(
    console: Console, waiting: Payout, act: str
) -> None:
    Merchant.objects.update(payout_approval_set_by="ana")
    before = snapshot()
    assert console.submit(f"payout_payout_{act}", waiting.pk).status_code == 400
    assert snapshot() == before


# Resolution by hand.


@pytest.mark.parametrize(
    ("outcome", "available"),
    [("COMPLETED", 9_897_500), ("FAILED", 10_000_000), ("REFUNDED", 10_000_000)],
)
def test_an_operator_resolves_what_the_rail_cannot_tell(
    console: Console, merchant: Merchant, doubtful: Payout, outcome: str, available: int
) -> None:
    done = console.submit("payout_payout_resolve", doubtful.pk, outcome=outcome, proof=PROOF)
    assert done.status_code == 302
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.needs_operator) == (outcome, False)
    assert balance(merchant) == (available, 0)
    assert not ledger.verify().problems
    row = AuditEntry.objects.get(action="payout.resolved")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, doubtful.pk)
    assert row.details == {"outcome": outcome, "proof": PROOF}
    page = console.page("payout_payout_change", doubtful.pk).content.decode()
    assert PROOF in page
    assert move_shown("payout", "PROCESSING", outcome) in page


def test_each_outcome_says_what_it_does_to_the_balance_and_none_is_chosen(
    console: Console, doubtful: Payout
) -> None:
    page = console.page("payout_payout_resolve", doubtful.pk)
    field = page.context["form"]["outcome"]
    assert field.value() is None
    choices = dict(field.field.choices)
    assert list(choices) == ["COMPLETED", "FAILED", "REFUNDED"]
    sums = dict.fromkeys(choices, "102.500 COP")
    assert {name: sums[name] for name in choices if sums[name] in choices[name]} == sums
    facts = [str(value) for _label, value in page.context["facts"]]
    assert doubtful.provider_reference in facts


@pytest.mark.parametrize("wrong", [{"proof": ""}, {"outcome": "PENDING"}, {"outcome": ""}])
def test_a_resolution_needs_a_proof_and_a_possible_outcome(
    console: Console, doubtful: Payout, wrong: dict[str, str]
) -> None:
    before = snapshot()
    form = {"outcome": "COMPLETED", "proof": PROOF, **wrong}
    assert console.submit("payout_payout_resolve", doubtful.pk, **form).status_code == 400
    assert snapshot() == before


def test_a_completed_payout_can_only_have_come_back(console: Console, completed: Payout) -> None:
    failed = console.submit("payout_payout_resolve", completed.pk, outcome="FAILED", proof=PROOF)
    assert failed.status_code == 400
    back = console.submit("payout_payout_resolve", completed.pk, outcome="REFUNDED", proof=PROOF)
    assert back.status_code == 302
    completed.refresh_from_db()
    assert completed.status == "REFUNDED"


# Asking the rail.


def test_the_rail_is_asked_at_once(
    console: Console, doubtful: Payout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(callbacks, "send", lambda *_args: 0)  # the callback is lost
    control.resolve(doubtful.provider_reference, OutgoingState.COMPLETED)
    doubtful.refresh_from_db()
    assert doubtful.status == "PROCESSING"
    assert console.submit("payout_payout_ask_rail", doubtful.pk).status_code == 302
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.needs_operator) == ("COMPLETED", False)
    row = AuditEntry.objects.get(action="payout.asked")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, doubtful.pk)
    assert console.submit("payout_payout_ask_rail", doubtful.pk).status_code == 400
    assert store.executions(doubtful.pk) == 1


ACTS = ["approve", "reject", "resolve", "ask_rail", "acknowledge"]


def snapshot() -> tuple[Any, ...]:
    """Everything an act could change."""
    return (
        list(Payout.objects.order_by("pk").values()),
        AuditEntry.objects.count(),
        Posting.objects.count(),
    )


@pytest.mark.parametrize("act", ACTS)
def test_an_act_asks_first_and_needs_a_reason(
    console: Console, doubtful: Payout, waiting: Payout, act: str
) -> None:
    subject = waiting if act in ("approve", "reject") else doubtful
    form = {"outcome": "COMPLETED", "loss": "no", "proof": PROOF}
    before = snapshot()
    address = url(f"payout_payout_{act}", subject.pk)
    page = console.get(address)
    assert page.status_code == 200
    assert "csrfmiddlewaretoken" in page.content.decode()
    for method in ("head", "put", "patch", "delete"):
        getattr(console, method)(address)
    assert console.submit(f"payout_payout_{act}", subject.pk, reason=" ", **form).status_code == 400
    assert snapshot() == before


@pytest.mark.parametrize("act", ACTS)
def test_an_act_is_for_those_who_may(
    ana: Any, clerk: Console, visitor: Console, doubtful: Payout, act: str
) -> None:
    address = url(f"payout_payout_{act}", doubtful.pk)
    form = {"form_token": "x", "reason": REASON, "outcome": "FAILED", "loss": "no"}
    form["proof"] = PROOF
    before = snapshot()
    forger = Client(enforce_csrf_checks=True)
    forger.force_login(ana)
    assert forger.post(address, form).status_code == 403
    assert clerk.get(address).status_code == 403
    assert clerk.post(address, form).status_code == 403
    assert visitor.post(address, form).status_code == 302
    assert address not in clerk.page("payout_payout_change", doubtful.pk).content.decode()
    assert snapshot() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fixture", "offered"),
    [
        ("pending", set()),
        ("waiting", {"approve", "reject"}),
        ("doubtful", {"ask_rail", "resolve"}),
        ("completed", {"resolve"}),
        ("contradicted", {"acknowledge"}),
    ],
)
def test_only_what_would_do_something_is_offered(
    console: Console, request: pytest.FixtureRequest, fixture: str, offered: set[str]
) -> None:
    payout = request.getfixturevalue(fixture)
    page = console.page("payout_payout_change", payout.pk).content.decode()
    assert {act for act in ACTS if url(f"payout_payout_{act}", payout.pk) in page} == offered
    for act in {*ACTS} - offered:
        form = {"outcome": "FAILED", "loss": "no", "proof": PROOF}
        assert console.submit(f"payout_payout_{act}", payout.pk, **form).status_code == 400


# Acknowledging a contradiction.


@pytest.fixture
def contradicted(doubtful: Payout) -> Payout:
    """An operator ended it as failed, and then the rail said that it was paid."""
    resolve(engine, doubtful, "FAILED", actor="beto", proof=PROOF, reason=REASON)
    control.resolve(doubtful.provider_reference, OutgoingState.COMPLETED)
    doubtful.refresh_from_db()
    assert (doubtful.status, doubtful.needs_operator) == ("FAILED", True)
    return doubtful


@pytest.mark.parametrize(("loss", "lost"), [("yes", 1), ("no", 0)])
def test_a_contradiction_is_acknowledged(
    console: Console, merchant: Merchant, contradicted: Payout, loss: str, lost: int
) -> None:
    page = console.page("payout_payout_acknowledge", contradicted.pk)
    assert "100.000 COP" in page.content.decode()
    done = console.submit("payout_payout_acknowledge", contradicted.pk, loss=loss, proof=PROOF)
    assert done.status_code == 302
    contradicted.refresh_from_db()
    assert (contradicted.status, contradicted.needs_operator) == ("FAILED", False)
    assert balance(merchant) == (10_000_000, 0)
    assert Entry.objects.filter(kind="payout_lost", subject_id=contradicted.pk).count() == lost
    assert not ledger.verify().problems
    row = AuditEntry.objects.get(action="payout.acknowledged")
    assert (row.actor, row.reason, row.subject_id) == ("ana", REASON, contradicted.pk)
    assert row.details == {"proof": PROOF, "loss": bool(lost)}
    story = console.page("payout_payout_change", contradicted.pk).content.decode()
    assert ("pérdida nuestra" in story) is bool(lost)
    queue = console.page("payout_payout_changelist", exceptions="operator").content.decode()
    assert contradicted.pk not in queue


def test_a_loss_is_booked_once_however_often_the_rail_insists(
    console: Console, contradicted: Payout
) -> None:
    form = {"loss": "yes", "proof": PROOF}
    assert console.submit("payout_payout_acknowledge", contradicted.pk, **form).status_code == 302
    again = console.submit("payout_payout_acknowledge", contradicted.pk, **form)
    assert again.status_code == 400  # nothing waits any more
    Payout.objects.filter(pk=contradicted.pk).update(needs_operator=True)  # the rail says it again
    again = console.submit("payout_payout_acknowledge", contradicted.pk, **form)
    assert again.status_code == 400
    assert "ya está registrada" in again.content.decode()
    form["loss"] = "no"
    assert console.submit("payout_payout_acknowledge", contradicted.pk, **form).status_code == 302
    assert Entry.objects.filter(kind="payout_lost").count() == 1
    assert not ledger.verify().problems


def test_what_the_merchant_paid_for_is_no_loss(console: Console, completed: Payout) -> None:
    Payout.objects.filter(pk=completed.pk).update(needs_operator=True)
    before = snapshot()
    form = {"loss": "yes", "proof": PROOF}
    assert console.submit("payout_payout_acknowledge", completed.pk, **form).status_code == 400
    with pytest.raises(NotAllowed):
        resolutions.acknowledge(
            engine=engine,
            payment=completed,
            is_loss=True,
            decision=resolutions.Decision(actor="ana", proof=PROOF, reason=REASON),
            now=clock.now(),
        )
    assert snapshot() == before
    form["loss"] = "no"
    assert console.submit("payout_payout_acknowledge", completed.pk, **form).status_code == 302
    completed.refresh_from_db()
    assert (completed.status, completed.needs_operator) == ("COMPLETED", False)


@pytest.mark.parametrize("wrong", [{"proof": " "}, {"loss": ""}, {"loss": "perhaps"}])
def test_an_acknowledgement_needs_a_proof_and_a_decision(
    console: Console, contradicted: Payout, wrong: dict[str, str]
) -> None:
    before = snapshot()
    form = {"loss": "no", "proof": PROOF, **wrong}
    answer = console.submit("payout_payout_acknowledge", contradicted.pk, **form)
    assert answer.status_code == 400
    assert snapshot() == before
