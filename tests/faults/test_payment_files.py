"""F29: a payment is in one file that counts, however often people and workers are killed."""

import subprocess
import sys
from collections import Counter
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Thread

import pytest

from payments.ledger import services as ledger
from payments.payment_files.models import BatchFile, BatchLine, LineFinding, PaymentBatch
from payments.payout.models import Payout
from tests.faults import scaled
from tests.payment_files.conftest import account  # noqa: F401
from tests.payment_files.flow import codes_of
from tests.support import outgoing_requests, payouts
from tests.support.funds import fund
from tests.support.measurements import record, seeded
from tests.support.services import child_environment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F29")]
PAYOUTS, KILLS, LONGEST_MS = scaled(400), scaled(300), 250


@contextmanager
def process(bank: Path):
    """A process whose forks act as it is ordered (tests.faults.payment_files_worker)."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.payment_files_worker", str(bank)],
        env=child_environment(DOORBELL="0"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        yield started
    finally:
        started.stdin.close()
        started.wait(30)


def order(one, role: str, milliseconds: int) -> str:
    one.stdin.write(f"{role} {milliseconds}\n")
    one.stdin.flush()
    return one.stdout.readline().strip()


def finish(processes) -> None:
    """Both live until nothing is left. Lines may come after the last batch."""
    worker = Thread(target=order, args=(processes["worker"], "worker", 0))
    worker.start()
    while worker.is_alive():
        order(processes["operator"], "operator", 0)
        worker.join(0.2)
    order(processes["operator"], "operator", 0)


def test_killed_people_and_workers_pay_nothing_twice(
    api,
    merchant,
    account,  # noqa: F811
    settings,
    tmp_path,
):
    random = seeded("payment-files")
    outgoing_requests.quiet(settings)
    fund(merchant, 1_000_000 * PAYOUTS)
    made = [payouts.create(api, amount=1000 + number) for number in range(PAYOUTS)]
    delays = {
        role: [random.randint(5, LONGEST_MS) for _ in range(KILLS)]
        for role in ("operator", "worker")
    }
    ended: list[str] = []

    def drive(one, role: str) -> None:
        ended.extend(order(one, role, milliseconds) for milliseconds in delays[role])

    with ExitStack() as stack:
        processes = {role: stack.enter_context(process(tmp_path)) for role in delays}
        threads = [Thread(target=drive, args=(one, role)) for role, one in processes.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kills = ended.count("-9")
        finish(processes)
    paid = Counter(
        code
        for file in tmp_path.iterdir()
        if file.suffix != ".draft"
        for code in codes_of(file.read_bytes())
    )
    by_code = dict(BatchLine.objects.values_list("code", "payment_id"))
    twice = {code: times for code, times in paid.items() if times > 1}
    lost = {one.pk for one in made} - {by_code[code] for code in paid}
    record(
        payouts=len(made),
        kills=kills,
        files_at_the_bank=len(BatchFile.objects.filter(replaced_at=None)),
        versions_replaced=BatchFile.objects.exclude(replaced_at=None).count(),
        paid_twice=len(twice),
        lost=len(lost),
    )
    assert (twice, lost) == ({}, set())
    assert set(Payout.objects.values_list("status", flat=True)) == {"COMPLETED"}
    assert set(BatchLine.objects.values_list("status", flat=True)) == {"COMPLETED"}
    assert set(PaymentBatch.objects.values_list("status", flat=True)) == {"DONE"}
    assert not LineFinding.objects.exists()
    assert not ledger.verify().problems
    assert kills
