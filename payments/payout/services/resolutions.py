"""An operator decides what the rail could not tell, with proof and reason."""

from datetime import datetime

from django.db import transaction

from payments.core import audit
from payments.payout.models import Payout
from payments.payout.services import engine
from payments.payout.services.errors import NotAllowed

Status = Payout.Status


@transaction.atomic
def resolve(
    *, payout: Payout, outcome: str, actor: str, proof: str, reason: str, now: datetime
) -> None:
    """Ends a payout as COMPLETED, FAILED or REFUNDED by hand.

    `proof` names what was seen: the rail's statement, a letter, a ticket. Raises NotAllowed.
    """
    locked = engine.lock_payout(payout.pk)
    if outcome not in Payout.MOVES.get(locked.status, frozenset()) or outcome == Status.PROCESSING:
        raise NotAllowed(f"A payout that is {locked.status} cannot become {outcome}.")
    if locked.status == Status.PENDING:
        raise NotAllowed("The payout was not handed to the rail yet.")
    last_sent_at = locked.last_sent_at if locked.status == Status.PROCESSING else None
    gives_back = outcome != Status.COMPLETED
    if gives_back and last_sent_at is not None and now < last_sent_at + engine.SETTLING:
        raise NotAllowed("A call to the rail may still be under way. Try again in a minute.")
    audit.record(
        actor=actor,
        action="payout.resolved",
        subject=locked,
        reason=reason,
        outcome=outcome,
        proof=proof,
    )
    note = f"by hand: {reason} ({proof})"
    if outcome == Status.COMPLETED:
        engine.complete(locked, now=now, actor=actor, reason=note)
    elif outcome == Status.FAILED:
        engine.fail(locked, now=now, actor=actor, reason=note)
    else:
        engine.refund(locked, now=now, actor=actor, reason=note)
