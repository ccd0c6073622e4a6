"""Keeps the figures of a day for calendars and metrics, and each difference until it ends."""

from datetime import date, datetime
from typing import Any

from django.db import connection, transaction

from payments.core import money
from payments.reconciliation.models import DayDifference, ReconciledDay
from payments.reconciliation.services.days.accounts import DayAccount, compute_day
from payments.reconciliation.services.days.values import DayReport, Difference

_FIELDS = ("flow", "kind", "books", "provider", "bank", "cause", "facts", "records", "due_on")
# Key of the advisory locks of days. No other code uses this class of keys.
_LOCKS = 6_201_948


@transaction.atomic
def reconcile_day(*, account: DayAccount, day: date, today: date, now: datetime) -> DayReport:
    """Raises UnknownAccount."""
    with connection.cursor() as cursor:
        name = f"{account.kind}:{account.slug}:{day}"
        cursor.execute("SELECT pg_advisory_xact_lock(%s, hashtext(%s))", [_LOCKS, name])
    report = compute_day(account, day, today)
    whose: dict[str, Any] = {
        "account_kind": report.account_kind,
        "account": report.account,
        "day": day,
    }
    ReconciledDay.objects.update_or_create(
        **whose, defaults={"status": report.status, "flows": _flows(report), "computed_at": now}
    )
    known = {one.key: one for one in DayDifference.objects.filter(**whose, closed_at=None)}
    for one in report.differences:
        _keep(DayDifference(**whose, found_at=now), known.pop(one.key, None), one)
    ended = [one.pk for one in known.values()]
    DayDifference.objects.filter(pk__in=ended).update(closed_at=now)
    return report


def _keep(new: DayDifference, known: DayDifference | None, found: Difference) -> None:
    row = known or new
    before = [getattr(row, name) for name in _FIELDS]
    row.key, row.flow, row.kind, row.cause = found.key, found.flow, found.kind, found.cause
    row.books, row.provider, row.bank = found.columns
    row.facts, row.due_on = dict(found.facts), found.due_on
    row.records = [{"model": one.model, "pk": one.pk} for one in found.records]
    if known is None or before != [getattr(row, name) for name in _FIELDS]:
        row.save()


def _flows(report: DayReport) -> dict[str, list[str]]:
    return {
        flow.value: [money.text(amount) for amount in each.columns]
        for flow, each in report.flows.items()
        if each.count
    }
