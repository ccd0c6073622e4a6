"""Two people, or a person and a worker, at the same instant."""

from functools import partial

import pytest

from payments.core import clock
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.payment_files.models import BatchFile, BatchLine, LineFinding, PaymentBatch
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from tests.payment_files.flow import (
    agree,
    approve,
    close,
    codes_of,
    debit,
    declare,
    download,
    hand_over,
    pay,
    report,
    request_version,
    take_out,
)
from tests.support import payouts
from tests.support.concurrency import run_concurrently

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 5


def refused(results):
    """How many were refused; nothing else may go wrong."""
    errors = [one for one in results if isinstance(one, Exception)]
    assert all(isinstance(one, NotAllowed) for one in errors), errors
    return len(errors)


def fresh(row):
    return type(row).objects.get(pk=row.pk)


def test_first_payments_of_an_account_open_one_batch(api, account):
    waiting = [payouts.create(api) for _ in range(8)]
    now = clock.now()
    sends = [partial(engine.send, payment_id=one.pk, now=now) for one in waiting]
    assert refused(run_concurrently(sends)) == 0
    assert PaymentBatch.objects.get().lines.count() == 8
    assert len(set(BatchLine.objects.values_list("code", flat=True))) == 8


def test_one_payment_that_is_sent_many_times_has_one_line(api, account):
    payout, line = pay(api)
    calls = [partial(engine.call, payment=payout, now=clock.now()) for _ in range(8)]
    assert refused(run_concurrently(calls)) == 0
    assert list(BatchLine.objects.all()) == [line]
    assert fresh(payout).status == "PROCESSING"


def test_batch_is_closed_once(api, account):
    batch = pay(api)[1].batch
    closes = [partial(close, batch, name) for name in ("ana", "carla", "diana")]
    assert refused(run_concurrently(closes)) == 2
    assert AuditEntry.objects.filter(action="payment_batch.closed").count() == 1


def test_payment_that_comes_while_the_batch_is_closed_is_in_its_file_or_in_the_next(api, account):
    for _ in range(ROUNDS):
        batch = pay(api)[1].batch
        waiting = [payouts.create(api) for _ in range(4)]
        now = clock.now()
        sends = [partial(engine.send, payment_id=one.pk, now=now) for one in waiting]
        assert refused(run_concurrently([partial(close, batch), *sends])) == 0
        file = approve(batch)
        inside = set(fresh(batch).lines.values_list("code", flat=True))
        assert set(codes_of(file.content)) == inside
        rest = BatchLine.objects.filter(payment_id__in=[one.pk for one in waiting])
        assert rest.count() == 4
        outside = rest.exclude(batch=batch)
        assert {line.batch.status for line in outside} <= {"OPEN"}
        for one in PaymentBatch.objects.filter(status="OPEN"):
            close(one)


def test_batch_is_approved_once(api, account):
    batch = pay(api)[1].batch
    close(batch)
    approvals = [partial(approve, batch, name) for name in ("berta", "carla", "diana")]
    assert refused(run_concurrently(approvals)) == 2
    assert BatchFile.objects.count() == 1


def test_person_who_closes_and_approves_at_once_is_refused(api, account):
    batch = pay(api)[1].batch
    results = run_concurrently([partial(close, batch, "ana"), partial(approve, batch, "ana")])
    assert refused(results) == 1
    assert fresh(batch).status == "CLOSED"


def test_version_is_downloaded_once(api, account):
    for _ in range(ROUNDS):
        batch = pay(api)[1].batch
        close(batch)
        approve(batch)
        downloads = [partial(download, batch, name) for name in ("ana", "carla", "diana")]
        assert refused(run_concurrently(downloads)) == 2
    done = AuditEntry.objects.filter(action="payment_batch.downloaded")
    assert done.count() == ROUNDS


def test_letters_of_files_that_are_approved_at_once_differ(api, account):
    found = []
    for _ in range(4):
        found.append(pay(api)[1].batch)
        close(found[-1])
    assert refused(run_concurrently([partial(approve, batch) for batch in found])) == 0
    assert sorted(BatchFile.objects.values_list("sequence", flat=True)) == ["A", "B", "C", "D"]


def test_line_is_taken_out_or_in_the_file_and_never_both(api, account):
    for _ in range(ROUNDS):
        line, other = pay(api)[1], pay(api)[1]
        close(line.batch)
        results = run_concurrently([partial(take_out, line), partial(approve, line.batch)])
        assert refused(results) <= 1
        is_out = fresh(line).status == "FAILED"
        file = BatchFile.objects.get(batch=line.batch)
        assert (line.code in codes_of(file.content)) != is_out
        assert other.code in codes_of(file.content)


def test_two_debits_with_one_code_are_one_payment_and_one_finding(api, account):
    for number in range(ROUNDS):
        payout, line = pay(api)
        hand_over(line.batch)
        sources = [f"stl_{number}_{each}" for each in "ab"]
        found = run_concurrently([partial(debit, fresh(line), source) for source in sources])
        assert [one is None for one in found].count(True) == 1
        report()
        assert (fresh(line).status, fresh(payout).status) == ("COMPLETED", "COMPLETED")
        assert LineFinding.objects.get(line=line).kind == "SECOND_DEBIT"


def test_debit_beside_the_second_person_never_releases_what_was_paid_in_silence(api, account):
    for number in range(ROUNDS):
        payout, line = pay(api)
        hand_over(line.batch)
        declare(line, "FAILED")
        acts = [partial(debit, fresh(line), f"stl_{number}"), partial(agree, line)]
        assert refused(run_concurrently(acts)) <= 1
        report()
        line, payout = fresh(line), fresh(payout)
        ended = (line.status, payout.status)
        assert ended in (("COMPLETED", "COMPLETED"), ("FAILED", "FAILED"))
        assert line.needs_operator == payout.needs_operator == (line.status == "FAILED")


def test_version_that_is_downloaded_beside_a_debit_has_no_paid_line(api, account):
    for number in range(ROUNDS):
        line = pay(api)[1]
        hand_over(line.batch)
        request_version(line.batch)
        approve(line.batch)
        acts = [partial(debit, fresh(line), f"stl_{number}"), partial(download, line.batch)]
        debited, downloaded = run_concurrently(acts)
        assert debited is None
        if isinstance(downloaded, Exception):
            assert refused([downloaded]) == 1
            assert BatchFile.objects.get(batch=line.batch, version=2).downloaded_at is None
        else:  # it was handed over first, and the bank's movement came after
            assert downloaded.downloaded_at <= fresh(line).decided_at


def test_reports_of_many_workers_have_one_effect(api, account, merchant):
    lines = [pay(api)[1] for _ in range(5)]
    hand_over(lines[0].batch)
    for number, line in enumerate(lines):
        debit(line, f"stl_{number}")
    assert refused(run_concurrently([report] * 4)) == 0
    assert set(Payout.objects.values_list("status", flat=True)) == {"COMPLETED"}
    assert not BatchLine.objects.filter(report_at__isnull=False).exists()
