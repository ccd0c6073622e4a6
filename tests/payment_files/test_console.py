"""The pages of payment files: each step by the person who may take it."""

import pytest
from django.apps import apps
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import translation

from payments.console.registry import declared
from payments.core import clock, days
from payments.core.models import AuditEntry
from payments.payment_files.models import BatchFile, PaymentBatch
from tests.admin.conftest import Console, person, url
from tests.payment_files.flow import (
    answer,
    approve,
    close,
    codes_of,
    debit,
    declare,
    download,
    hand_over,
    pay,
)

pytestmark = pytest.mark.django_db
BATCH, LINE = "payment_files_paymentbatch", "payment_files_batchline"


@pytest.fixture
def line(api, account):
    return pay(api, recipientName="José Peña", accountNumber="98765432101")[1]


@pytest.fixture
def batch(line):
    return line.batch


@pytest.fixture
def finance(account) -> Console:
    return person("fabio", "Finance")


@pytest.fixture
def approver(account) -> Console:
    return person("aura", "Approver")


@pytest.fixture
def viewer(account) -> Console:
    return person("vera", "Viewer")


def today():
    return str(days.day_of(clock.now()))


def text_of(page):
    assert page.status_code == 200, page.status_code
    return page.content.decode()


def state(batch):
    return PaymentBatch.objects.get(pk=batch.pk).status


def test_two_persons_bring_a_file_to_the_bank(batch, finance, approver):
    assert finance.submit(f"{BATCH}_close", batch.pk, pay_on=today()).status_code == 302
    assert state(batch) == "CLOSED"
    assert approver.submit(f"{BATCH}_approve", batch.pk).status_code == 302
    assert state(batch) == "APPROVED"
    given = finance.submit(f"{BATCH}_download", batch.pk)
    file = BatchFile.objects.get()
    assert given.content == bytes(file.content)
    assert given["Content-Disposition"] == f'attachment; filename="{file.name}"'
    assert "no-store" in given["Cache-Control"]
    assert state(batch) == "SENT"
    again = finance.submit(f"{BATCH}_download", batch.pk)
    assert (again.status_code, len(again.content) > 0) == (400, True)
    row = AuditEntry.objects.get(action="payment_batch.downloaded")
    assert (row.actor, row.details["sha256"]) == ("fabio", file.sha256)


def test_each_right_is_of_one_role(batch, finance, approver, viewer):
    assert approver.submit(f"{BATCH}_close", batch.pk, pay_on=today()).status_code == 403
    assert viewer.submit(f"{BATCH}_close", batch.pk, pay_on=today()).status_code == 403
    close(batch)
    assert finance.submit(f"{BATCH}_approve", batch.pk).status_code == 403
    approve(batch)
    for browser in (approver, viewer):
        assert browser.submit(f"{BATCH}_download", batch.pk).status_code == 403
    assert state(batch) == "APPROVED"


def test_person_who_closed_is_told_that_another_one_approves(batch, console):
    close(batch, "ana")
    page = console.submit(f"{BATCH}_approve", batch.pk)
    assert page.status_code == 400
    assert state(batch) == "CLOSED"


def test_second_showing_of_a_form_downloads_nothing(batch, finance):
    close(batch)
    approve(batch)
    shown = finance.page(f"{BATCH}_download", batch.pk)
    form = {"form_token": shown.context["form_token"], "reason": "to the bank"}
    address = shown.request["PATH_INFO"]
    assert finance.post(address, form).status_code == 200
    assert finance.post(address, form).status_code == 400


class TestPages:
    def test_batch_shows_its_lines_totals_and_files(self, batch, line, viewer):
        hand_over(batch)
        text = text_of(viewer.page(f"{BATCH}_change", batch.pk)).replace("<wbr>", "")
        for shown in (line.code, "100.000 COP", BatchFile.objects.get().sha256, "ana", "berta"):
            assert shown in text

    def test_personal_data_is_masked_until_it_is_revealed(self, batch, line, viewer, finance):
        hand_over(batch)
        pages = [
            viewer.page(f"{BATCH}_change", batch.pk),
            viewer.page(f"{BATCH}_changelist"),
            viewer.page(f"{LINE}_change", line.pk),
            viewer.page(f"{LINE}_changelist"),
        ]
        for page in pages:
            assert "98765432101" not in text_of(page)
            assert "79123456" not in text_of(page)
        assert "···2101" in text_of(pages[2])
        assert viewer.page(f"{LINE}_reveal", line.pk).status_code == 403
        assert "98765432101" in text_of(finance.page(f"{LINE}_reveal", line.pk))

    def test_lines_are_not_filtered_by_what_is_masked(self, line, viewer):
        for name in ("document__startswith", "account_number__startswith"):
            assert viewer.page(f"{LINE}_changelist", **{name: "9"}).status_code != 200

    def test_line_is_found_by_its_code_and_its_payment(self, line, viewer):
        for term in (line.code, line.payment_id):
            assert line.code in text_of(viewer.page(f"{LINE}_changelist", q=term))

    def test_list_of_a_batch_has_its_lines_only(self, api, line, viewer):
        hand_over(line.batch)
        other = pay(api)[1]
        text = text_of(viewer.page(f"{LINE}_changelist", batch__id__exact=line.batch_id))
        assert (line.code in text, other.code in text) == (True, False)

    @pytest.mark.parametrize("step", range(5))
    def test_page_says_what_comes_next(self, batch, line, console, step):
        steps = [
            lambda: close(batch, "carla"),
            lambda: approve(batch),
            lambda: download(batch),
            lambda: declare(line, "FAILED", "fabio"),
        ]
        wanted = ["close", "approve", "download", "answer", "agree_all"]
        for each in steps[:step]:
            each()
        shown = console.page(f"{BATCH}_change", batch.pk).context["record_step"]
        (_title, address), *_ = shown["buttons"]
        assert address == url(f"{BATCH}_{wanted[step]}", batch.pk)


