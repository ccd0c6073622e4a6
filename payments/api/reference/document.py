"""The OpenAPI document: made once in a process, with the examples in their places."""

from functools import cache
from typing import Any

from django.utils import translation
from drf_spectacular.generators import SchemaGenerator

from payments.api.envelope import JSON
from payments.api.reference.answers import recorded

Document = dict[str, Any]


@cache
def document() -> Document:
    """Nobody may change it: it is the one that everybody gets."""
    with translation.override("en"):  # whoever asks first must not choose the language
        made: Document = SchemaGenerator().get_schema(request=None, public=True)
    return made


def add_examples(result: Document, generator: object, request: object, public: bool) -> Document:
    """Hook of drf-spectacular: what was recorded stands beside its schema."""
    for methods in result["paths"].values():
        for operation in methods.values():
            if (example := recorded().get(operation["operationId"])) is not None:
                _add(operation, example)
    return result


def _add(operation: Document, example: dict[str, Any]) -> None:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["example"] = example["body"]
    answer = operation["responses"].get(str(example["status"]), {})
    if (content := answer.get("content", {}).get(JSON)) is not None:
        content["example"] = example["answer"]
