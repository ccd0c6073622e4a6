"""Rows with one column for debits and one for credits."""

from collections.abc import Sequence
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.balances import ZERO
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement


def pesos(debit: str, credit: str, line: int) -> Decimal:
    """Above zero: came in. Zero where the bank writes a movement of nothing."""
    if not debit and not credit:
        raise FileRefused(_("The row has no amount: debit and credit are empty."), line)
    out = fields.amount(debit, line) if debit else ZERO
    came = fields.amount(credit, line) if credit else ZERO
    if out < 0 or came < 0:
        wrong = debit if out < 0 else credit
        reason = _("The amount %(value)s is below zero in a column of debits or credits.")
        raise FileRefused(reason % {"value": fields.shown(wrong)}, line)
    if out and came:
        reason = _("The row has a debit (%(debit)s) and a credit (%(credit)s).")
        raise FileRefused(reason % {"debit": debit, "credit": credit}, line)
    return came - out


def statement(format_: str, lines: Sequence[ParsedLine]) -> ParsedStatement:
    """Of a format without account, period and balances."""
    if not lines:
        raise FileRefused(_("The file has no movements."))
    return ParsedStatement(
        format=format_,
        account_number="",
        first_day=min(line.booked_on for line in lines),
        last_day=max(line.booked_on for line in lines),
        lines=lines,
    )
