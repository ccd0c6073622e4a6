"""Operators and workers of payment files that are killed: python -m ... DIRECTORY < orders.

Each line of the input is `role milliseconds`: a fork acts in this role and is killed after that
time. With 0 it lives until nothing is left to do. The answer is a line with its exit code.

DIRECTORY is the bank: what lies there was uploaded at its portal. It pays each line of each file,
whatever it paid before.
"""

import os
import signal
import sys
import time
from datetime import timedelta
from pathlib import Path

import django

PAUSE_SECONDS = 0.005
# A killed worker leaves work that is taken up again a minute later.
IDLE_SECONDS = 300
# From the download to the bank's portal.
CARRY_SECONDS = 0.1


def main() -> None:
    django.setup()
    # Imported once, before the forks.
    from payments.payment_files.services import batches, files, reports  # noqa: F401
    from payments.payout.services import engine  # noqa: F401

    bank = Path(sys.argv[1])
    for order in sys.stdin:
        role, milliseconds = order.split()
        child = os.fork()
        if child == 0:
            _act(role, bank)
        if int(milliseconds):
            time.sleep(int(milliseconds) / 1000)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _act(role: str, bank: Path) -> None:
    act = {"worker": _work, "operator": _operate}[role]
    deadline = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < deadline:
        if act(bank):
            os._exit(0)
        time.sleep(PAUSE_SECONDS)
    os._exit(1)


def _work(bank: Path) -> bool:
    """Sends payouts and reports lines. Whether all payouts have ended."""
    from payments.core import clock
    from payments.payment_files.services import reports
    from payments.payout.models import Payout
    from payments.payout.services.engine import engine

    engine.process_due(now=clock.now(), limit=5)
    reports.report_lines(now=clock.now(), limit=5)
    return not Payout.objects.filter(status__in=("PENDING", "PROCESSING")).exists()


def _operate(bank: Path) -> bool:
    """One step of each batch. Whether all are done."""
    from payments.core.errors import NotAllowed
    from payments.payment_files.models import PaymentBatch

    waiting = PaymentBatch.objects.exclude(status="DONE")
    for batch in waiting.order_by("id"):
        try:
            _step(batch, bank)
        except NotAllowed:
            continue
    return not waiting.exists()


def _step(batch: object, bank: Path) -> None:
    from payments.core import clock, days
    from payments.payment_files.models import BatchFile, PaymentBatch
    from payments.payment_files.services import batches, files
    from payments.payment_files.services.decisions import Person

    assert isinstance(batch, PaymentBatch)
    ana = Person(actor="ana", reason="as agreed")
    berta = Person(actor="berta", reason="as agreed")
    # A day has 26 files at most, so the next day comes after 20.
    now = clock.now() + timedelta(days=BatchFile.objects.count() // 20)
    pay_on = days.day_of(now + timedelta(days=5))
    match batch.status:
        case "OPEN":
            batches.close(batch_id=batch.pk, pay_on=pay_on, person=ana, now=now)
        case "CLOSED":
            batches.approve(batch_id=batch.pk, person=berta, now=now)
        case "APPROVED":
            file = files.download(batch_id=batch.pk, actor="ana", reason="x", now=now)
            time.sleep(CARRY_SECONDS)
            _upload(bank, file.sha256, bytes(file.content))
        case "SENT" if not _is_uploaded(bank, batch):
            # The person died with the file: the bank has none of this version.
            batches.request_version(batch_id=batch.pk, pay_on=pay_on, person=ana, now=now)
        case "SENT":
            _import_statement(bank, batch)


def _upload(bank: Path, name: str, content: bytes) -> None:
    """Whole or not at all."""
    draft = bank / f"{name}.draft"
    draft.write_bytes(content)
    draft.rename(bank / name)


def _is_uploaded(bank: Path, batch: object) -> bool:
    from payments.payment_files.models import BatchFile

    return (bank / BatchFile.objects.get(batch=batch, replaced_at=None).sha256).exists()


def _import_statement(bank: Path, batch: object) -> None:
    """The bank's movements of this file, each of which has a name of its own."""
    from payments.core import clock, days
    from payments.payment_files.models import BatchFile
    from payments.payment_files.services import bank_debits
    from tests.payment_files.flow import ACCOUNT, codes_of

    file = BatchFile.objects.get(batch=batch, replaced_at=None)
    for code in codes_of((bank / file.sha256).read_bytes()):
        line = bank_debits.find_line([ACCOUNT], code)
        assert line is not None
        bank_debits.apply_debit(
            line=line,
            amount=line.amount,
            booked_on=days.day_of(clock.now()),
            source=f"{file.sha256[:12]}:{code}",
            now=clock.now(),
        )


if __name__ == "__main__":
    main()
