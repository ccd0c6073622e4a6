"""A batch is closed by one person, approved by another, and handed over once per version."""

import hashlib
from datetime import timedelta

import pytest
import time_machine
from django.db import Error, transaction

from payments.core import clock, days
from payments.core.errors import NotAllowed
from payments.core.models import AuditEntry
from payments.ledger import services as ledger
from payments.payment_files.models import BatchFile, BatchLine, PaymentBatch
from payments.payout.models import Payout
from payments.rails.services import accounts
from tests.payment_files.flow import (
    ACCOUNT,
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

pytestmark = pytest.mark.django_db


@pytest.fixture
def batch(api, account):
    """Of two payouts."""
    pay(api, amount=100000)
    return pay(api, amount=250000.5)[1].batch


def available(merchant):
    return ledger.balances(merchant.pk)["COPM"]["available"]


def state(batch):
    batch.refresh_from_db()
    return batch.status


class TestWay:
    def test_file_has_the_lines_of_the_batch_and_their_sum(self, batch):
        file = hand_over(batch)
        content = bytes(file.content)
        header = content.split(b"\r\n")[0].decode()
        assert codes_of(content) == [line.code for line in batch.lines.order_by("id")]
        assert (header[1:16], header[103:115]) == ("000000900123456", "12345678901S")
        assert header[63:69] == "000002"
        assert int(header[86:103]) == 35_000_050
        assert file.sha256 == hashlib.sha256(content).hexdigest()
        assert state(batch) == "SENT"

    def test_download_is_in_the_audit_log_with_the_hash(self, batch):
        file = hand_over(batch)
        row = AuditEntry.objects.get(action="payment_batch.downloaded", subject_id=batch.pk)
        assert row.actor == "ana"
        assert row.details["sha256"] == file.sha256
        assert row.details["version"] == 1

    def test_closed_batch_takes_no_lines(self, api, batch):
        close(batch)
        _, line = pay(api)
        assert (line.batch_id != batch.pk, line.batch.number) == (True, 2)

    def test_person_who_closed_does_not_approve(self, batch):
        close(batch, "ana")
        with pytest.raises(NotAllowed):
            approve(batch, "ana")
        assert state(batch) == "CLOSED"

    def test_two_persons_are_needed_around_the_services_too(self, batch):
        close(batch, "ana")
        rows = PaymentBatch.objects.filter(pk=batch.pk)
        with pytest.raises(Error), transaction.atomic():
            rows.update(status="APPROVED", approved_by="ana")
        with pytest.raises(Error), transaction.atomic():
            rows.update(status="SENT", approved_by="berta")

    @pytest.mark.parametrize("step", [approve, download, request_version])
    def test_no_step_is_left_out(self, batch, step):
        with pytest.raises(NotAllowed):
            step(batch)
        assert state(batch) == "OPEN"

    def test_day_that_has_passed_is_refused(self, batch):
        yesterday = days.day_of(clock.now()) - timedelta(days=1)
        with pytest.raises(NotAllowed):
            close(batch, pay_on=yesterday)
        close(batch)
        with pytest.raises(NotAllowed):
            approve(batch, now=clock.now() + timedelta(days=1))
        approve(batch)
        with pytest.raises(NotAllowed):
            download(batch, now=clock.now() + timedelta(days=1))

    def test_file_may_be_paid_on_a_later_day(self, batch):
        later = days.day_of(clock.now()) + timedelta(days=3)
        close(batch, pay_on=later)
        content = bytes(approve(batch).content).decode()
        assert content[55:63] == f"{later:%Y%m%d}"
        download(batch, now=clock.now() + timedelta(days=2))

    def test_account_that_is_off_gets_no_file(self, batch):
        close(batch)
        accounts.switch_off(slug=ACCOUNT, actor="olga", reason="test", now=clock.now())
        with pytest.raises(NotAllowed):
            approve(batch)

    def test_files_of_a_day_have_letters(self, api, account):
        for letter in "ABC":
            file = hand_over(pay(api)[1].batch)
            assert file.sequence == letter
            assert bytes(file.content)[53:55] == f"{letter} ".encode()

    def test_batch_without_open_lines_is_not_closed(self, api, account):
        _, line = pay(api)
        take_out(line)
        with pytest.raises(NotAllowed):
            close(line.batch)


class TestVersions:
    def test_version_is_downloaded_once(self, batch):
        hand_over(batch)
        with pytest.raises(NotAllowed):
            download(batch)
        assert BatchFile.objects.filter(downloaded_at__isnull=False).count() == 1

    def test_next_version_needs_a_second_person_again(self, batch):
        hand_over(batch)
        request_version(batch, "carla")
        with pytest.raises(NotAllowed):
            approve(batch, "carla")
        assert approve(batch, "berta").version == 2
        download(batch)
        assert state(batch) == "SENT"

    def test_next_version_leaves_out_what_was_paid(self, batch):
        first, second = batch.lines.order_by("id")
        hand_over(batch)
        debit(first)
        request_version(batch)
        file = approve(batch)
        assert codes_of(file.content) == [second.code]
        assert file.total == second.amount

    def test_version_whose_line_was_paid_since_is_not_handed_over(self, batch):
        first = batch.lines.order_by("id")[0]
        hand_over(batch)
        request_version(batch)
        approve(batch)
        debit(first)
        with pytest.raises(NotAllowed) as refused:
            download(batch)
        assert first.code in refused.value.message
        assert BatchFile.objects.get(version=2).downloaded_at is None

    def test_only_one_version_counts(self, batch):
        hand_over(batch)
        request_version(batch)
        approve(batch)
        assert BatchFile.objects.get(replaced_at=None).version == 2
        old = BatchFile.objects.get(version=1)
        assert (old.replaced_by, old.replace_reason) == ("ana", "as agreed")

    def test_content_is_never_changed(self, batch):
        file = hand_over(batch)
        with pytest.raises(Error), transaction.atomic():
            BatchFile.objects.filter(pk=file.pk).update(content=b"1")
        with pytest.raises(Error), transaction.atomic():
            BatchLine.objects.filter(batch=batch).update(account_number="1")
        with pytest.raises(Error), transaction.atomic():
            BatchLine.objects.filter(batch=batch).update(amount=1)

    def test_line_that_waits_for_a_decision_stops_the_next_version(self, batch):
        first = batch.lines.order_by("id")[0]
        hand_over(batch)
        declare(first, "FAILED")
        request_version(batch)
        with pytest.raises(NotAllowed) as refused:
            approve(batch)
        assert first.code in refused.value.message

    def test_payment_that_ended_elsewhere_gets_into_no_file(self, batch):
        first = batch.lines.order_by("id")[0]
        close(batch)
        Payout.objects.filter(provider_reference=first.reference).update(status="FAILED")
        with pytest.raises(NotAllowed) as refused:
            approve(batch)
        assert first.code in refused.value.message


class TestTakingOut:
    def test_merchant_gets_its_money_and_the_line_is_in_no_file(self, api, merchant, account):
        before = available(merchant)
        payout, line = pay(api)
        other = pay(api)[1]
        close(line.batch)
        take_out(line)
        report()
        payout.refresh_from_db()
        assert (payout.status, payout.public_reason) == ("FAILED", "REFUSED_BY_PROVIDER")
        assert available(merchant) == before - other.amount - 2500
        assert codes_of(approve(line.batch).content) == [other.code]

    def test_line_of_a_made_file_is_not_taken_out(self, batch):
        line = batch.lines.first()
        close(batch)
        approve(batch)
        with pytest.raises(NotAllowed):
            take_out(line)
        request_version(batch)
        take_out(line)

    def test_line_of_a_downloaded_file_is_not_taken_out(self, batch):
        line = batch.lines.first()
        hand_over(batch)
        with pytest.raises(NotAllowed):
            take_out(line)
        request_version(batch)
        with pytest.raises(NotAllowed):
            take_out(line)

    def test_closed_batch_without_lines_is_done(self, batch):
        close(batch)
        for line in batch.lines.all():
            take_out(line)
        assert state(batch) == "DONE"


def test_batch_is_done_when_each_line_is_decided(batch):
    hand_over(batch)
    first, second = batch.lines.order_by("id")
    debit(first, "stl_1")
    assert state(batch) == "SENT"
    debit(second, "stl_2")
    assert state(batch) == "DONE"


def test_batch_whose_day_passed_before_its_approval_gets_another_day(api, account):
    _payout, line = pay(api)
    close(line.batch, "ana")
    tomorrow = clock.now() + timedelta(days=1)
    with time_machine.travel(tomorrow, tick=False):
        with pytest.raises(NotAllowed):
            approve(line.batch, "berta")
        close(line.batch, "carla", pay_on=days.day_of(tomorrow))
        with pytest.raises(NotAllowed):
            approve(line.batch, "carla")
        approve(line.batch, "berta")
        assert codes_of(download(line.batch).content) == [line.code]
    line.batch.refresh_from_db()
    assert (line.batch.closed_by, line.batch.approved_by) == ("carla", "berta")
