"""A checked file is paid once, after a second person has approved it."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from django.contrib.auth.models import Group, User
from django.db import DatabaseError, transaction

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry, Transition
from payments.ledger.services import balances
from payments.payout.models import Bank, Payout, PayoutSwitch
from payments.payout_batches.models import BatchLine, PayoutBatch
from payments.payout_batches.services import payout_creation, steps
from payments.payout_batches.services.payout_creation import Turn
from payments.payout_batches.services.steps import Person
from tests.payout_batches import flow
from tests.support.funds import fund
from tests.support.merchant_staff import person_of

pytestmark = pytest.mark.django_db


def _again(batch: PayoutBatch) -> None:
    """As if the time until the next try had passed."""
    PayoutBatch.objects.filter(pk=batch.pk, status="RUNNING").update(due_at=clock.now())
    flow.work()
    batch.refresh_from_db()


def test_two_persons_pay_a_file_and_each_line_has_its_payout(payer: Merchant) -> None:
    batch = flow.run(payer, flow.many(45))
    assert batch.status == "DONE"
    assert set(flow.statuses(batch)) == {"CREATED"}
    payouts = Payout.objects.filter(merchant=payer).order_by("idempotency_key")
    assert payouts.count() == 45
    assert {payout.requested_by for payout in payouts} == {flow.PREPARER}
    line = batch.lines.get(number=2)
    assert line.payout is not None
    assert line.payout.idempotency_key == f"{batch.pk}:2"
    assert (line.payout.amount, line.payout.bank_id) == (Decimal(50_000), "bancolombia")
    held = balances(payer.pk)["COPM"]["held"]
    assert held == 45 * Decimal(52_500)
    moves = Transition.objects.filter(subject_type="payoutbatch", subject_id=batch.pk)
    moves = moves.values_list("to_state", flat=True)
    assert list(moves.order_by("pk")) == ["CHECKED", "WAITING_APPROVAL", "RUNNING", "DONE"]
    acts = AuditEntry.objects.filter(subject_id=batch.pk).values_list("action", flat=True)
    assert list(acts.order_by("pk")) == [
        f"payout_batch.{step}" for step in ("uploaded", "submitted", "approved")
    ]


def test_first_person_never_approves(payer: Merchant) -> None:
    """Neither who uploaded the file nor who sent it, whatever roles they have."""
    batch = flow.check(payer, flow.many(2))
    other = person_of(payer, "otra", roles.MERCHANT_PREPARER, also=(roles.MERCHANT_APPROVER,))
    for user in (User.objects.get(username=flow.PREPARER), other):
        user.groups.add(Group.objects.get(name=roles.MERCHANT_APPROVER))
    steps.submit(
        batch_id=batch.pk,
        person=Person(actor="otra"),
        submission=steps.Submission(),
        now=clock.now(),
    )
    for first in (flow.PREPARER, "otra"):
        with pytest.raises(NotAllowed):
            flow.approve(batch, actor=first)
    assert not Payout.objects.exists()
    flow.approve(batch)


def test_wrong_lines_are_left_out_only_if_the_person_says_so(payer: Merchant) -> None:
    batch = flow.check(payer, flow.csv(flow.row(1), flow.row(2, amount="x")))
    with pytest.raises(NotAllowed, match="wrong lines"):
        flow.submit(batch)
    flow.submit(batch, leaves_out=True)
    flow.approve(batch)
    flow.work()
    assert flow.statuses(batch) == ["CREATED", "WRONG"]
    assert batch.lines.get(number=3).cells is not None
    assert batch.lines.get(number=2).cells is None


def test_warnings_are_acknowledged_by_a_person(payer: Merchant) -> None:
    batch = flow.check(payer, flow.csv(flow.row(1), flow.row(1, reference="N-2")))
    with pytest.raises(NotAllowed, match="warnings"):
        flow.submit(batch)
    flow.submit(batch, acknowledges=True)


def test_same_file_checked_twice_is_sent_twice_only_on_purpose(payer: Merchant) -> None:
    first, second = flow.check(payer, flow.many(2)), flow.check(payer, flow.many(2))
    assert second.warning_count == 0
    flow.submit(first)
    with pytest.raises(NotAllowed, match="after this file was checked"):
        flow.submit(second, acknowledges=True)
    second.refresh_from_db()
    assert (second.status, second.warning_count) == ("CHECKED", 2)
    assert flow.warnings(second)[2] == ["in_other_batch", "reference_before"]
    with pytest.raises(NotAllowed, match="read the warnings"):
        flow.submit(second)
    flow.submit(second, acknowledges=True)


def test_payments_made_after_the_check_are_warned_of_before_the_file_is_sent(
    payer: Merchant,
) -> None:
    late = flow.check(payer, flow.csv(flow.row(1, reference="L-1"), flow.row(7)))
    flow.run(payer, flow.many(1))
    with pytest.raises(NotAllowed, match="after this file was checked"):
        flow.submit(late)
    assert flow.warnings(late) == {2: ["paid_before"]}


def test_file_without_a_right_line_is_not_sent(payer: Merchant) -> None:
    batch = flow.check(payer, flow.csv(flow.row(1, amount="x")))
    with pytest.raises(NotAllowed):
        flow.submit(batch, leaves_out=True)


def test_lines_above_the_balance_wait_and_go_on_when_money_arrives(
    merchant: Merchant, approver: User
) -> None:
    fund(merchant, 130_000)
    batch = flow.run(merchant, flow.many(4))
    assert (batch.status, batch.cause) == ("RUNNING", "INSUFFICIENT_BALANCE")
    assert flow.statuses(batch) == ["CREATED", "CREATED", "WAITING", "WAITING"]
    assert batch.cause_values == {"required": "52500", "available": "25000"}
    fund(merchant, 130_000)
    _again(batch)
    assert (batch.status, batch.cause) == ("DONE", "")
    assert Payout.objects.count() == 4


def test_lines_wait_while_payouts_are_off_and_go_on_after_it(payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(2))
    flow.submit(batch)
    PayoutSwitch.objects.update(is_enabled=False)
    flow.approve(batch)
    flow.work()
    batch.refresh_from_db()
    assert (batch.status, batch.cause) == ("RUNNING", "PAYOUT_DISABLED")
    PayoutSwitch.objects.update(is_enabled=True)
    _again(batch)
    assert batch.status == "DONE"


def test_lines_wait_while_the_merchant_may_not_pay(payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(1))
    flow.submit(batch)
    Merchant.objects.filter(pk=payer.pk).update(payout_enabled=False)
    flow.approve(batch)
    flow.work()
    batch.refresh_from_db()
    assert (batch.status, batch.cause) == ("RUNNING", "NOT_ENABLED")
    assert not Payout.objects.exists()


def test_line_that_cannot_be_paid_any_more_is_refused_and_the_others_go_on(
    payer: Merchant,
) -> None:
    nequi = flow.row(2, bank="Nequi", account="3001234567")
    batch = flow.check(payer, flow.csv(flow.row(1), nequi, flow.row(3)))
    flow.submit(batch)
    Bank.objects.filter(slug="nequi").update(is_enabled=False)
    flow.approve(batch)
    flow.work()
    assert flow.statuses(batch) == ["CREATED", "REFUSED", "CREATED"]
    assert "bank" in batch.lines.get(number=3).refusal.lower()


def test_paused_batch_creates_nothing_until_it_is_resumed(payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(45))
    flow.submit(batch)
    flow.approve(batch)
    assert payout_creation.create_some(batch_id=batch.pk, now=clock.now()) == Turn.MORE
    steps.pause(batch_id=batch.pk, person=Person(actor=flow.PREPARER), now=clock.now())
    assert payout_creation.create_some(batch_id=batch.pk, now=clock.now()) == Turn.ENDED
    flow.work()
    assert Payout.objects.count() == payout_creation.CHUNK
    steps.resume(batch_id=batch.pk, person=Person(actor=flow.PREPARER), now=clock.now())
    flow.work()
    assert Payout.objects.count() == 45


def test_cancelled_batch_keeps_its_payouts_and_makes_no_more(payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(45))
    flow.submit(batch)
    flow.approve(batch)
    payout_creation.create_some(batch_id=batch.pk, now=clock.now())
    steps.cancel(
        batch_id=batch.pk, person=Person(actor=flow.PREPARER, reason="Error"), now=clock.now()
    )
    flow.work()
    found = flow.statuses(batch)
    assert (found.count("CREATED"), found.count("CANCELLED")) == (20, 25)
    assert Payout.objects.count() == 20


@pytest.mark.parametrize("step", [steps.reject, steps.discard])
def test_batch_that_is_rejected_or_discarded_pays_nothing(
    payer: Merchant, step: Callable[..., None]
) -> None:
    batch = flow.check(payer, flow.many(2))
    flow.submit(batch)
    step(batch_id=batch.pk, person=Person(actor=flow.APPROVER, reason="No"), now=clock.now())
    flow.work()
    assert not Payout.objects.exists()
    with pytest.raises(NotAllowed):
        flow.approve(batch)


def test_line_whose_payout_exists_already_is_joined_to_it_and_paid_once(payer: Merchant) -> None:
    """What a process that died after the payout would leave, if the two were not one commit."""
    batch = flow.run(payer, flow.many(1))
    line = batch.lines.get()
    again = PayoutBatch.objects.get(pk=batch.pk)
    twin = BatchLine(**{name: getattr(line, name) for name in ("amount", "network", "bank")})
    twin.batch, twin.number = again, line.number
    for name in (
        *("recipient_name", "doc_type", "doc_number", "account_type", "account_number"),
        "description",
    ):
        setattr(twin, name, getattr(line, name))
    assert payout_creation._create(again, [twin], clock.now()) is None
    assert twin.payout == line.payout
    assert Payout.objects.count() == 1


def test_content_of_a_line_never_changes(payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(1))
    for change in ({"amount": 1}, {"account_number": "123456"}, {"key_value": "@x"}):
        with pytest.raises(DatabaseError), transaction.atomic():
            batch.lines.update(**change)


def test_team_without_an_approver_needs_an_operator(
    merchant: Merchant, preparer: User, ana: User
) -> None:
    fund(merchant, 1_000_000)
    batch = flow.check(merchant, flow.many(2))
    flow.submit(batch)
    batch.refresh_from_db()
    assert (batch.status, batch.needs_operator) == ("WAITING_APPROVAL", True)
    with pytest.raises(NotAllowed):
        flow.approve(batch, actor=flow.PREPARER)
    olga = Person(actor="olga", reason="Llamé al comercio")
    assert steps.approve_as_operator(batch_id=batch.pk, person=olga, now=clock.now())
    flow.work()
    assert set(flow.statuses(batch)) == {"CREATED"}


def test_operator_approves_where_the_only_approver_uploaded_the_file(payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(1))
    User.objects.get(username=flow.PREPARER).groups.add(
        Group.objects.get(name=roles.MERCHANT_APPROVER)
    )
    person_of(payer, "otra", roles.MERCHANT_PREPARER)
    steps.submit(
        batch_id=batch.pk,
        person=Person(actor="otra"),
        submission=steps.Submission(),
        now=clock.now(),
    )
    batch.refresh_from_db()
    assert not steps.waits_for_operator(batch)
    User.objects.filter(username=flow.APPROVER).update(is_active=False)
    assert steps.waits_for_operator(batch)
    operator = Person(actor="olga", reason="Called them")
    assert steps.approve_as_operator(batch_id=batch.pk, person=operator, now=clock.now())


def test_operator_approves_nothing_that_the_team_decides(payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(2))
    flow.submit(batch)
    with pytest.raises(NotAllowed):
        steps.approve_as_operator(batch_id=batch.pk, person=Person(actor="olga"), now=clock.now())
