"""An error of the service in one line stops neither the other lines nor repeats for ever."""

from collections.abc import Callable
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import User
from django.db import OperationalError
from structlog.testing import capture_logs

from merchants.models import Merchant
from payments.console import roles
from payments.core import clock
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.payout.models import Payout
from payments.payout_batches.models import PayoutBatch
from payments.payout_batches.services import payout_creation, queue, steps
from payments.payout_batches.services.steps import Person
from tests.admin.conftest import Console, person
from tests.payout_batches import flow
from tests.support.concurrency import run_concurrently
from tests.support.merchant_staff import browser_of

pytestmark = pytest.mark.django_db
Break = Callable[..., None]


@pytest.fixture
def breaks(monkeypatch: pytest.MonkeyPatch) -> Break:
    """The creation of payouts raises for lines with these references, once the payout is made."""
    create = payout_creation.create_payout

    def broken(*references: str, error: type[Exception] = ZeroDivisionError) -> None:
        def create_payout(request: Any, *, check: Any, **more: Any) -> tuple[Payout, bool]:
            made: list[Payout] = []

            def look(payout: Payout) -> None:
                check(payout)
                made.append(payout)

            answer = create(request, check=look, **more)
            if made and made[0].reference in references:
                raise error("a defect")
            return answer

        monkeypatch.setattr(payout_creation, "create_payout", create_payout)

    return broken


def started(merchant: Merchant, count: int) -> PayoutBatch:
    batch = flow.check(merchant, flow.many(count))
    flow.submit(batch)
    flow.approve(batch)
    return batch


def test_line_that_raises_is_refused_with_its_reason_and_the_others_are_paid(
    payer: Merchant, breaks: Break
) -> None:
    batch = started(payer, 45)
    breaks("N-3", "N-44")
    with capture_logs() as logs:
        flow.work()
    batch.refresh_from_db()
    assert batch.status == "DONE"
    assert flow.statuses(batch).count("CREATED") == 43
    refused = batch.lines.filter(status="REFUSED").order_by("number")
    assert [line.reference for line in refused] == ["N-3", "N-44"]
    assert {line.refusal_code for line in refused} == {"UNEXPECTED_ERROR"}
    assert "nothing was paid" in refused[0].refusal
    assert Payout.objects.count() == 43
    assert ledger.balances(payer.pk)["COPM"]["held"] == 43 * 52_500
    failed = [one["line"] for one in logs if one["event"] == "payout_batch.line_failed"]
    assert failed == [line.number for line in refused]


def test_error_of_every_line_pauses_the_batch_and_calls_an_operator(
    payer: Merchant, breaks: Break
) -> None:
    batch = started(payer, 9)
    breaks(*(f"N-{number}" for number in range(1, 10)))
    with capture_logs() as logs:
        flow.work()
    batch.refresh_from_db()
    assert (batch.status, batch.cause, batch.due_at) == ("PAUSED", "UNEXPECTED_ERROR", None)
    assert flow.statuses(batch) == ["REFUSED"] * 5 + ["WAITING"] * 4
    assert [one["event"] for one in logs if one["log_level"] == "error"][-1] == (
        "payout_batch.stopped"
    )
    assert not Payout.objects.exists()
    queues = apps.get_app_config("payout_batches").console.queues
    found = PayoutBatch.objects.filter(queues[-1].where(clock.now()))
    assert [one.pk for one in found] == [batch.pk]


def test_batch_that_was_stopped_goes_on_when_it_is_resumed_after_the_repair(
    payer: Merchant, breaks: Break
) -> None:
    batch = started(payer, 9)
    breaks(*(f"N-{number}" for number in range(1, 10)))
    flow.work()
    breaks()
    steps.resume(batch_id=batch.pk, person=Person(actor=flow.PREPARER), now=clock.now())
    flow.work()
    batch.refresh_from_db()
    assert (batch.status, batch.cause) == ("DONE", "")
    assert flow.statuses(batch) == ["REFUSED"] * 5 + ["CREATED"] * 4


