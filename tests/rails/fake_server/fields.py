"""Checks of a JSON object's fields, as strict as the documents allow."""

import ipaddress
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from tests.rails.fake_server.store import Document

# Returns what is wrong with a value, or None.
Check = Callable[[Any], str | None]
Problems = dict[str, list[str]]
EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
UTC_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|\+00:00)")


class Field(NamedTuple):
    check: Check
    is_required: bool = True


class Examination(NamedTuple):
    """`problems` by field; `unknown` are fields that no document names."""

    problems: Problems
    unknown: list[str]


def examine(body: Document, fields: Mapping[str, Field]) -> Examination:
    problems: Problems = {}
    for name, field in fields.items():
        if name not in body:
            if field.is_required:
                problems[name] = ["es requerido"]
        elif problem := field.check(body[name]):
            problems[name] = [problem]
    return Examination(problems, sorted(set(body) - set(fields)))


def text(maximum: int, *, minimum: int = 1, pattern: str = "", without: str = "") -> Check:
    """A string of `minimum` to `maximum` characters."""

    def check(value: Any) -> str | None:
        if not isinstance(value, str):
            return "debe ser una cadena"
        if not minimum <= len(value) <= maximum:
            return f"debe tener de {minimum} a {maximum} caracteres"
        if pattern and not re.fullmatch(pattern, value):
            return f"no cumple {pattern}"
        if any(letter in value for letter in without):
            return f"no puede contener {without}"
        return None

    return check


def integer(minimum: int, maximum: int) -> Check:
    """A JSON integer: neither a string, nor 1.0, nor true."""

    def check(value: Any) -> str | None:
        if type(value) is not int:
            return "debe ser un entero"
        if not minimum <= value <= maximum:
            return f"debe estar entre {minimum} y {maximum}"
        return None

    return check


def one_of(values: Sequence[Any]) -> Check:
    def check(value: Any) -> str | None:
        is_listed = any(type(value) is type(listed) and value == listed for listed in values)
        return None if is_listed else f"debe ser uno de {list(values)}"

    return check


def email(value: Any) -> str | None:
    is_email = isinstance(value, str) and EMAIL.fullmatch(value)
    return None if is_email else "formato de correo inválido"


def url(value: Any) -> str | None:
    parts = urlsplit(value) if isinstance(value, str) else None
    is_url = parts and parts.scheme in {"http", "https"} and parts.netloc
    return None if is_url else "formato de URL inválido"


def ip(value: Any) -> str | None:
    try:
        ipaddress.ip_address(value if isinstance(value, str) else "")
    except ValueError:
        return "formato de IP inválido"
    return None


def utc_moment(value: Any) -> str | None:
    is_moment = isinstance(value, str) and UTC_MOMENT.fullmatch(value)
    return None if is_moment else "debe ser una fecha ISO 8601 UTC"


def parse_moment(value: str) -> float:
    """Unix seconds of what `utc_moment` accepts."""
    return datetime.fromisoformat(value).astimezone(UTC).timestamp()


def day(value: Any) -> str | None:
    """yyyymmdd."""
    try:
        datetime.strptime(value if isinstance(value, str) else "", "%Y%m%d").replace(tzinfo=UTC)
    except ValueError:
        return "debe ser una fecha yyyymmdd"
    return None


def mapping(value: Any) -> str | None:
    return None if isinstance(value, dict) else "debe ser un objeto"


def anything(value: Any) -> str | None:
    return None