def test_page_before_the_download_names_the_account_the_day_and_both_persons(batch, finance):
    close(batch, "carla")
    approve(batch)
    facts = finance.page(f"{BATCH}_download", batch.pk).context["facts"]
    shown = {str(value) for _label, value in facts}
    assert {"carla", "berta"} <= shown
    assert any("Bancolombia" in value and "···" in value for value in shown)
    assert "98765432101" not in " ".join(shown)


def test_history_of_a_batch_begins_with_it_and_has_what_the_bank_did(batch, line, console):
    hand_over(batch)
    debit(line, "stl_1")
    debit(line, "stl_2")
    lines = console.page(f"{BATCH}_change", batch.pk).context["timeline"]
    assert lines[0].at == batch.created_at
    assert line.code in lines[-1].detail
    first, *_more = console.page(f"{BATCH}_change", batch.pk).context["record_step"]["lines"]
    assert "exceptions=operator" in first["buttons"][0][1]


class TestLines:
    def test_line_paid_twice_shows_both_movements(self, batch, line, console):
        hand_over(batch)
        debit(line, "stl_1")
        debit(line, "stl_2")
        page = console.page(f"{LINE}_change", line.pk)
        (table,) = page.context["tables"]
        movements = [str(row[1]) for row in table["table"]["rows"]]
        assert ["stl_1" in movements[0], "stl_2" in movements[1]] == [True, True]
        assert len(page.context["record_alarms"]) == 1

    def test_declaration_is_named_and_withdrawn_by_who_made_it(
        self, batch, line, console, approver
    ):
        hand_over(batch)
        declare(line, "FAILED", "ana")
        own = console.page(f"{LINE}_change", line.pk)
        assert "Declarada no pagada" in text_of(own)
        assert "Retirar la declaración" in text_of(own)
        assert "Retirar la declaración" not in text_of(approver.page(f"{LINE}_change", line.pk))

    def test_line_is_taken_out_before_the_file(self, line, finance):
        assert finance.submit(f"{LINE}_take_out", line.pk).status_code == 302
        line.refresh_from_db()
        assert (line.status, line.decided_by) == ("FAILED", "fabio")

    def test_declaration_waits_for_an_approver(self, batch, line, finance, approver):
        hand_over(batch)
        assert finance.submit(f"{LINE}_declare", line.pk, status="FAILED").status_code == 302
        line.refresh_from_db()
        assert (line.status, line.declared_status) == ("PENDING", "FAILED")
        assert finance.submit(f"{LINE}_agree", line.pk).status_code == 403
        assert approver.submit(f"{LINE}_agree", line.pk).status_code == 302
        line.refresh_from_db()
        assert line.status == "FAILED"

    def test_rejected_declaration_leaves_the_line(self, batch, line, approver):
        hand_over(batch)
        declare(line, "FAILED")
        assert approver.submit(f"{LINE}_reject", line.pk).status_code == 302
        line.refresh_from_db()
        assert (line.status, line.declared_status) == ("PENDING", "")

    def test_all_declarations_of_a_batch_are_agreed_to_at_once(self, batch, line, approver):
        hand_over(batch)
        answer(batch, f"{line.code},FAILED,closed")
        assert approver.submit(f"{BATCH}_agree_all", batch.pk).status_code == 302
        line.refresh_from_db()
        assert line.status == "FAILED"

    def test_findings_are_closed_with_a_reason(self, batch, line, finance):
        hand_over(batch)
        debit(line, "stl_1")
        debit(line, "stl_2")
        assert "stl_2" in text_of(finance.page(f"{LINE}_change", line.pk))
        assert finance.submit(f"{LINE}_close_findings", line.pk).status_code == 302
        line.refresh_from_db()
        assert (line.needs_operator, line.findings.get().closed_by) == (False, "fabio")


class TestAnswers:
    def test_answer_is_uploaded(self, batch, line, finance):
        hand_over(batch)
        data = f"code,status,reason\n{line.code},COMPLETED,\n".encode()
        file = SimpleUploadedFile("answer.csv", data)
        assert finance.submit(f"{BATCH}_answer", batch.pk, file=file).status_code == 302
        line.refresh_from_db()
        assert line.status == "COMPLETED"

    def test_refusal_names_the_line_of_the_file(self, batch, line, finance):
        hand_over(batch)
        data = f"code,status,reason\n{line.code},COMPLETED,\n123,PAID,\n".encode()
        with translation.override("en"):
            page = finance.submit(
                f"{BATCH}_answer", batch.pk, file=SimpleUploadedFile("answer.csv", data)
            )
        assert page.status_code == 400
        assert "3" in page.content.decode()
        line.refresh_from_db()
        assert line.status == "PENDING"


def test_queues_have_what_waits(batch, line):
    def waiting():
        return {one.query for one in declared()["payment_files"].queues if _count(one)}

    assert waiting() == {"status__exact=OPEN"}
    close(batch)
    assert waiting() == {"status__exact=CLOSED"}
    approve(batch)
    assert waiting() == {"status__exact=APPROVED"}
    download(batch)
    assert waiting() == {"status__exact=SENT"}
    declare(line, "FAILED")
    assert waiting() == {"status__exact=SENT", "exceptions=declared"}
    debit(line, "stl_1")
    debit(line, "stl_2")
    assert waiting() == {"exceptions=operator"}


def _count(queue):
    rows = apps.get_model(queue.model)._default_manager
    return rows.filter(queue.where(clock.now())).count()


def test_codes_of_the_file_are_those_of_the_page(batch, line, console):
    file = hand_over(batch)
    assert codes_of(file.content) == [line.code]
