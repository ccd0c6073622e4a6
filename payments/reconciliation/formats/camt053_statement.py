"""What CAMT.053 says of a whole statement: account, days, balances and totals."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.balances import check_closing, shown
from payments.reconciliation.formats.camt053_entries import Entries, Totals
from payments.reconciliation.formats.camt053_values import (
    check_currency,
    day,
    first,
    local_day,
    pesos,
    signed,
)
from payments.reconciliation.formats.camt053_xml import Values
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

FORMAT = "CAMT_053"
# The closing balance of the day before is an opening balance, too.
_OPENING = ("OPBD", "PRCD")
_CLOSING = "CLBD"


@dataclass(frozen=True, slots=True)
class _Balance:
    day: date
    pesos: Decimal


class Balances:
    def __init__(self, days: fields.Days) -> None:
        self._days = days
        self._found: dict[str, _Balance] = {}

    def add(self, values: Values) -> None:
        """The first opening and the last closing one count: pages have balances between them."""
        kind = values.get("Bal/Tp/CdOrPrtry/Cd", "")
        if kind != _CLOSING and (kind not in _OPENING or kind in self._found):
            return
        self._found[kind] = _Balance(
            day=day(values, "Bal/Dt", self._days),
            pesos=signed(pesos(values, "Bal/Amt"), values.get("Bal/CdtDbtInd", "")),
        )

    def ends(self) -> tuple[_Balance, _Balance]:
        opening = next((self._found[kind] for kind in _OPENING if kind in self._found), None)
        closing = self._found.get(_CLOSING)
        if opening is None or closing is None:
            reason = _(
                "The statement has no opening balance (OPBD, PRCD) or no closing one (CLBD)."
            )
            raise FileRefused(reason)
        return opening, closing


def statement(
    values: Values,
    days: fields.Days,
    balances: Balances,
    lines: list[ParsedLine],
    entries: Entries,
) -> ParsedStatement:
    check_currency(values.get("Stmt/Acct/Ccy", "COP"))
    opening, closing = balances.ends()
    _check_totals(values, entries.totals)
    check_closing(opening.pesos, lines, closing.pesos)
    booked = [line.booked_on for line in lines]
    last = max([closing.day, *booked])
    return ParsedStatement(
        format=FORMAT,
        account_number=_account(values),
        first_day=min([_first_day(values, days, opening.day), last, *booked]),
        last_day=last,
        lines=lines,
        opening=opening.pesos,
        closing=closing.pesos,
    )


def _account(values: Values) -> str:
    number = first(values, "Stmt/Acct/Id/Othr/Id", "Stmt/Acct/Id/IBAN")
    if not number:
        raise FileRefused(_("The statement has no account."))
    return fields.digits(fields.account_number(number), None)


def _first_day(values: Values, days: fields.Days, opening: date) -> date:
    """Of the period. Without one: an opening balance has the first day, or the day before it."""
    start = values.get("Stmt/FrToDt/FrDtTm", "")
    return days.divided(local_day(start), None, "-") if start else opening + timedelta(days=1)


def _check_totals(values: Values, totals: Totals) -> None:
    if totals.not_booked:
        return
    for group, records, sum_ in (
        ("TtlNtries", totals.records, totals.credits + totals.debits),
        ("TtlCdtNtries", totals.credit_records, totals.credits),
        ("TtlDbtNtries", totals.debit_records, totals.debits),
    ):
        _check(values.get(f"Stmt/TxsSummry/{group}/NbOfNtries", ""), Decimal(records))
        _check(values.get(f"Stmt/TxsSummry/{group}/Sum", ""), sum_)


def _check(said: str, found: Decimal) -> None:
    if said and fields.unsigned(said, None) != found:
        reason = _("The summary says %(said)s, but the entries have %(found)s.")
        raise FileRefused(reason % {"said": fields.shown(said), "found": shown(found)})
