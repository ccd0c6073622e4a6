"""Several statements of one file, such as one for each day, become one."""

from collections.abc import Sequence
from itertools import pairwise

from django.utils.translation import gettext as _

from payments.reconciliation.formats.balances import shown
from payments.reconciliation.formats.fields import second_account
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement


def chained(statements: Sequence[ParsedStatement]) -> ParsedStatement:
    """All have balances: each starts with the closing balance of the one before."""
    if not statements:
        raise FileRefused(_("The file has no statement."))
    ordered = sorted(statements, key=lambda statement: statement.first_day)
    first = ordered[0]
    for before, after in pairwise(ordered):
        _check_follows(before, after)
    lines: list[ParsedLine] = []
    for statement in ordered:
        lines.extend(statement.lines)
    return ParsedStatement(
        format=first.format,
        account_number=first.account_number,
        first_day=first.first_day,
        last_day=max(statement.last_day for statement in ordered),
        lines=lines if len(ordered) > 1 else first.lines,
        opening=first.opening,
        closing=ordered[-1].closing,
    )


def _check_follows(before: ParsedStatement, after: ParsedStatement) -> None:
    if before.account_number != after.account_number:
        raise second_account(before.account_number, after.account_number, None)
    if before.closing is None or after.opening is None or before.closing == after.opening:
        return
    reason = _(
        "The statement until %(last)s closes with %(closing)s, but the next one, from %(first)s,"
        " opens with %(opening)s."
    )
    details = {
        "last": before.last_day,
        "closing": shown(before.closing),
        "first": after.first_day,
        "opening": shown(after.opening),
    }
    raise FileRefused(reason % details)
