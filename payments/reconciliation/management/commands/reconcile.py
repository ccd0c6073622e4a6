"""manage.py reconcile DAY [--account SLUG]: one line of JSON for each account.

Exit 1 if a difference up to that day is open past its time.
"""

import sys
from argparse import ArgumentParser
from datetime import date

from django.core.management.base import BaseCommand, CommandError

from payments.core import clock, days, jsontext, money
from payments.core.errors import ServiceError
from payments.reconciliation.models import DayDifference
from payments.reconciliation.services.days import accounts
from payments.reconciliation.services.days.accounts import DayAccount
from payments.reconciliation.services.days.storing import reconcile_day
from payments.reconciliation.services.days.values import Columns, DayReport


class Command(BaseCommand):
    help = (
        "Reconciles a day of each bank account and acquirer; prints one line of JSON for each, "
        "exits 1 if something is open past its time."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("day", type=date.fromisoformat, help="YYYY-MM-DD, in Bogotá")
        parser.add_argument("--account", default="", help="its name in URLs; without it, all")

    def handle(self, *, day: date, account: str = "", **options: object) -> None:
        now = clock.now()
        today = days.day_of(now)
        if day > today:
            raise CommandError(f"{day} is after today in Bogotá, {today}.")
        is_open = False
        for one in _chosen(account):
            report = reconcile_day(account=one, day=day, today=today, now=now)
            earlier = _overdue_before(one, day, today)
            self.stdout.write(jsontext.dumps(_facts(report, earlier)))
            is_open |= bool(earlier) or any(each.is_overdue for each in report.differences)
        if is_open:
            sys.exit(1)


def _chosen(slug: str) -> list[DayAccount]:
    if not slug:
        return accounts.list_accounts()
    try:
        return [accounts.find_account(slug)]
    except ServiceError as error:
        known = ", ".join(one.slug for one in accounts.list_accounts())
        raise CommandError(f"{error.message} Known: {known or 'none'}.") from None


def _overdue_before(account: DayAccount, day: date, today: date) -> int:
    return DayDifference.objects.filter(
        account_kind=account.kind,
        account=account.slug,
        closed_at=None,
        day__lt=day,
        due_on__lt=today,
    ).count()


def _facts(report: DayReport, earlier: int) -> dict[str, object]:
    closing = report.closing
    return {
        "account": report.account,
        "kind": report.account_kind.value.lower(),
        "day": report.day.isoformat(),
        "status": report.status.value.lower(),
        "opening": _columns(report.opening),
        "flows": {
            flow.value.lower(): {**_columns(each.columns), "movements": each.count}
            for flow, each in report.flows.items()
            if each.count
        },
        "closing": _columns(closing),
        "stated": None if report.stated is None else money.number(report.stated),
        "covered": report.is_covered,
        "differences": [
            {
                "kind": one.kind.value.lower(),
                "cause": one.cause,
                **_columns(one.columns),
                "facts": dict(one.facts),
                "records": [f"{record.model} {record.pk}" for record in one.records],
                "ageDays": one.age_days,
                "dueOn": one.due_on.isoformat(),
                "overdue": one.is_overdue,
            }
            for one in report.differences
        ],
        "overdueOfEarlierDays": earlier,
    }


def _columns(columns: Columns | None) -> dict[str, object]:
    if columns is None:
        return {}
    return {name: money.number(amount) for name, amount in columns._asdict().items()}
