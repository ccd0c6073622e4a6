"""Writes sdks/php/src/Types.php: array shapes for PHPStan and editors, names of events and codes.

openapi-generator makes about 200 PHP classes of this document, and they need Guzzle. The SDK passes
arrays; so one file of shapes is all that has to be generated.
"""

import json
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path

from generators import document as read
from generators.python import ANSWERS, REQUESTS
from generators.typescript import with_version

HEADER = """<?php

// Generated from the OpenAPI document by `make sdks`: do not change it by hand.

declare(strict_types=1);

namespace Pasarela;

/**
 * The shapes of all messages. A whole number is an int; one with a fraction is a decimal string.
 *
"""
PLAIN = {"string": "string", "integer": "int", "boolean": "bool", "null": "null"}


def files(document: read.Document, folder: Path) -> dict[str, str]:
    version = read.version(document)
    return {
        "src/Types.php": _types(deepcopy(document)),
        "composer.json": with_version(folder / "composer.json", version),
    }


def _types(document: read.Document) -> str:
    names = {
        **{name: read.answer_of(document, *place) for name, place in ANSWERS.items()},
        **{name: read.request_of(document, *place) for name, place in REQUESTS.items()},
        **{kind: {"$ref": f"#/x/{name}"} for kind, name in read.events(document).items()},
    }
    kinds = read.events(document)
    wanted = _reached(document, list(names.values()))
    for each in set(kinds.values()):  # Webhook::verify adds it
        document["components"]["schemas"][each]["properties"]["id"] = {"type": "string"}
        document["components"]["schemas"][each]["required"].append("id")
    lines = [f" * @phpstan-type {_name(each)} {_shape(document, each)}" for each in wanted]
    for name, schema in names.items():
        if name not in kinds:
            lines.append(f" * @phpstan-type {name} {_type(schema, is_sent=name in REQUESTS)}")
    lines.append(f" * @phpstan-type Event {'|'.join(map(_name, dict.fromkeys(kinds.values())))}")
    constants = {
        "EVENT_KINDS": list(kinds),
        "ERROR_CODES": list(read.error_codes(document)),
        "NUMBER_FIELDS": read.number_fields(document),
    }
    body = "\n\n".join(_constant(name, values) for name, values in constants.items())
    version = f"    public const VERSION = '{read.version(document)}';"
    return f"{HEADER}{chr(10).join(lines)}\n */\nfinal class Types\n{{\n{version}\n\n{body}\n}}\n"


def _reached(document: read.Document, roots: list[read.Document]) -> list[str]:
    """Names of the schemas that the roots consist of, sorted."""
    found: set[str] = set()
    waiting = list(roots)
    while waiting:
        for each in _dicts(waiting.pop()):
            if "$ref" in each and (name := read.name_of(each)) not in found:
                found.add(name)
                waiting.append(document["components"]["schemas"][name])
    return sorted(found)


def _dicts(value: object) -> Iterator[read.Document]:
    if isinstance(value, dict):
        yield value
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in parts:
        yield from _dicts(part)


def _name(schema: str) -> str:
    """Apart from the names that the SDK itself uses."""
    return f"Api{schema}"


def _shape(document: read.Document, name: str) -> str:
    schema = document["components"]["schemas"][name]
    return _type(schema, is_sent=name.endswith("Request"))


def _type(schema: read.Document, *, is_sent: bool) -> str:
    if "$ref" in schema:
        return _name(read.name_of(schema))
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return "|".join(_type(each, is_sent=is_sent) for each in schema[several])
    if "allOf" in schema:
        return "&".join(_type(each, is_sent=is_sent) for each in schema["allOf"])
    if "const" in schema or "enum" in schema:
        values = schema["enum"] if "enum" in schema else [schema["const"]]
        return "|".join(json.dumps(each).replace('"', "'") for each in values)
    kinds = schema.get("type", "mixed")
    kinds = [kinds] if isinstance(kinds, str) else kinds
    return "|".join(_of_kind(kind, schema, is_sent) for kind in kinds)


def _of_kind(kind: str, schema: read.Document, is_sent: bool) -> str:
    if kind == "number":
        return "int|float|numeric-string" if is_sent else "int|numeric-string"
    if kind == "array":
        return f"list<{_type(schema['items'], is_sent=is_sent)}>"
    if kind != "object":
        return PLAIN.get(kind, "mixed")
    if "properties" not in schema:
        extra = schema.get("additionalProperties")
        value = _type(extra, is_sent=is_sent) if isinstance(extra, dict) else "mixed"
        return f"array<string, {value}>"
    required = schema.get("required", ())
    fields = (
        f"{name}{'' if name in required else '?'}: {_type(field, is_sent=is_sent)}"
        for name, field in schema["properties"].items()
    )
    return "array{\n *     " + ",\n *     ".join(fields) + ",\n * }"


def _constant(name: str, values: list[str]) -> str:
    lines = "".join(f"        '{each}',\n" for each in values)
    return f"    /** @var list<string> */\n    public const {name} = [\n{lines}    ];"
