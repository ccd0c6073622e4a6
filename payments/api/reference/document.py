"""The OpenAPI document with its examples, generated once in a process."""

import threading
from functools import cache
from typing import Any

from django.utils import translation

from payments.api.envelope import JSON
from payments.api.reference.catalogue import served
from payments.api.reference.recordings import Recording, recorded
from payments.api.reference.requests import operations

Document = dict[str, Any]
_ONE_WAY = ("readOnly", "writeOnly")
_LARGEST_INT32 = 2**31 - 1


# drf-spectacular cannot make it in two threads at once.
_making = threading.Lock()


def document() -> Document:
    """All callers share it: do not change it."""
    with _making:
        return _document()


@cache
def _document() -> Document:
    return generate()


def generate() -> Document:
    """Takes seconds."""
    # Here, because few processes make the document, and the generator takes 4 MB.
    from payments.api.auto_schema import DescribedGenerator

    with translation.override("en"):  # English, not the language of the first request
        made: Document = DescribedGenerator().get_schema(request=None, public=True)
    return made


def add_examples(result: Document, **_: object) -> Document:
    """Hook of drf-spectacular: adds the recorded requests and responses."""
    for methods in result["paths"].values():
        for operation in methods.values():
            if (example := recorded().get(operation["operationId"])) is not None:
                _add(operation, example)
    return result


def _add(operation: Document, example: Recording) -> None:
    for content in operation.get("requestBody", {}).get("content", {}).values():
        content["example"] = example["body"]
    response = operation["responses"].get(str(example["status"]), {})
    if (content := response.get("content", {}).get(JSON)) is not None:
        content["example"] = example["answer"]


def add_tags(result: Document, **_: object) -> Document:
    """Hook of drf-spectacular: adds the products of this service as tags."""
    products = served(operations(result))
    result["tags"] = [{"name": each.tag, "description": each.text} for each in products]
    return result


def for_generators(result: Document, **_: object) -> Document:
    """Hook of drf-spectacular, after all others: adapts the document to client generators."""
    portable: Document = _portable(result)
    return portable


def _portable(value: Any) -> Any:
    """Adds the width of each integer, and removes `readOnly` and `writeOnly`.

    Requests and responses have separate schemas, so these words add nothing. In a webhook, which is
    a request, `readOnly` means that the field is not sent.
    """
    if isinstance(value, list):
        return [_portable(each) for each in value]
    if not isinstance(value, dict):
        return value
    made = {
        name: item if name == "example" else _portable(item)
        for name, item in value.items()
        if name not in _ONE_WAY or item is not True
    }
    if made.keys() == {"allOf"} and len(made["allOf"]) == 1:
        return made["allOf"][0]  # the wrapper only combined a reference with a removed word
    if made.get("type") in ("integer", ["integer", "null"]):
        is_small = made.get("maximum", made.get("const", _LARGEST_INT32 + 1)) <= _LARGEST_INT32
        made.setdefault("format", "int32" if is_small else "int64")
    return made
