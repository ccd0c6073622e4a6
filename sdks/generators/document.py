"""What every generator reads in the OpenAPI document."""

from collections.abc import Iterator
from typing import Any

Document = dict[str, Any]
JSON = "application/json"


def version(document: Document) -> str:
    """The version of each package is that of the document."""
    found: str = document["info"]["version"]
    return found


def resolve(document: Document, schema: Document) -> Document:
    """The schema itself, if the given one only refers to it."""
    while "$ref" in schema:
        schema = document["components"]["schemas"][name_of(schema)]
    return schema


def name_of(schema: Document) -> str:
    """The component that is referred to."""
    found: str = schema["$ref"].rpartition("/")[2]
    return found


def request_of(document: Document, method: str, path: str) -> Document:
    """The schema of a request's body."""
    found: Document = document["paths"][path][method]["requestBody"]["content"][JSON]["schema"]
    return found


def answer_of(document: Document, method: str, path: str) -> Document:
    """The schema of `data` in the answer; of one element, if it is a list."""
    responses = document["paths"][path][method]["responses"]
    response = next(each for status, each in responses.items() if status.startswith("2"))
    envelope = resolve(document, response["content"][JSON]["schema"])
    data = envelope["properties"]["data"]
    found: Document = data["items"] if data.get("type") == "array" else data
    return found


def events(document: Document) -> dict[str, str]:
    """Kind of event -> name of the schema of its webhook."""
    return {
        kind: name_of(item["post"]["requestBody"]["content"][JSON]["schema"])
        for kind, item in document["webhooks"].items()
    }


def number_fields(document: Document) -> list[str]:
    """Names of the fields that are decimal numbers: amounts, fees, rates."""
    decimal: set[str] = set()
    whole: set[str] = set()
    for value in _dicts(document["components"]["schemas"]):
        for name, field in value.get("properties", {}).items():
            kinds = field.get("type", ()) if isinstance(field, dict) else ()
            kinds = [kinds] if isinstance(kinds, str) else kinds
            decimal |= {name} if "number" in kinds else set()
            whole |= {name} if "integer" in kinds else set()
    if both := decimal & whole:
        raise ValueError(f"One name is a whole number here and a decimal number there: {both}")
    return sorted(decimal)


def error_codes(document: Document) -> dict[str, int]:
    """Each code of the document -> the lowest status with which it comes."""
    found: dict[str, int] = {}
    for item in document["paths"].values():
        for operation in item.values():
            for status, response in operation["responses"].items():
                for code in response.get("x-error-codes", ()):
                    found[code] = min(found.get(code, 999), int(status))
    return dict(sorted(found.items()))


def _dicts(value: Any) -> Iterator[Document]:
    """Every object in the document, from the outside to the inside."""
    if isinstance(value, dict):
        yield value
    for each in value.values() if isinstance(value, dict) else value:
        if isinstance(each, dict | list):
            yield from _dicts(each)


def sent(document: Document) -> set[str]:
    """Names of the schemas that requests consist of."""
    found: set[str] = set()

    def collect(value: Any) -> None:
        if isinstance(value, list):
            for each in value:
                collect(each)
        elif isinstance(value, dict):
            if isinstance(value.get("$ref"), str) and (name := name_of(value)) not in found:
                found.add(name)
                collect(document["components"]["schemas"].get(name))
            for each in value.values():
                collect(each)

    for item in document["paths"].values():
        for operation in item.values():
            collect(operation.get("requestBody"))
    return found
