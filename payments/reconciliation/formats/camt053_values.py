"""Names and values in CAMT.053."""

from datetime import date, datetime
from decimal import Decimal
from functools import cache
from xml.etree.ElementTree import Element

from django.utils.translation import gettext as _

from payments.core.days import day_of
from payments.reconciliation.formats import fields
from payments.reconciliation.formats.values import FileRefused


class Path:
    """Names of elements, with the namespace of the file's version."""

    def __init__(self, namespace: str) -> None:
        self._prefix = f"{{{namespace}}}"
        self.to = cache(self._to)
        self.statement = self._to("Stmt")
        self.entry = self._to("Ntry")
        self.transaction = self._to("TxDtls")

    def _to(self, names: str) -> str:
        return "/".join(f"{self._prefix}{name}" for name in names.split("/"))

    def text(self, element: Element, *paths: str) -> str:
        """The text of the first of these that has one."""
        for names in paths:
            value = element.findtext(self.to(names), "").strip()
            if value:
                return value
        return ""


def pesos(element: Element | None, entry: int | None) -> Decimal:
    """Of an amount with a currency. Without a sign."""
    if element is None:
        raise FileRefused(_("The amount is missing."), entry)
    value = (element.text or "").strip()
    if element.get("Ccy") != "COP":
        reason = _("The currency is %(currency)s. Only statements in COP are read.")
        raise FileRefused(reason % {"currency": fields.shown(element.get("Ccy", ""))}, entry)
    return fields.unsigned(value, entry)


def signed(value: Decimal, mark: str, entry: int | None) -> Decimal:
    if mark not in ("CRDT", "DBIT"):
        reason = _("“%(mark)s” is neither CRDT nor DBIT.") % {"mark": fields.shown(mark)}
        raise FileRefused(reason, entry)
    return value if mark == "CRDT" else -value


def day(path: Path, parent: Element | None, days: fields.Days, entry: int | None) -> date:
    """Of `<Dt>`, or of `<DtTm>` in Bogotá where that has an offset."""
    if parent is None:
        raise FileRefused(_("The day is missing."), entry)
    value = path.text(parent, "Dt")
    if not value:
        value = local_day(path.text(parent, "DtTm"))
    # `2026-03-02-05:00` is a day with an offset.
    return days.divided(value[:10], entry, "-")


def local_day(value: str) -> str:
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return value
    return day_of(moment).isoformat() if moment.tzinfo else value
