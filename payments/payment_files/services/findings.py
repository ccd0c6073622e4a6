"""What the bank shows and a line does not allow. It calls an operator, and changes nothing else."""

from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

import structlog
from django.db import transaction
from django.utils.translation import gettext_noop as _

from payments.core import audit
from payments.core.errors import NotAllowed
from payments.payment_files.models import BatchLine, FindingKind, LineFinding
from payments.payment_files.services.decisions import Person, lock_line, save

log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Movement:
    """One movement of the bank account. `source` names it, the same in every call."""

    amount: Decimal
    booked_on: date
    source: str


def record_finding(
    line: BatchLine, kind: FindingKind, movement: Movement, now: datetime
) -> LineFinding:
    """Once for each movement, although it may be reported again. The line is locked."""
    found, is_new = LineFinding.objects.get_or_create(
        line=line,
        kind=kind,
        source=movement.source,
        defaults={"amount": movement.amount, "booked_on": movement.booked_on, "found_at": now},
    )
    if found.closed_at is not None and kind == FindingKind.DEBIT_WITHDRAWN:
        # It was assigned again after the first time, and is gone again.
        found.closed_at, found.closed_by, found.close_reason = None, "", ""
        found.booked_on, found.found_at = movement.booked_on, now
        found.save()
        is_new = True
    if is_new:
        log.error("payment_files.finding", line=line.pk, code=line.code, finding=kind.value)
        report = {"report_at": now} if kind == FindingKind.PAID_AFTER_FAILED else {}
        save(line, needs_operator=True, **report)
    return found


@transaction.atomic
def close_findings(*, line_id: str, person: Person, now: datetime) -> None:
    """An operator has looked into them. Nothing is booked or taken back. Raises NotAllowed."""
    line = lock_line(line_id)
    if not line.needs_operator:
        raise NotAllowed(_("Nothing waits here."))
    rows = line.findings.filter(closed_at=None)
    kinds = sorted(rows.values_list("kind", flat=True))
    rows.update(closed_at=now, closed_by=person.actor, close_reason=person.reason[:500])
    save(line, needs_operator=False)
    audit.record(
        actor=person.actor,
        action="batch_line.findings_closed",
        subject=line,
        reason=person.reason,
        kinds=kinds,
    )
