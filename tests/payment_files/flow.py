"""How tests of payment files talk: the steps of operators, and what the bank shows."""

from typing import Any

from payments.core import clock, days
from payments.payment_files.models import BankAnswer, BatchFile, BatchLine, PaymentBatch
from payments.payment_files.services import (
    answers,
    bank_debits,
    batches,
    declarations,
    files,
    reports,
)
from payments.payment_files.services.decisions import Person
from payments.payout.models import Payout
from payments.payout.services.engine import engine
from tests.support import payouts

ACCOUNT = "bancolombia-pagos"


def pay(api: Any, **changes: Any) -> tuple[Payout, BatchLine]:
    """A payout that the merchant asked for, and its line."""
    payout = payouts.create(api, **changes)
    engine.process_due(now=clock.now())
    payout.refresh_from_db()
    return payout, BatchLine.objects.get(payment_id=payout.pk)


def close(batch: PaymentBatch, actor: str = "ana", **changes: Any) -> PaymentBatch:
    given = {"pay_on": days.day_of(clock.now()), "now": clock.now(), **changes}
    return batches.close(batch_id=batch.pk, person=by(actor), **given)


def approve(batch: PaymentBatch, actor: str = "berta", **changes: Any) -> BatchFile:
    given = {"now": clock.now(), **changes}
    return batches.approve(batch_id=batch.pk, person=by(actor), **given)


def download(batch: PaymentBatch, actor: str = "ana", **changes: Any) -> BatchFile:
    given = {"now": clock.now(), "reason": "to the bank", **changes}
    return files.download(batch_id=batch.pk, actor=actor, **given)


def hand_over(batch: PaymentBatch) -> BatchFile:
    """All steps up to the download."""
    close(batch)
    approve(batch)
    return download(batch)


def request_version(batch: PaymentBatch, actor: str = "ana") -> PaymentBatch:
    today, now = days.day_of(clock.now()), clock.now()
    return batches.request_version(batch_id=batch.pk, pay_on=today, person=by(actor), now=now)


def take_out(line: BatchLine, actor: str = "ana") -> None:
    batches.take_out(line_id=line.pk, person=by(actor), now=clock.now())


def declare(line: BatchLine, status: str, actor: str = "ana") -> None:
    declarations.declare(line_id=line.pk, status=status, person=by(actor), now=clock.now())


def agree(line: BatchLine, actor: str = "berta") -> None:
    declarations.approve(line_id=line.pk, person=by(actor), now=clock.now())


def answer(batch: PaymentBatch, *rows: str, actor: str = "ana") -> BankAnswer:
    data = "\n".join(["code,status,reason", *rows]).encode()
    upload = answers.Upload(name="answer.csv", data=data)
    return answers.take_answer(batch_id=batch.pk, upload=upload, actor=actor, now=clock.now())


def by(actor: str) -> Person:
    return Person(actor=actor, reason="as agreed")


def report() -> None:
    reports.report_lines(now=clock.now())


def codes_of(content: bytes) -> list[str]:
    """What the bank reads of a file: the references of its payments."""
    lines = bytes(content).decode("ascii").split("\r\n")
    return [line[100:121].strip() for line in lines[1:-1]]


def handed_over(line: BatchLine) -> BatchLine:
    BatchLine.objects.filter(pk=line.pk).update(handed_over_at=clock.now())
    line.refresh_from_db()
    return line


def debit(line: BatchLine, source: str = "stl_1", **changes: Any) -> Any:
    return _movement(bank_debits.apply_debit, line, source, changes)


def give_back(line: BatchLine, source: str = "stl_9", **changes: Any) -> Any:
    return _movement(bank_debits.apply_return, line, source, changes)


def _movement(apply: Any, line: BatchLine, source: str, changes: dict[str, Any]) -> Any:
    now = clock.now()
    given = {"amount": line.amount, "booked_on": now.date(), "source": source, **changes}
    found = apply(line=line, now=now, **given)
    line.refresh_from_db()
    return found
