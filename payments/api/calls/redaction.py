"""Takes secrets and personal data out of what is kept of a request, by the names of its fields.

`docs/operations.md` says what stays. Text that has no name of its own loses e-mail addresses and
long runs of digits.
"""

import re
from typing import Any
from urllib.parse import parse_qsl

GONE = "[removed]"
# Parts of field names in lower case, without `_` and `-`; Spanish ones for free-form metadata.
SECRET = (
    *(
        "secret",
        "password",
        "passwd",
        "token",
        "authorization",
        "apikey",
        "credential",
        "signature",
    ),
    *("cvv", "cvc", "clave", "contrasena", "contraseña"),
)
PERSONAL = (
    *("docnumber", "document", "taxid", "account", "iban", "card", "keyvalue", "phone", "mobile"),
    *("mail", "address", "name", "birth", "cedula", "cédula", "celular", "telefono", "teléfono"),
    *("correo", "cuenta", "direccion", "dirección", "nombre", "apellido", "billreference"),
)
SECRET_WORDS = {"pin", "otp", "pwd"}
# They hold such a part and say nothing about a person.
HARMLESS = {"accounttype", "idempotencykey", "bankname", "agreementname", "operatorname"}
_EMAIL = re.compile(r"[^\s@<>\"']{1,64}@[^\s@<>\"']{1,255}")
# Not a day, as in 2026-01-31.
_DIGITS = re.compile(
    r"(?<![0-9A-Za-z_])(?!\d{4}-\d\d-\d\d(?!\d))\+?[0-9](?:[ .\-]?[0-9]){6,}(?![0-9A-Za-z_])"
)


def json(value: Any) -> Any:
    """The same value with personal fields masked and secrets removed."""
    if isinstance(value, dict):
        return {name: _field(str(name), item) for name, item in value.items()}
    if isinstance(value, list):
        return [json(item) for item in value]
    return text(value) if isinstance(value, str) else value


def text(value: str) -> str:
    """Without e-mail addresses and runs of seven or more digits."""
    return _DIGITS.sub(lambda found: mask(found[0]), _EMAIL.sub(lambda f: mask(f[0]), value))


def query(text_: str) -> str:
    """A query string, treated as the fields of an object."""
    pairs = parse_qsl(text_, keep_blank_values=True)
    return "&".join(f"{name}={_field(name, value)}" for name, value in pairs)


def mask(value: str) -> str:
    """`···3050`, `m***@example.com`: looks as on the console's pages, and shows less."""
    name, at, domain = value.rpartition("@")
    if at and name:
        return f"{name[:1]}***@{domain}"
    shown = min(4, len(value) // 3)
    return f"···{value[-shown:] if shown else ''}" if value else ""


def _field(name: str, value: Any) -> Any:
    bare = re.sub(r"[_\-\s]", "", name).lower()
    if name == "fields" and isinstance(value, dict):  # of an error: names with what is wrong
        return {str(field): text(str(message)) for field, message in value.items()}
    if bare in HARMLESS or isinstance(value, bool) or value is None:
        return value
    if bare in SECRET_WORDS or any(part in bare for part in SECRET):
        return GONE
    if any(part in bare for part in PERSONAL):
        return _masked(value)
    if bare in ("reference", "id", "amount") and isinstance(value, str):
        return _EMAIL.sub(lambda found: mask(found[0]), value)
    return json(value)


def _masked(value: Any) -> Any:
    """Whatever lies under a personal name is personal."""
    if isinstance(value, dict):
        return {name: _masked(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_masked(item) for item in value]
    return mask(str(value))
