"""Asks the rail who has the keys of a checked file, before people decide about it.

Bounded: a file may have thousands of keys, and a person who only wants to know whose keys they are
may upload many files. The keys that are left are asked for before each payout is sent, as always.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from payments.core import clock, states
from payments.payout.models import Network
from payments.payout.services import dry_run
from payments.payout_batches.models import BatchLine, BatchStatus, LineStatus, PayoutBatch
from payments.payout_batches.services import totals
from payments.payout_batches.services.terms import Terms
from payments.rails.holder_names import may_be
from payments.rails.models import KeyCheck
from payments.rails.services import key_checks
from payments.rails.services.key_checks import KeyPayment

Result = KeyCheck.Result
# The line's key_result if the rail of its payout tells of no holders.
CANNOT = "CANNOT"
WORKER = "worker"
_FAULTS = {Result.NOT_FOUND: "key_unknown", Result.CLOSED: "key_closed"}
_TURN = timedelta(seconds=10)
# Of one merchant in an hour: so many files full of keys.
_FILES_PER_HOUR = 3
_HOUR = timedelta(hours=1)


def ask(*, batch: PayoutBatch, now: datetime) -> bool:
    """Asks for one turn, outside transactions. Returns whether nothing is left to ask."""
    lines = list(_keys(batch).filter(key_result="").order_by("number"))
    terms = Terms(batch.merchant)
    for line in lines[: _room(batch, now)]:
        _ask(line, terms)
        if clock.now() - now > _TURN:
            return False
    return True


def _room(batch: PayoutBatch, now: datetime) -> int:
    """How many keys may still be asked for."""
    most: int = settings.PAYOUT_BATCH_KEYS_MAX
    own = _keys(batch).exclude(key_result="").count()
    recent = BatchLine.objects.filter(
        batch__merchant=batch.merchant_id, batch__created_at__gte=now - _HOUR
    )
    others = recent.exclude(batch=batch.pk).exclude(key_result="").count()
    return max(min(most, _FILES_PER_HOUR * most - others) - own, 0)


def _keys(batch: PayoutBatch) -> QuerySet[BatchLine]:
    return batch.lines.filter(
        Q(status=LineStatus.WAITING) | ~Q(key_result=""), network=Network.BREB
    )


def _ask(line: BatchLine, terms: Terms) -> None:
    assert line.amount is not None  # noqa: S101 - only lines without a fault are asked
    account = terms.account_for(line.network, line.amount)
    payment = KeyPayment(
        subject_id="", account=account, key_type=line.key_type, key_value=line.key_value
    )
    check = key_checks.look_up(payment=payment, now=clock.now()) if account else None
    if check is None:
        line.key_result = CANNOT
    else:
        line.key_result, line.key_holder = check.result, dry_run.masked(check.holder_name)
        _apply(line, check)
    line.save(update_fields=["key_result", "key_holder", "status", "faults", "warnings"])


def _apply(line: BatchLine, check: KeyCheck) -> None:
    result = Result(check.result)
    if result in _FAULTS:
        fault = {"code": _FAULTS[result], "column": "key_value", "value": line.key_value}
        line.faults, line.status = [*line.faults, fault], LineStatus.WRONG
    elif result == Result.FOUND and not may_be(line.recipient_name, check.holder_name):
        line.warnings = [*line.warnings, {"code": "holder", "holder": line.key_holder}]


@transaction.atomic
def finish(*, batch: PayoutBatch, now: datetime) -> None:
    """The check has ended: people decide."""
    locked = PayoutBatch.objects.select_for_update(no_key=True).get(pk=batch.pk)
    if locked.status != BatchStatus.CHECKING:
        return
    keys = _keys(locked)
    told = keys.filter(key_result__in=(Result.FOUND, Result.NOT_FOUND, Result.CLOSED)).count()
    totals.count(locked)
    states.move(
        locked,
        BatchStatus.CHECKED,
        now=now,
        actor=WORKER,
        due_at=None,
        attempts=0,
        keys_asked=told,
        keys_left=keys.count() - told,
        **{name: getattr(locked, name) for name in totals.FIELDS},
    )