def test_operator_resumes_a_stopped_batch_with_a_reason_and_not_one_that_its_people_paused(
    payer: Merchant, breaks: Break, preparer: User
) -> None:
    batch = started(payer, 9)
    frida, victor = person("frida", roles.FINANCE), person("victor", roles.VIEWER)
    name, address = "payout_batches_payoutbatch_restart", '/restart/"'
    steps.pause(batch_id=batch.pk, person=Person(actor=flow.PREPARER), now=clock.now())
    assert address not in _page(frida, batch)
    frida.submit(name, batch.pk, reason="Let it go on")
    batch.refresh_from_db()
    assert batch.status == "PAUSED"
    steps.resume(batch_id=batch.pk, person=Person(actor=flow.PREPARER), now=clock.now())

    breaks(*(f"N-{number}" for number in range(1, 10)))
    flow.work()
    breaks()
    assert address in _page(frida, batch)
    for other in (victor, browser_of(preparer)):
        assert address not in _page(other, batch)
        assert other.submit(name, batch.pk, reason="The error is mended").status_code in (403, 404)
    assert frida.submit(name, batch.pk, reason="").status_code == 400
    assert frida.submit(name, batch.pk, reason="The error is mended").status_code == 302
    flow.work()
    batch.refresh_from_db()
    assert (batch.status, batch.cause) == ("DONE", "")
    assert flow.statuses(batch) == ["REFUSED"] * 5 + ["CREATED"] * 4
    resumed = AuditEntry.objects.get(action="payout_batch.resumed", actor="frida")
    assert (resumed.subject_id, resumed.reason) == (batch.pk, "The error is mended")


def _page(browser: Console, batch: PayoutBatch) -> str:
    return browser.page("payout_batches_payoutbatch_change", batch.pk).content.decode()


def test_error_that_passes_refuses_no_line_and_calls_an_operator_if_it_does_not_pass(
    payer: Merchant, breaks: Break
) -> None:
    batch = started(payer, 2)
    breaks("N-1", error=OperationalError)
    for _turn in range(queue.ATTEMPTS_MAX):
        flow.work()
        batch.refresh_from_db()
        assert (batch.status, flow.statuses(batch)) == ("RUNNING", ["WAITING", "WAITING"])
        PayoutBatch.objects.filter(pk=batch.pk).update(due_at=clock.now())
    flow.work()
    batch.refresh_from_db()
    assert (batch.status, batch.cause) == ("PAUSED", "UNEXPECTED_ERROR")
    assert flow.statuses(batch) == ["WAITING", "WAITING"]
    assert not Payout.objects.exists()


def test_batch_that_waits_for_money_for_long_is_not_stopped(
    merchant: Merchant, approver: Any
) -> None:
    batch = started(merchant, 1)
    for _turn in range(queue.ATTEMPTS_MAX + 2):
        flow.work()
        PayoutBatch.objects.filter(pk=batch.pk).update(due_at=clock.now())
    batch.refresh_from_db()
    assert (batch.status, batch.cause) == ("RUNNING", "INSUFFICIENT_BALANCE")


@pytest.mark.django_db(transaction=True)
def test_workers_at_once_pay_each_line_once_and_refuse_only_the_one_that_raises(
    payer: Merchant, breaks: Break, settings: Any
) -> None:
    settings.DOORBELL = False
    batch = started(payer, 25)
    breaks("N-7")
    claimed = PayoutBatch.objects.get(pk=batch.pk)
    results = run_concurrently(
        [lambda: queue.process(batch=claimed, now=clock.now()) for _worker in range(3)]
    )
    assert results == [None] * 3
    flow.work()
    batch.refresh_from_db()
    assert batch.status == "DONE"
    assert batch.lines.get(status="REFUSED").reference == "N-7"
    keys = Payout.objects.values_list("idempotency_key", flat=True)
    assert len(keys) == len(set(keys)) == 24
    assert not ledger.verify().problems
