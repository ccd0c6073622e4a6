"""What CAMT.053 says of a whole statement: account, days, balances and totals."""

from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from xml.etree.ElementTree import Element

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.balances import check_closing, shown
from payments.reconciliation.formats.camt053_entries import Entries, Totals
from payments.reconciliation.formats.camt053_values import Path, day, local_day, pesos, signed
from payments.reconciliation.formats.values import FileRefused, ParsedLine, ParsedStatement

FORMAT = "CAMT_053"
# The closing balance of the day before is an opening balance, too.
_OPENING = ("OPBD", "PRCD")
_CLOSING = ("CLBD",)


def statement(
    element: Element, path: Path, days: fields.Days, lines: list[ParsedLine], entries: Entries
) -> ParsedStatement:
    _check_currency(element, path)
    balances = _balances(element, path, days)
    opening = next((balances[kind] for kind in _OPENING if kind in balances), None)
    closing = next((balances[kind] for kind in _CLOSING if kind in balances), None)
    if opening is None or closing is None:
        reason = _("The statement has no opening balance (OPBD, PRCD) or no closing one (CLBD).")
        raise FileRefused(reason)
    _check_totals(element, path, entries.totals)
    check_closing(opening.pesos, lines, closing.pesos)
    booked = [line.booked_on for line in lines]
    last = max([closing.day, *booked])
    return ParsedStatement(
        format=FORMAT,
        account_number=_account(element, path),
        first_day=min([_first_day(element, path, days, opening.day), last, *booked]),
        last_day=last,
        lines=lines,
        opening=opening.pesos,
        closing=closing.pesos,
    )


def _account(element: Element, path: Path) -> str:
    number = path.text(element, "Acct/Id/Othr/Id", "Acct/Id/IBAN")
    if not number:
        raise FileRefused(_("The statement has no account."))
    return fields.digits(fields.account_number(number), None)


def _check_currency(element: Element, path: Path) -> None:
    currency = path.text(element, "Acct/Ccy")
    if currency not in ("", "COP"):
        reason = _("The currency is %(currency)s. Only statements in COP are read.")
        raise FileRefused(reason % {"currency": fields.shown(currency)})


@dataclass(frozen=True, slots=True)
class _Balance:
    day: date
    pesos: Decimal


def _balances(element: Element, path: Path, days: fields.Days) -> dict[str, _Balance]:
    """The first opening and the last closing one: pages have balances between, marked INTM."""
    found: dict[str, _Balance] = {}
    for each in element.iterfind(path.to("Bal")):
        kind = path.text(each, "Tp/CdOrPrtry/Cd")
        if kind in _OPENING + _CLOSING and not (kind in _OPENING and kind in found):
            mark = path.text(each, "CdtDbtInd")
            found[kind] = _Balance(
                day=day(path, each.find(path.to("Dt")), days, None),
                pesos=signed(pesos(each.find(path.to("Amt")), None), mark, None),
            )
    return found


def _first_day(element: Element, path: Path, days: fields.Days, opening: date) -> date:
    """Of the period. Without one: an opening balance has the first day, or the day before it."""
    start = path.text(element, "FrToDt/FrDtTm")
    if not start:
        return opening + timedelta(days=1)
    return days.divided(local_day(start)[:10], None, "-")


def _check_totals(element: Element, path: Path, totals: Totals) -> None:
    if totals.not_booked:
        return
    summary = "TxsSummry"
    for group, records, sum_ in (
        ("TtlNtries", totals.records, totals.credits + totals.debits),
        ("TtlCdtNtries", totals.credit_records, totals.credits),
        ("TtlDbtNtries", totals.debit_records, totals.debits),
    ):
        _check(path.text(element, f"{summary}/{group}/NbOfNtries"), Decimal(records))
        _check(path.text(element, f"{summary}/{group}/Sum"), sum_)


def _check(said: str, found: Decimal) -> None:
    if said and fields.unsigned(said, None) != found:
        reason = _("The summary says %(said)s, but the entries have %(found)s.")
        raise FileRefused(reason % {"said": fields.shown(said), "found": shown(found)})
