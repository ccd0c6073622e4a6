"""Single values as Colombia writes them. A wrong one raises WrongValue with its code."""

import re
from decimal import Decimal

from payments.core import typed_amounts
from payments.payout_batches.files.headings import plain
from payments.payout_batches.files.sheets import Formula, Moment, Number

# What Excel makes of a long number: 3,00123E+09.
_MANGLED = re.compile(r"[0-9]+(?:[.,][0-9]+)?E\+?[0-9]+", re.IGNORECASE)
_DIGITS_MAX = 12
_SIGNS = ("=", "+", "-", "@")
_SEPARATORS = re.compile(r"[ .,\-]")
_DOCUMENT = re.compile(r"[A-Za-z0-9]{3,20}")
_FORBIDDEN = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")

DOC_TYPES = {
    "CC": "cc|c c|cedula|cedula de ciudadania|ciudadania",
    "CE": "ce|c e|cedula de extranjeria|extranjeria",
    "NIT": "nit|n i t|numero de identificacion tributaria",
    "PP": "pp|p p|pasaporte|passport|pa",
}
ACCOUNT_TYPES = {
    "SAVINGS": "ahorros|ahorro|cuenta de ahorros|cuenta de ahorro|savings|ah|ca|a|s",
    "CHECKING": "corriente|cuenta corriente|checking|cte|cc|c",
}
KEY_TYPES = {
    "PHONE": "celular|telefono|movil|phone|numero de celular|numero celular",
    "EMAIL": "correo|correo electronico|email|e mail|mail",
    "ALPHANUMERIC": "alfanumerica|alfanumerico|alphanumeric|alias|arroba",
    "ID": "documento|cedula|identificacion|id|numero de documento|document|nit",
    "BCODE": "codigo de comercio|comercio|codigo comercio|bcode|merchant code",
}


class WrongValue(Exception):
    """`code` is one of faults.LINE_FAULTS, `values` are its figures."""

    def __init__(self, code: str, /, **values: object) -> None:
        super().__init__(code)
        self.code = code
        self.values = values


def check_kind(text: str) -> None:
    """Raises WrongValue for what is no plain value: a formula, or a date that Excel has made."""
    if isinstance(text, Formula):
        raise WrongValue("formula")
    if isinstance(text, Moment):
        raise WrongValue("date")


def amount(text: str) -> Decimal:
    """Pesos above zero."""
    if _MANGLED.fullmatch(text):
        raise WrongValue("mangled")
    found = _number(text) if isinstance(text, Number) else _typed(text)
    if found <= 0:
        raise WrongValue("amount_zero")
    if found.adjusted() >= _DIGITS_MAX:
        raise WrongValue("amount_digits", most=_DIGITS_MAX)
    return found


def _number(text: str) -> Decimal:
    """Of a workbook, whose number may have the rest of a computation in its last decimals."""
    exact = Decimal(text)
    rounded = round(exact, 2)
    if abs(exact - rounded) > Decimal("0.000001"):
        raise WrongValue("amount_decimals")
    return rounded


def _typed(text: str) -> Decimal:
    found = typed_amounts.pesos_in_either_way(text)
    if found is None:
        raise WrongValue("amount_negative" if text.startswith(("-", "(")) else "amount")
    return found


def document(text: str) -> str:
    """Letters and digits, without dots, dashes and spaces."""
    if _MANGLED.fullmatch(text):
        raise WrongValue("mangled")
    found = _SEPARATORS.sub("", text).upper()
    if not _DOCUMENT.fullmatch(found):
        raise WrongValue("document")
    return found


def one_of(text: str, names: dict[str, str], code: str) -> str:
    """The choice with this name. Upper-case values of the API are names, too."""
    given = plain(text)
    for choice, known in names.items():
        if given == choice.lower() or given in known.split("|"):
            return choice
    raise WrongValue(code)


def phrase(text: str, most: int) -> str:
    """A text that people read. A sign at its start would be a formula in a spreadsheet."""
    if text.startswith(_SIGNS):
        raise WrongValue("sign")
    if _FORBIDDEN.search(text):
        raise WrongValue("characters")
    if len(text) > most:
        raise WrongValue("too_long", most=most)
    return text


def whole_number(text: str) -> str:
    """An account or a key, whose digits Excel must not have changed."""
    if _MANGLED.fullmatch(text):
        raise WrongValue("mangled")
    if isinstance(text, Number) and "." in text:
        raise WrongValue("decimals_in_number")
    return text
