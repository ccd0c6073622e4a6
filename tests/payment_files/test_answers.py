"""What the bank answered, as people write it down, and what two of them declare."""

import pytest

from payments.core import clock
from payments.core.errors import NotAllowed
from payments.ledger import services as ledger
from payments.payment_files.models import BankAnswer, BatchLine
from payments.payment_files.services import answers
from payments.payment_files.services.answers import AnswerRefused
from tests.payment_files.flow import (
    agree,
    answer,
    debit,
    declare,
    hand_over,
    pay,
    report,
    request_version,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def paid(api, account):
    """Two payouts whose file is at the bank."""
    first, second = pay(api), pay(api)
    hand_over(first[1].batch)
    return [_fresh(one) for one in (first, second)]


def _fresh(pair):
    pair[1].refresh_from_db()
    return pair


def states(*pairs):
    found = []
    for payout, line in pairs:
        payout.refresh_from_db()
        line.refresh_from_db()
        found.append((line.status, payout.status))
    return found


def available(merchant):
    return ledger.balances(merchant.pk)["COPM"]["available"]


class TestDeclarations:
    def test_paid_counts_at_once(self, paid):
        declare(paid[0][1], "COMPLETED")
        report()
        assert states(*paid) == [("COMPLETED", "COMPLETED"), ("PENDING", "PROCESSING")]

    def test_not_paid_needs_a_second_person(self, merchant, paid):
        payout, line = paid[0]
        before = available(merchant)
        declare(line, "FAILED", "ana")
        report()
        assert (states(paid[0]), available(merchant)) == ([("PENDING", "PROCESSING")], before)
        with pytest.raises(NotAllowed):
            agree(line, "ana")
        agree(line, "berta")
        report()
        assert states(paid[0]) == [("FAILED", "FAILED")]
        assert available(merchant) == before + payout.debit
        assert payout.public_reason == "REFUSED_BY_BANK"

    def test_return_of_a_paid_line_needs_a_second_person(self, paid):
        _, line = paid[0]
        declare(line, "COMPLETED")
        declare(line, "RETURNED")
        assert states(paid[0])[0][0] == "COMPLETED"
        agree(line)
        report()
        assert states(paid[0]) == [("RETURNED", "REFUNDED")]

    def test_statement_overrules_what_was_only_declared(self, paid):
        _, line = paid[0]
        declare(line, "FAILED")
        assert debit(line) is None
        with pytest.raises(NotAllowed):
            agree(line)
        report()
        assert states(paid[0]) == [("COMPLETED", "COMPLETED")]

    def test_debit_after_two_persons_said_not_paid_calls_operators(self, merchant, paid):
        payout, line = paid[0]
        declare(line, "FAILED")
        agree(line)
        report()
        before = available(merchant)
        assert debit(line).kind == "PAID_AFTER_FAILED"
        report()
        payout.refresh_from_db()
        assert states(paid[0]) == [("FAILED", "FAILED")]
        assert (line.needs_operator, payout.needs_operator) == (True, True)
        assert available(merchant) == before

    def test_line_that_no_file_had_is_not_declared(self, api, account):
        _, line = pay(api)
        for status in ("COMPLETED", "FAILED", "RETURNED"):
            with pytest.raises(NotAllowed):
                declare(line, status)

    def test_failed_line_is_in_no_later_version(self, paid):
        _, line = paid[0]
        declare(line, "FAILED")
        agree(line)
        batch = request_version(line.batch)
        assert batch.lines.get(status="PENDING").pk == paid[1][1].pk


class TestAnswers:
    def test_answer_decides_its_lines(self, merchant, paid):
        (_, first), (_, second) = paid
        answer(first.batch, f"{first.code},COMPLETED,", f"{second.code},failed,ACCOUNT_CLOSED")
        report()
        assert states(*paid) == [("COMPLETED", "COMPLETED"), ("PENDING", "PROCESSING")]
        agree(second)
        report()
        assert states(paid[1]) == [("FAILED", "FAILED")]
        assert paid[1][0].public_reason == "ACCOUNT_CLOSED"

    def test_same_file_twice_changes_nothing(self, paid):
        (_, first), _ = paid
        one = answer(first.batch, f"{first.code},FAILED,closed")
        agree(first)
        assert answer(first.batch, f"{first.code},FAILED,closed") == one
        assert BankAnswer.objects.count() == 1
        report()
        assert states(paid[0]) == [("FAILED", "FAILED")]

    def test_statement_after_the_answer_is_the_debit(self, paid):
        _, line = paid[0]
        answer(line.batch, f"{line.code},COMPLETED,")
        line.refresh_from_db()
        assert debit(line, "stl_1") is None
        assert debit(line, "stl_2").kind == "SECOND_DEBIT"

    @pytest.mark.parametrize(
        ("rows", "line"),
        [
            (["{first},COMPLETED,", "999999999,COMPLETED,"], 3),
            (["{first},COMPLETED,", "{first},COMPLETED,"], 3),
            (["{first},PAID,"], 2),
            (["{first},FAILED,"], 2),
            (["{first},COMPLETED"], 2),
            (["{first},COMPLETED,,"], 2),
            (["{first},COMPLETED,", "{second},FAILED," + "x" * 501], 3),
            (["{first},COMPLETED,", '{second},FAILED,"x'], 3),
            ([], 0),
        ],
    )
    def test_file_is_refused_whole_with_the_line(self, paid, rows, line):
        codes = {"first": paid[0][1].code, "second": paid[1][1].code}
        with pytest.raises(AnswerRefused) as refused:
            answer(paid[0][1].batch, *(row.format(**codes) for row in rows))
        assert refused.value.line == line
        assert states(*paid) == [("PENDING", "PROCESSING")] * 2
        assert not BankAnswer.objects.exists()
        assert not BatchLine.objects.exclude(declared_status="").exists()

    def test_answer_against_what_is_decided_is_refused(self, paid):
        _, line = paid[0]
        debit(line)
        with pytest.raises(AnswerRefused):
            answer(line.batch, f"{line.code},FAILED,closed")

    @pytest.mark.parametrize(
        "data",
        [
            "código;estado;motivo\n".encode("latin-1"),
            b"\xff\xfec\x00o\x00",
            b"",
            b"a" * (2 * 1024 * 1024 + 1),
            b"PK\x03\x04\x00\x00",
        ],
    )
    def test_what_is_no_answer_is_refused(self, paid, data):
        batch, upload = paid[0][1].batch, answers.Upload(name="x.csv", data=data)
        with pytest.raises(AnswerRefused):
            answers.take_answer(batch_id=batch.pk, upload=upload, actor="ana", now=clock.now())

    def test_semicolons_and_a_byte_order_mark_are_read(self, paid):
        line = paid[0][1]
        data = f"﻿Code;Status;Reason\r\n{line.code};COMPLETED;\r\n\r\n".encode()
        upload = answers.Upload(name="x.csv", data=data)
        answers.take_answer(batch_id=line.batch_id, upload=upload, actor="ana", now=clock.now())
        assert states(paid[0])[0][0] == "COMPLETED"

    def test_answer_before_any_download_is_refused(self, api, account):
        _, line = pay(api)
        with pytest.raises(NotAllowed):
            answer(line.batch, f"{line.code},COMPLETED,")
