"""The OpenAPI document as its tests read it."""

from typing import Any

from jsonschema import Draft202012Validator, FormatChecker

Document = dict[str, Any]


def operations(document: Document) -> dict[tuple[str, str], Document]:
    return {
        (method, path): operation
        for path, item in document["paths"].items()
        for method, operation in item.items()
    }


def schema_of(document: Document, method: str, path: str, status: str) -> Document:
    """What the document promises of an answer, with the components it refers to."""
    response = operations(document)[(method, path)]["responses"][status]
    schema = response["content"]["application/json"]["schema"]
    return {**schema, "components": document["components"]}


def request_schema(document: Document, path: str) -> Document:
    body = operations(document)[("post", path)]["requestBody"]
    schema = body["content"]["application/json"]["schema"]
    return {**schema, "components": document["components"]}


def validate(instance: Any, schema: Document) -> None:
    Draft202012Validator(schema, format_checker=FormatChecker()).validate(instance)
