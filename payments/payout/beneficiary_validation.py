"""Where a payout goes: the forms of accounts and of instant keys in Colombia.

The type of a key decides how it is read: ten digits alone may be a phone or a document.
"""

import re

from payments.core.text import colombian_mobile
from payments.payout.models import KeyType

MOBILE_BANKS = ("nequi", "daviplata")
_ACCOUNT = re.compile(r"[0-9]{6,20}", re.ASCII)
_EMAIL = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,30}@(?=.{1,61}$)[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"
)
_KEYS = {
    KeyType.EMAIL: _EMAIL,
    KeyType.ALPHANUMERIC: re.compile(r"@[A-Za-z0-9]{5,20}"),
    KeyType.ID: re.compile(r"[A-Za-z0-9]{1,18}"),
    KeyType.BCODE: re.compile(r"00[0-9]{8}", re.ASCII),
}


def account_number(text: str, bank: str) -> str | None:
    """The account's digits, or None: 6 to 20, not all zeros; a mobile at Nequi and DaviPlata."""
    if bank in MOBILE_BANKS:
        return colombian_mobile(text)
    digits = re.sub(r"[ .-]", "", text)
    return digits if _ACCOUNT.fullmatch(digits) and digits.strip("0") else None


def key_value(text: str, key_type: str) -> str | None:
    """The key as rails take it, or None. Phones lose +57 and separators; documents their dots."""
    if key_type == KeyType.PHONE:
        return colombian_mobile(text)
    value = text.strip()
    if key_type == KeyType.ID:
        value = re.sub(r"[ .-]", "", value)
    return value if _KEYS[KeyType(key_type)].fullmatch(value) else None
