"""Workers and people of payouts by file that are killed: python -m ... < orders.

Each line of the input is `role milliseconds`: a fork acts in this role and is killed after that
time. With 0 it lives until its part is done. The answer is a line with its exit code.
"""

import os
import signal
import sys
import time

import django

PAUSE_SECONDS = 0.005
IDLE_SECONDS = 600


def main() -> None:
    django.setup()
    # Imported once, before the forks.
    from payments.payout.services import engine  # noqa: F401
    from payments.payout_batches.services import queue  # noqa: F401

    for order in sys.stdin:
        role, milliseconds = order.split()
        child = os.fork()
        if child == 0:
            _act(role)
        if int(milliseconds):
            time.sleep(int(milliseconds) / 1000)
            os.kill(child, signal.SIGKILL)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), flush=True)


def _act(role: str) -> None:
    act = {"worker": _work, "people": _decide, "sender": _send}[role]
    deadline = time.monotonic() + IDLE_SECONDS
    while time.monotonic() < deadline:
        if act():
            os._exit(0)
        time.sleep(PAUSE_SECONDS)
    os._exit(1)


def _work() -> bool:
    """Whether nothing is left to check and to create."""
    from payments.core import clock
    from payments.payout_batches.models import PayoutBatch
    from payments.payout_batches.services import queue

    queue.process_batches(now=clock.now())
    return not PayoutBatch.objects.filter(status__in=("CHECKING", "RUNNING")).exists()


def _decide() -> bool:
    """One person sends what is checked, the other approves it. Whether both are done."""
    from payments.core.errors import NotAllowed
    from payments.payout_batches.models import PayoutBatch
    from tests.payout_batches import flow

    waiting = PayoutBatch.objects.filter(status__in=("CHECKED", "WAITING_APPROVAL"))
    for batch in waiting:
        try:
            if batch.status == "CHECKED":
                flow.submit(batch, acknowledges=True)
            else:
                flow.approve(batch)
        except NotAllowed:
            continue
    return not waiting.exists()


def _send() -> bool:
    """Hands payouts to the rail for as long as the process lives."""
    from payments.core import clock
    from payments.payout.services.engine import engine

    engine.process_due(now=clock.now(), limit=5)
    return False


if __name__ == "__main__":
    main()
