"""How the tests of every outgoing product talk: an operator decides, the rail calls back."""

from datetime import datetime
from typing import Any

from payments.core import clock
from payments.outgoing import resolutions
from payments.outgoing.engine import Engine
from payments.outgoing.models import OutgoingPayment


def resolve(
    engine: Engine[Any],
    payment: OutgoingPayment,
    outcome: str,
    *,
    actor: str = "ana",
    proof: str = "statement 7",
    reason: str = "seen there",
    now: datetime | None = None,
) -> None:
    """An operator ends it by hand."""
    resolutions.resolve(
        engine=engine,
        payment=payment,
        outcome=outcome,
        actor=actor,
        proof=proof,
        reason=reason,
        now=now or clock.now(),
    )
