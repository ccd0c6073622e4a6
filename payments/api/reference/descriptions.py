"""Completes the descriptions of the OpenAPI document, which developers read in their editors."""

from fnmatch import fnmatchcase
from typing import Any

from payments.api.reference.fields import without_asides
from payments.api.reference.property_texts import PARAMETERS, PROPERTIES
from payments.api.reference.requests import operations

_PATTERNS = {name: text for name, text in PROPERTIES.items() if name.startswith("*")}


def describe(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Hook of drf-spectacular: each property and parameter that says nothing gets its text."""
    for name, schema in result["components"]["schemas"].items():
        _clean(schema)
        for field, about in schema.get("properties", {}).items():
            _clean(about)
            if "description" not in about and (text := _text(name, field)):
                about["description"] = text
    for operation in operations(result).values():
        for parameter in operation.about.get("parameters", ()):
            if parameter["name"] in PARAMETERS:
                parameter.setdefault("description", PARAMETERS[parameter["name"]])
    return result


def _text(schema: str, field: str) -> str:
    place = f"{schema}.{field}"
    matching = [text for pattern, text in _PATTERNS.items() if fnmatchcase(place, pattern)]
    return PROPERTIES.get(place) or next(iter(matching), "") or PROPERTIES.get(field, "")


def _clean(about: dict[str, Any]) -> None:
    """Notes of our own, such as a chapter of our documents, tell a reader nothing."""
    if "description" in about:
        about["description"] = without_asides(about["description"])
