"""What people approve is what is paid: the sum under the operators' limit, and the fees."""

from decimal import Decimal

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.core import clock
from payments.core.errors import NotAllowed
from payments.ledger.services import balances
from payments.payout.models import Payout, PayoutMethod
from payments.payout_batches.models import PayoutBatch
from payments.payout_batches.services import steps
from payments.payout_batches.services.steps import Person
from tests.payout_batches import flow
from tests.support.funds import fund

pytestmark = pytest.mark.django_db
OLGA = Person(actor="olga", reason="Called them")


def limit(merchant: Merchant, amount: int | None) -> None:
    Merchant.objects.filter(pk=merchant.pk).update(
        payout_approval_above=amount, payout_approval_set_by="beto"
    )


def sent(merchant: Merchant, count: int) -> PayoutBatch:
    batch = flow.check(merchant, flow.many(count))
    flow.submit(batch)
    batch.refresh_from_db()
    return batch


def tariff(fee: int) -> None:
    PayoutMethod.objects.update(fee_flat=Decimal(fee), fee_rate=Decimal(0))


def test_file_whose_sum_is_above_the_operators_limit_waits_for_an_operator_too(
    payer: Merchant,
) -> None:
    limit(payer, 100_000)
    batch = sent(payer, 3)
    assert batch.needs_operator
    assert not flow.approve(batch)
    flow.work()
    assert not Payout.objects.exists()
    assert steps.approve_as_operator(batch_id=batch.pk, person=OLGA, now=clock.now())
    flow.work()
    assert set(flow.statuses(batch)) == {"CREATED"}


def test_operator_who_approves_first_does_not_replace_the_team(payer: Merchant) -> None:
    limit(payer, 100_000)
    batch = sent(payer, 3)
    assert not steps.approve_as_operator(batch_id=batch.pk, person=OLGA, now=clock.now())
    flow.work()
    assert not Payout.objects.exists()
    assert flow.approve(batch)


def test_file_below_the_operators_limit_waits_for_the_team_alone(payer: Merchant) -> None:
    limit(payer, 150_000)
    assert flow.approve(sent(payer, 3))


def test_operator_who_set_the_limit_does_not_approve_a_file_above_it(payer: Merchant) -> None:
    limit(payer, 100_000)
    batch = sent(payer, 3)
    with pytest.raises(NotAllowed, match="set the rule"):
        steps.approve_as_operator(batch_id=batch.pk, person=Person(actor="beto"), now=clock.now())


def test_payouts_of_a_file_that_an_operator_approved_do_not_wait_again(payer: Merchant) -> None:
    limit(payer, 40_000)
    batch = sent(payer, 2)
    steps.approve_as_operator(batch_id=batch.pk, person=OLGA, now=clock.now())
    flow.approve(batch)
    flow.work()
    assert [payout.needs_approval for payout in Payout.objects.all()] == [False, False]
    assert all(payout.next_action_at for payout in Payout.objects.all())


def test_payouts_above_a_limit_that_was_set_after_the_file_was_sent_wait_one_by_one(
    payer: Merchant,
) -> None:
    batch = sent(payer, 2)
    limit(payer, 40_000)
    flow.approve(batch)
    flow.work()
    assert [payout.needs_approval for payout in Payout.objects.all()] == [True, True]


def test_fee_that_was_approved_is_charged_although_the_tariff_has_changed(payer: Merchant) -> None:
    batch = sent(payer, 3)
    tariff(9_000)
    flow.approve(batch)
    flow.work()
    assert {payout.fee_amount for payout in Payout.objects.all()} == {Decimal(2_500)}
    assert balances(payer.pk)["COPM"]["held"] == batch.amount + batch.fee_amount


def test_file_with_the_fees_of_a_former_tariff_is_not_sent(payer: Merchant) -> None:
    batch = flow.check(payer, flow.many(2))
    tariff(9_000)
    with pytest.raises(NotAllowed, match="fees have changed"):
        flow.submit(batch)
    assert flow.check(payer, flow.many(2), replaces=batch.pk).fee_amount == 18_000


def test_lines_that_wait_for_money_keep_their_fee(merchant: Merchant, approver: User) -> None:
    fund(merchant, 60_000)
    batch = flow.run(merchant, flow.many(2))
    assert flow.statuses(batch) == ["CREATED", "WAITING"]
    tariff(9_000)
    fund(merchant, 60_000)
    PayoutBatch.objects.filter(pk=batch.pk).update(due_at=clock.now())
    flow.work()
    assert {payout.fee_amount for payout in Payout.objects.all()} == {Decimal(2_500)}
