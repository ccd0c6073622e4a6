"""The day's reconciliation of a generated month: the command's exit codes and the columns."""

import io
from contextlib import redirect_stdout
from datetime import date
from decimal import Decimal
from typing import Any

from django.core.management import call_command

from payments.core import jsontext
from tests.reconciliation.told_service import ToldService

NOTHING = Decimal(0)


def reconcile(day: date, account: str = "") -> tuple[int, list[dict[str, Any]]]:
    """Exit code and the printed lines of `manage.py reconcile DAY`."""
    out = io.StringIO()
    options = {"account": account} if account else {}
    try:
        with redirect_stdout(out):
            call_command("reconcile", f"{day}", stdout=out, **options)
    except SystemExit as ended:
        return int(ended.code or 0), _lines(out)
    return 0, _lines(out)


def _lines(out: io.StringIO) -> list[dict[str, Any]]:
    return [jsontext.loads(line.encode()) for line in out.getvalue().splitlines()]


# Until another file says a balance, the columns of a day have no end.
WITHOUT_BALANCES = ("bogota", "occidente")


def faults_of_days(told: ToldService) -> list[str]:
    """True when no line waits: every day is green, and its columns end in the bank's balance."""
    found = []
    has_balance = told.format not in WITHOUT_BALANCES
    for day in told.month.days:
        code, lines = reconcile(day, "main")
        closing = lines[0]["closing"]
        has_balance = has_balance or bool(closing)
        wanted = _balance(told, day)
        ends = {Decimal(str(amount)) for amount in closing.values()}
        if code or lines[0]["differences"]:
            found.append(f"{day}: exit {code}, {lines[0]['differences']}")
        if has_balance and ends != {wanted}:
            found.append(f"{day}: columns end in {closing}, the bank in {wanted}")
    return found


def _balance(told: ToldService, day: date) -> Decimal:
    """What the bank has at the end of the day."""
    booked = [line for line in told.bank.lines if line.day <= day]
    return booked[-1].balance if booked else told.month.opening
