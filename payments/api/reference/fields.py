"""A JSON schema as rows of a table."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

Schema = Mapping[str, Any]
# References in docstrings that are useless to API clients.
_ASIDE = re.compile(r"\s*\((?:contract|docs/|rule )[^)]*\)")
_PREFIX = "#/components/schemas/"
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Row:
    """`name` is a path: `customer.email`, `taxLines[].rate`."""

    name: str
    kind: str
    is_required: bool
    rules: tuple[str, ...]
    choices: tuple[str, ...]
    text: SafeString


def html(text: str) -> SafeString:
    """Escapes the text and turns backticks into <code>."""
    return mark_safe(_CODE.sub(r"<code>\1</code>", escape(text)))  # noqa: S308  escaped before


def without_asides(text: str | None) -> str:
    return _ASIDE.sub("", text or "").strip()


def rows(schema: Schema, components: Schema, prefix: str = "") -> Iterator[Row]:
    """The fields of an object, each followed by the fields of its objects."""
    schema = _plain(schema, components)
    required = schema.get("required", ())
    for name, about in schema.get("properties", {}).items():
        plain = _plain(about, components)
        path, kind = prefix + name, _kind(plain, components)
        yield row(path, plain, kind=kind, is_required=name in required)
        inner = _plain(plain.get("items", {}), components) if kind.startswith("list") else plain
        if inner.get("properties"):
            yield from rows(inner, components, f"{path}{'[]' if kind.startswith('list') else ''}.")


def row(name: str, plain: Schema, *, kind: str = "", is_required: bool = False) -> Row:
    """The row of a field or parameter. `plain` must have no references."""
    listed = plain.get("items", {}) if plain.get("type") == "array" else plain
    return Row(
        name=name,
        kind=kind or _kind(plain, {}),
        is_required=is_required,
        rules=tuple(_rules(plain)),
        choices=tuple(str(each) for each in listed.get("enum", ()) if each is not None),
        text=html(without_asides(plain.get("description"))),
    )


def component(schema: Schema) -> str:
    """The name of the component to which a schema or its list elements refer."""
    target = schema.get("$ref") or schema.get("items", {}).get("$ref") or ""
    return str(target).removeprefix(_PREFIX)


def _plain(schema: Schema, components: Schema) -> dict[str, Any]:
    """Resolves `$ref`, allOf and oneOf."""
    schema = dict(schema)
    parts = [schema.pop("$ref", None)]
    options = [*schema.pop("allOf", ()), *schema.pop("oneOf", ())]
    is_nullable = {"type": "null"} in options
    parts += [option.get("$ref") or option for option in options if option != {"type": "null"}]
    plain: dict[str, Any] = {}
    for part in filter(None, parts):
        if isinstance(part, str):
            part = _plain(components[part.removeprefix(_PREFIX)], components)
            part.pop("description", None)  # the description of the type is not that of this field
        plain = part if not plain else {**plain, "type": [plain["type"], part["type"]]}
    plain = {**plain, **schema}
    if is_nullable:
        plain["type"] = [plain.get("type", "object"), "null"]
    if "items" in plain:
        plain["items"] = _plain(plain["items"], components)
    return plain


def _kind(plain: Schema, components: Schema) -> str:
    kinds = plain.get("type", "any")
    kinds = [kinds] if isinstance(kinds, str) else [str(kind) for kind in kinds]
    shown = ["list" if kind == "array" else kind for kind in kinds]
    formats = {"date-time": "date-time", "date": "date", "uri": "URL", "email": "e-mail"}
    if (form := plain.get("format")) in formats and "string" in shown:
        shown[shown.index("string")] = formats[form]
    if shown[0] == "list":
        shown[0] = f"list of {_kind(plain.get('items', {}), components)}"
    return " or ".join(dict.fromkeys(shown))


def _rules(plain: Schema) -> Iterator[str]:
    if (least := plain.get("minimum")) is not None:
        yield f"at least {_number(least)}"
    if plain.get("exclusiveMinimum") is not None:
        yield f"more than {_number(plain['exclusiveMinimum'])}"
    most = plain.get("maximum")
    if most is not None and most < 2**53:  # a larger maximum is only a limit of the database
        yield f"at most {_number(most)}"
    if (length := plain.get("maxLength")) is not None:
        yield f"at most {length} characters"
    if plain.get("pattern") == "^https://":
        yield "https only"
    if (items := plain.get("maxItems")) is not None:
        yield f"{plain.get('minItems', 0)} to {items} of them"
    if isinstance(plain.get("default"), str | int | float) and plain["default"] != "":
        yield f"default {plain['default']}"
    if "const" in plain:
        yield f"always {plain['const']}".replace("True", "true").replace("False", "false")


def _number(value: object) -> str:
    """Groups digits from 10,000 on, without a float, which would round large numbers."""
    shown = f"{Decimal(str(value)):,f}"
    return shown if len(shown) > 5 else str(value)
