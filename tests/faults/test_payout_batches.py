"""F30: a file of payouts is paid once, however often its workers and people are killed."""

import csv
import io
import subprocess
import sys
import time
from collections import Counter
from contextlib import ExitStack, contextmanager
from decimal import Decimal
from threading import Thread

import pytest
from django.contrib.auth.models import User

from merchants.models import Merchant
from payments.console import roles
from payments.console.state_words import state_word
from payments.core import clock
from payments.ledger import services as ledger
from payments.ledger.models import Entry
from payments.payout.models import Payout
from payments.payout_batches.models import BatchLine, PayoutBatch
from payments.payout_batches.services import results
from tests.admin.conftest import ana  # noqa: F401
from tests.faults import scaled
from tests.payout_batches import flow
from tests.support import outgoing_requests
from tests.support.funds import fund
from tests.support.measurements import record, seeded
from tests.support.merchant_staff import person_of
from tests.support.services import child_environment

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.faults("F30")]
LINES = scaled(10_000)
# While the file is checked, while people decide, and while payouts are created.
KILLS = {"CHECKING": 4, "deciding": 4, "RUNNING": 12}
LONGEST_MS = {"CHECKING": 1500, "deciding": 60, "RUNNING": 1500}


@contextmanager
def process():
    """A process whose forks act as it is ordered (tests.faults.payout_batches_worker)."""
    started = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.payout_batches_worker"],
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


def _team(merchant: Merchant) -> None:
    person_of(merchant, flow.PREPARER, roles.MERCHANT_PREPARER)
    person_of(merchant, flow.APPROVER, roles.MERCHANT_APPROVER)


def _pass_the_lease() -> None:
    """As if the minute had passed after which a dead worker's batch is taken up again."""
    PayoutBatch.objects.filter(due_at__isnull=False).update(due_at=clock.now(), attempts=0)


def _kill(one, role: str, part: str, random) -> int:
    killed = 0
    for _ in range(KILLS[part]):
        killed += order(one, role, random.randint(5, LONGEST_MS[part])) == "-9"
        _pass_the_lease()
    return killed


def _differences(batch: PayoutBatch) -> list[str]:
    """Between the result file and the books: payouts, their states, sums and ledger entries."""
    text = b"".join(results.result_file(batch=batch, kind="csv")).decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))[1:]
    payouts = Payout.objects.in_bulk()
    reserved = {
        entry.subject_id: -min(line.amount for line in entry.postings.all())
        for entry in Entry.objects.filter(kind="payout_reserved").prefetch_related("postings")
    }
    found = [f"{len(rows)} rows of {LINES}"] if len(rows) != LINES else []
    for row in rows:
        payout = payouts.get(row[9])
        if payout is None:
            found.append(f"line {row[0]} has no payout")
            continue
        amount, fee = Decimal(row[4]), Decimal(row[5])
        told = (row[1], amount, fee, row[6], row[8])
        kept = (payout.reference, payout.amount, payout.fee_amount)
        if told != (*kept, str(state_word(payout)), payout.provider_id):
            found.append(f"line {row[0]}: {told}")
        if reserved.get(payout.pk) != amount + fee:
            found.append(f"line {row[0]}: {reserved.get(payout.pk)} held")
    return found


def test_killed_workers_and_people_pay_no_line_twice_and_lose_none(
    merchant: Merchant,
    ana: User,  # noqa: F811
    settings,
) -> None:
    random = seeded("payout-batches")
    outgoing_requests.quiet(settings)
    _team(merchant)
    fund(merchant, 60_000 * LINES)
    batch = flow.upload(merchant, flow.many(LINES))
    with ExitStack() as stack:
        worker, sender = stack.enter_context(process()), stack.enter_context(process())
        kills = _kill(worker, "worker", "CHECKING", random)
        order(worker, "worker", 0)
        kills += _kill(worker, "people", "deciding", random)
        order(worker, "people", 0)
        sending = Thread(
            target=lambda: [order(sender, "sender", random.randint(50, 900)) for _ in range(20)]
        )
        sending.start()
        kills += _kill(worker, "worker", "RUNNING", random)
        assert order(worker, "worker", 0) == "0"
        sending.join()
    batch.refresh_from_db()
    keys = Counter(Payout.objects.values_list("idempotency_key", flat=True))
    wanted = {line.payout_key for line in BatchLine.objects.filter(batch=batch)}
    of_lines = set(BatchLine.objects.values_list("payout_id", flat=True))
    doubled = Payout.objects.count() - len(wanted & keys.keys())
    lost = len(wanted - keys.keys())
    differences = _differences(batch)
    record(
        lines=LINES,
        kills=kills,
        kills_of_senders=20,
        doubled=doubled,
        lost=lost,
        differences_of_the_result_file=len(differences),
    )
    assert (doubled, lost, differences[:5]) == (0, 0, [])
    assert batch.status == "DONE"
    assert of_lines == set(Payout.objects.values_list("pk", flat=True))
    assert not ledger.verify().problems
    assert kills


def test_ten_thousand_lines_are_checked_and_created_within_two_minutes(
    merchant: Merchant,
    ana: User,  # noqa: F811
    settings,
) -> None:
    outgoing_requests.quiet(settings)
    _team(merchant)
    fund(merchant, 60_000 * LINES)
    began = time.monotonic()
    batch = flow.upload(merchant, flow.many(LINES))
    with ExitStack() as stack:
        worker = stack.enter_context(process())
        order(worker, "worker", 0)
        checked = time.monotonic() - began
        flow.submit(batch)
        flow.approve(batch)
        began = time.monotonic()
        order(worker, "worker", 0)
        created = time.monotonic() - began
    assert Payout.objects.count() == LINES
    record(lines=LINES, seconds_checked=round(checked, 1), seconds_created=round(created, 1))
    assert checked + created < 120
