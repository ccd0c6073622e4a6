"""The header of an account's files."""

from collections.abc import Mapping
from datetime import date
from enum import StrEnum
from typing import TypeVar

from payments.payment_files import pab

E = TypeVar("E", bound=StrEnum)
_TYPES = {
    "SAVINGS": pab.DebitAccountType.SAVINGS,
    "CHECKING": pab.DebitAccountType.CHECKING,
}


def header_of(
    credentials: Mapping[str, str], made_on: date, pay_on: date, sequence: str
) -> pab.Header:
    """Raises NotEncodable for values of other lists than the form's."""
    return pab.Header(
        nit=credentials.get("document", ""),
        application=_one_of(pab.Application, credentials, "application"),
        payment_class=_one_of(pab.PaymentClass, credentials, "payment_class"),
        purpose=credentials.get("purpose", ""),
        made_on=made_on,
        sequence=sequence,
        pay_on=pay_on,
        account=credentials.get("account_number", ""),
        account_type=_account_type(credentials.get("account_type", "")),
    )


def _account_type(text: str) -> pab.DebitAccountType:
    if text not in _TYPES:
        raise pab.NotEncodable("account_type", "SAVINGS or CHECKING")
    return _TYPES[text]


def _one_of(kind: type[E], credentials: Mapping[str, str], name: str) -> E:
    try:
        return kind(credentials.get(name, ""))
    except ValueError as error:
        raise pab.NotEncodable(name, " or ".join(kind)) from error
