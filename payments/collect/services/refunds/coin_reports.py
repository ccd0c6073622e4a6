"""What the chain shows of the transaction of a refund in coins, kept with the refund.

A transaction may vanish before it is final: replaced by another fee, dropped by the network, or
left out by a reorganisation. Then the refund is an operator's matter again, and what has vanished
is still looked for.
"""

import structlog

from payments.chains.coin_refund import FORMER, LOOK
from payments.collect.models import Refund
from payments.core import audit
from payments.core.models import AuditEntry
from payments.providers.ports import OutgoingUpdate

log = structlog.get_logger(__name__)
GONE = "refund.transaction_gone"
AGAIN = "refund.transaction_again"
ENGINE = "engine"


def apply_look(refund: Refund, update: OutgoingUpdate) -> None:
    """For Product.on_update. The refund is locked, and the report has changed no status yet."""
    look = update.learned.get(LOOK)
    if not look or _is_stale(refund, update):
        return
    if again := look.get("again"):
        _revive(refund, str(again))
    elif look.get("is_gone"):
        _return_to_desk(refund)


def is_paid_twice(refund: Refund) -> bool:
    """Whether two transactions pay it, as far as is known."""
    rows = AuditEntry.objects.filter(subject_id=refund.pk, action=AGAIN)
    return bool(refund.coin) and rows.exclude(details__other="").exists()


def _is_stale(refund: Refund, update: OutgoingUpdate) -> bool:
    """Whether an operator has entered another transaction since the call began."""
    asked_about = update.learned[LOOK]["of"]
    if not asked_about and refund.provider_id == update.provider_id:
        return False  # this report has set it
    return bool(asked_about != refund.provider_id)


def _return_to_desk(refund: Refund) -> None:
    gone = refund.provider_id
    log.error("refund.transaction_gone", refund=refund.pk, transaction=gone)
    audit.record(actor=ENGINE, action=GONE, subject=refund, transaction=gone)
    former = [*refund.provider_state.get(FORMER, ()), gone]
    refund.provider_state = {**refund.provider_state, FORMER: former, LOOK: {}}
    refund.provider_id, refund.needs_operator = "", True
    refund.save(update_fields=["provider_state", "provider_id", "needs_operator", "updated_at"])


def _revive(refund: Refund, again: str) -> None:
    """It pays after all. If the refund has another one by now, it may be paid twice."""
    other = refund.provider_id if refund.provider_id != again else ""
    log.error("refund.transaction_again", refund=refund.pk, transaction=again, other=other)
    audit.record(actor=ENGINE, action=AGAIN, subject=refund, transaction=again, other=other)
    former = [one for one in refund.provider_state.get(FORMER, ()) if one != again]
    former += [other] if other else []
    refund.provider_state = {**refund.provider_state, FORMER: former, LOOK: {}}
    refund.provider_id, refund.needs_operator = again, bool(other)
    refund.save(update_fields=["provider_state", "provider_id", "needs_operator", "updated_at"])
