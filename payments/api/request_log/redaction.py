"""Removes secrets and masks personal data in stored requests, by the names of fields.

In other text it masks e-mail addresses and long runs of digits. docs/operations/run.md lists what
stays.
"""

import re
from decimal import Decimal
from urllib.parse import parse_qsl

from payments.core import masking

REMOVED = "[removed]"
# Parts of field names in lower case, without `_` and `-`. Metadata may have Spanish names.
SECRET = (
    "secret",
    "password",
    "passwd",
    "token",
    "authorization",
    "apikey",
    "credential",
    "signature",
    "cvv",
    "cvc",
    "clave",
    "contrasena",
    "contraseña",
)
PERSONAL = (
    "docnumber",
    "document",
    "taxid",
    "account",
    "iban",
    "card",
    "keyvalue",
    "phone",
    "mobile",
    "mail",
    "address",
    "name",
    "birth",
    "cedula",
    "cédula",
    "celular",
    "telefono",
    "teléfono",
    "correo",
    "cuenta",
    "direccion",
    "dirección",
    "nombre",
    "apellido",
    "billreference",
)
# The text of a QR code has a person's name and key in it.
PERSONAL_WORDS = {"qr"}
SECRET_WORDS = {"pin", "otp", "pwd"}
# Names that contain such a part and are not personal.
HARMLESS = {"accounttype", "idempotencykey", "bankname", "agreementname", "operatorname"}
# Numbers under these names are money. Other long numbers are documents, phones or accounts.
MONEY = ("amount", "total", "balance", "price", "monto", "valor", "precio", "saldo")
MONEY_WORDS = {"fee", "net", "tax", "iva", "gross", "limit"}
LONG = 1_000_000
# A secret of ours in a wrong field, also in the middle of other text.
_SECRET = re.compile(
    r"(?:(?<![0-9A-Za-z])sk_[\w\-]{6,}|sk_[\w\-]{32,}|whsec_[\w\-+/=]{6,})", re.ASCII
)
_EMAIL = re.compile(r"[^\s@<>\"']{1,64}@[^\s@<>\"']{1,255}")
# Does not match a date such as 2026-01-31.
_DIGITS = re.compile(
    r"(?<![0-9A-Za-z_])(?!\d{4}-\d\d-\d\d(?!\d))\+?[0-9](?:[ .\-]?[0-9]){6,}(?![0-9A-Za-z_])"
)


def redact(value: object) -> object:
    return _field("", value)


def redact_error(value: object) -> object:
    """Redacts an error of ours, whose `details.fields` maps field names to messages."""
    kept = redact(value)
    match value, kept:
        case {"error": {"details": {"fields": dict(fields)}}}, {
            "error": {"details": dict(details)}
        }:
            details["fields"] = {
                text(str(name)): text(str(message)) for name, message in fields.items()
            }
    return kept


def text(value: str) -> str:
    """Redacts secrets of ours, e-mail addresses, and runs of seven or more digits."""
    return _DIGITS.sub(lambda found: mask(found[0]), identifier(value))


def identifier(value: str) -> str:
    """Redacts secrets of ours and e-mail addresses. Keeps digits, which searches need."""
    return _EMAIL.sub(lambda found: mask(found[0]), without_secrets(value))


def without_secrets(value: str) -> str:
    return _SECRET.sub(REMOVED, value)


def query(text_: str) -> str:
    """Redacts a query string like the fields of an object."""
    pairs = parse_qsl(text_, keep_blank_values=True)
    return "&".join(f"{text(name)}={_field(name, value)}" for name, value in pairs)


def mask(value: str) -> str:
    """Masks a value: `···050`, `m***@example.com`. Shows fewer digits than the console's pages."""
    name, at, _domain = value.rpartition("@")
    return masking.email(value) if at and name else masking.end(value, share=3)


def _field(name: str, value: object) -> object:
    bare = _bare(name)
    if value is None or isinstance(value, bool):
        return value
    if _is_secret(bare):
        return REMOVED
    if bare in HARMLESS and not isinstance(value, (dict, list)):
        return without_secrets(str(value))
    if bare in PERSONAL_WORDS or any(part in bare for part in PERSONAL):
        return _masked(value)
    if isinstance(value, dict):
        return {text(str(inner)): _field(str(inner), item) for inner, item in value.items()}
    if isinstance(value, list):
        return [_field(name, item) for item in value]
    if isinstance(value, str):
        return identifier(value) if bare in ("reference", "id", "amount") else text(value)
    # Without abs(), which overflows for a number such as 1e9999999.
    is_short = isinstance(value, int | Decimal) and -LONG < value < LONG
    return value if is_short or _is_money(bare) else mask(str(value))


def _masked(value: object) -> object:
    """Masks everything below a field with a personal name."""
    if isinstance(value, dict):
        return {
            text(str(name)): REMOVED if _is_secret(_bare(str(name))) else _masked(item)
            for name, item in value.items()
        }
    if isinstance(value, list):
        return [_masked(item) for item in value]
    shown = str(value)
    return REMOVED if _SECRET.search(shown) else mask(shown)


def _bare(name: str) -> str:
    return re.sub(r"[_\-\s]", "", name).lower()


def _is_secret(bare: str) -> bool:
    return bare in SECRET_WORDS or any(part in bare for part in SECRET)


def _is_money(bare: str) -> bool:
    return bare in MONEY_WORDS or any(part in bare for part in MONEY)
