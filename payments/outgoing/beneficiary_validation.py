"""Where money goes in Colombia: the forms of bank accounts and of instant keys.

The type of a key decides how it is read: ten digits alone may be a phone or a document. The API
asks for the type. In the console and in files it may be left out, and is guessed.
"""

import re

from payments.core.text import colombian_mobile

# By their names in lower case. There the account is a mobile number.
MOBILE_BANKS = ("nequi", "daviplata")
PHONE, ID = "PHONE", "ID"
_ACCOUNT = re.compile(r"[0-9]{6,20}", re.ASCII)
_EMAIL = re.compile(
    r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,30}@(?=.{1,61}$)[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)+"
)
_KEYS = {
    "EMAIL": _EMAIL,
    "ALPHANUMERIC": re.compile(r"@[A-Za-z0-9]{5,20}"),
    ID: re.compile(r"[A-Za-z0-9]{1,18}"),
    "BCODE": re.compile(r"00[0-9]{8}", re.ASCII),
}
_EMAIL_SIGN = re.compile(r".+@.+")

_FORMS = {
    PHONE: "10 digits that begin with 3, as in 3001234567",
    "EMAIL": "an e-mail address, as in ana@example.com",
    "ALPHANUMERIC": "@ and 5 to 20 letters or digits, as in @TIENDA2026",
    ID: "a document of 1 to 18 letters or digits, as in 1020304050",
    "BCODE": "10 digits that begin with 00, as in 0012345678",
}


def form_of_key(key_type: str) -> str:
    """For the API: what a key of the type looks like."""
    return f"A key of the type {key_type} must be {_FORMS[key_type]}."


def form_of_account(bank: str) -> str:
    """For the API: what a number of an account looks like."""
    if is_mobile_bank(bank):
        return f"At this bank it must be the mobile: {_FORMS[PHONE]}."
    return "Must be 6 to 20 digits, not all zeros."


def is_mobile_bank(bank: str) -> bool:
    """By its name, or by its id in our catalogue."""
    return bank.strip().lower() in MOBILE_BANKS


def account_number(text: str, bank: str) -> str | None:
    """The account's digits: 6 to 20, not all zeros.

    At Nequi and DaviPlata a mobile number. None if invalid.
    """
    if is_mobile_bank(bank):
        return colombian_mobile(text)
    digits = re.sub(r"[ .-]", "", text)
    return digits if _ACCOUNT.fullmatch(digits) and digits.strip("0") else None


def key_value(text: str, key_type: str) -> str | None:
    """The key as rails take it: phones without +57 and separators, documents without dots. None if
    invalid.
    """
    if key_type == PHONE:
        return colombian_mobile(text)
    value = text.strip()
    if key_type == ID:
        value = re.sub(r"[ .-]", "", value)
    return value if _KEYS[key_type].fullmatch(value) else None


def guess_key_type(text: str) -> str:
    """Of a key without a type. Ten digits that begin with 3 are a mobile number."""
    value = text.strip()
    if value.startswith("@"):
        return "ALPHANUMERIC"
    if _EMAIL_SIGN.fullmatch(value):
        return "EMAIL"
    if _KEYS["BCODE"].fullmatch(value):
        return "BCODE"
    return PHONE if colombian_mobile(value) else ID
