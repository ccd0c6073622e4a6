"""A JSON schema as rows of a table."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from payments.api.fields import BROWSER_URL

Schema = Mapping[str, Any]
# References in docstrings that are useless to API clients.
_ASIDE = re.compile(r"\s*\((?:contract|docs/|rule )[^)]*\)")
_PREFIX = "#/components/schemas/"
_SEPARATORS = str.maketrans(",.", ".,")
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Row:
    """`name` is a path: `customer.email`, `taxLines[].rate`. `text` is that of the document."""

    name: str
    kind: str
    is_required: bool
    rules: tuple[str, ...]
    choices: tuple[str, ...]
    text: str

    @property
    def meaning(self) -> SafeString:
        return html(shown(self.text))

    @property
    def limits(self) -> SafeString:
        return html(", ".join(self.rules))


def html(text: str) -> SafeString:
    """Escapes the text and turns backticks into <code>."""
    return mark_safe(_CODE.sub(r"<code>\1</code>", escape(text)))  # noqa: S308  escaped before


def shown(text: str) -> str:
    """A text of the document in the language of the page. `texts` collects them."""
    joined = " ".join(text.split())
    return _(joined) if joined else ""


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
        text=without_asides(plain.get("description")),
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
    names = ["list" if kind == "array" else kind for kind in kinds]
    formats = {"date-time": _("date and time"), "date": _("date"), "uri": "URL"}
    formats["email"] = _("e-mail")
    if (form := plain.get("format")) in formats and "string" in names:
        names[names.index("string")] = formats[form]
    if names[0] == "list":
        names[0] = _("list of {kind}").format(kind=_kind(plain.get("items", {}), components))
    return _(" or ").join(dict.fromkeys(names))


def _rules(plain: Schema) -> Iterator[str]:
    if (least := plain.get("minimum")) is not None:
        yield _("at least {number}").format(number=_number(least))
    if plain.get("exclusiveMinimum") is not None:
        yield _("more than {number}").format(number=_number(plain["exclusiveMinimum"]))
    most = plain.get("maximum")
    if most is not None and most < 2**53:  # a larger maximum is only a limit of the database
        yield _("at most {number}").format(number=_number(most))
    if (length := plain.get("maxLength")) is not None:
        yield _("at most {number} characters").format(number=length)
    if plain.get("pattern") == BROWSER_URL:
        yield _("https only")
    if (items := plain.get("maxItems")) is not None:
        yield _("{least} to {most} of them").format(least=plain.get("minItems", 0), most=items)
    if isinstance(plain.get("default"), str | int | float) and plain["default"] != "":
        yield _("default {value}").format(value=_constant(plain["default"]))
    if "const" in plain:
        yield _("always {value}").format(value=_constant(plain["const"]))


def _constant(value: object) -> str:
    """As JSON has it, without quotes, as code."""
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _number(value: object) -> str:
    """Groups digits from 10,000 on, without a float, which would round large numbers."""
    grouped = f"{Decimal(str(value)):,f}"
    return localized(grouped) if len(grouped) > 5 else str(value)


def localized(number: str) -> str:
    """With the separators of the page's language."""
    return number.translate(_SEPARATORS) if get_language() == "es" else number
