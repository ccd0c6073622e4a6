"""What the task that sends the payments of a product does (payments.core.jobs)."""

from collections.abc import Iterable
from typing import Any

from payments.core import clock
from payments.outgoing.engine import Engine


def send_all(engine: Engine[Any], payment_ids: Iterable[str]) -> None:
    """One after the other. Calls take time: each has the time at which its own starts."""
    for payment_id in payment_ids:
        engine.send(payment_id=payment_id, now=clock.now())
