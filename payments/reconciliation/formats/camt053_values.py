"""Values of CAMT.053."""

from datetime import date, datetime
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.core.days import day_of
from payments.reconciliation.formats import fields
from payments.reconciliation.formats.camt053_xml import Values
from payments.reconciliation.formats.values import FileRefused


def first(values: Values, *places: str) -> str:
    return next((values[place] for place in places if place in values), "")


def pesos(values: Values, place: str) -> Decimal:
    """Of an amount with a currency. Without a sign."""
    check_currency(values.get(f"{place}@Ccy", ""))
    return fields.unsigned(values.get(place, ""), None)


def check_currency(currency: str) -> None:
    if currency != "COP":
        reason = _("The currency is %(currency)s. Only statements in COP are read.")
        raise FileRefused(reason % {"currency": fields.shown(currency)})


def signed(value: Decimal, mark: str) -> Decimal:
    if mark not in ("CRDT", "DBIT"):
        reason = _("“%(mark)s” is neither CRDT nor DBIT.") % {"mark": fields.shown(mark)}
        raise FileRefused(reason)
    return value if mark == "CRDT" else -value


def day(values: Values, place: str, days: fields.Days) -> date:
    """Of a `<Dt>`, or of a `<DtTm>` in Bogotá where that has an offset."""
    value = values.get(f"{place}/Dt") or local_day(values.get(f"{place}/DtTm", ""))
    # `2026-03-02-05:00` is a day with an offset.
    return days.divided(value[:10], None, "-")


def local_day(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return value[:10]
    return day_of(moment).isoformat() if moment.tzinfo else value[:10]
