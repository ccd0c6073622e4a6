"""The fields of MT940, without their tags."""

import re
from datetime import date
from decimal import Decimal

from django.utils.translation import gettext as _

from payments.reconciliation.formats import fields
from payments.reconciliation.formats.values import FileRefused

_BALANCE = re.compile(r"(?P<sign>[CD])(?P<day>[0-9]{6})(?P<currency>[A-Z]{3})(?P<pesos>[0-9,]+)")
MOVEMENT = re.compile(
    r"(?P<value>[0-9]{6})(?P<entry>[0-9]{4})?(?P<mark>R?[CD])(?P<funds>[A-Z])?"
    r"(?P<pesos>[0-9]{1,20},[0-9]{0,2})(?P<kind>[A-Z][A-Z0-9]{3})"
    r"(?P<reference>.*?)(?://(?P<operation>.*))?"
)
_PESOS = re.compile(r"[0-9]{1,15},[0-9]{0,2}")
_SUBFIELD = re.compile(r"\?([0-9]{2})")
_CODE = re.compile(r"/(EREF|REMI|NAME|ORDP|BENM|IBAN|KREF|TRCD|BIC|ID)/")
_FULL_LINE = 65
_DETAILS = frozenset({"00", *(str(code) for code in (*range(20, 30), *range(60, 64)))})


def pesos(value: str, line: int) -> Decimal:
    if _PESOS.fullmatch(value) is None:
        reason = _("“%(value)s” is not an amount of MT940, such as 1234,50.")
        raise FileRefused(reason % {"value": fields.shown(value)}, line)
    return Decimal(value.replace(",", "."))


def day(value: str, days: fields.Days, line: int) -> date:
    """YYMMDD."""
    return days.of(value, line, f"20{value[:2]}", value[2:4], value[4:])


def entry_day(value: str, near: date, days: fields.Days, line: int) -> date:
    """MMDD, in the year in which it is nearest to the day of the value."""
    found = []
    for year in (near.year - 1, near.year, near.year + 1):
        try:
            found.append(date(year, int(value[:2]), int(value[2:])))
        except ValueError:
            continue
    if not found:
        return days.of(value, line, "0", "0", "0")
    nearest = min(found, key=lambda entry: abs(entry - near))
    return days.of(value, line, str(nearest.year), value[:2], value[2:])


def balance(value: str, days: fields.Days, line: int) -> tuple[date, Decimal]:
    match = _BALANCE.fullmatch(value.strip())
    if match is None:
        reason = _("“%(value)s” is not a balance of MT940.") % {"value": fields.shown(value)}
        raise FileRefused(reason, line)
    check_currency(match["currency"], line)
    said = pesos(match["pesos"], line)
    return day(match["day"], days, line), said if match["sign"] == "C" else -said


def check_currency(currency: str, line: int) -> None:
    if currency != "COP":
        reason = _("The currency is %(currency)s. Only statements in COP are read.")
        raise FileRefused(reason % {"currency": fields.shown(currency)}, line)


def account(value: str, line: int) -> str:
    """`1007/12345678901COP`: the bank, the account and the currency."""
    number = re.sub(r"[A-Z]{3}$", "", value.strip().rpartition("/")[2])
    return fields.digits(fields.account_number(number), line)


def information(lines: list[str]) -> tuple[str, str, str]:
    """Description, name and reference of field 86."""
    whole = "".join(part if len(part) >= _FULL_LINE else f"{part} " for part in lines).strip()
    if _SUBFIELD.search(whole[:6]):
        return _subfields(whole)
    if _CODE.match(whole):
        parts = _CODE.split(whole)
        coded = dict(zip(parts[1::2], parts[2::2], strict=True))
        return coded.get("REMI", whole), coded.get("NAME", ""), coded.get("EREF", "")
    return whole, "", ""


def _subfields(whole: str) -> tuple[str, str, str]:
    parts = _SUBFIELD.split(whole)
    details, name = [], ""
    for code, value in zip(parts[1::2], parts[2::2], strict=True):
        if code in _DETAILS:
            details.append(value)
        elif code in ("32", "33"):
            name += value
    return " ".join(details), name, ""
