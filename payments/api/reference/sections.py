"""The sections of the operations on the reference page."""

import re
from dataclasses import dataclass
from typing import Any

from django.utils.safestring import SafeString

from payments.api import idempotency
from payments.api.reference import fields
from payments.api.reference.catalogue import PRODUCTS, served
from payments.api.reference.document import Document, document
from payments.api.reference.fields import html, shown
from payments.api.reference.parts import Example, Part
from payments.api.reference.recordings import RECORDED_AT, recorded
from payments.api.reference.requests import Keys, Operation, operations
from payments.api.reference.samples import Sample, samples
from payments.core import jsontext

_SHORT = 14


@dataclass(frozen=True, slots=True)
class OperationSection:
    id: str
    method: str
    path: str
    title: str
    text: SafeString
    parameters: tuple[fields.Row, ...]
    body: tuple[fields.Row, ...]
    answer: tuple[fields.Row, ...]
    # The operation whose table already lists the same response fields. Empty if there is none.
    same_as: str
    samples: tuple[Sample, ...]
    # Names that the example sets, if the same command again is a retry.
    fixed: str
    # JSON for the script that sends requests from the page.
    attempt: str
    status: int
    example: str
    errors: tuple[str, ...]
    names: tuple[tuple[str, str, str], ...]

    @property
    def short_title(self) -> str:
        """For the contents: without the order of a list, or a condition."""
        short = re.split("[,:;.] ", self.title)[0]
        return short if len(short) > _SHORT else self.title


def by_product(keys: Keys, address: str) -> list[tuple[Part, list[OperationSection]]]:
    """In the language of this moment."""
    found = operations(document())
    first: dict[str, str] = {}
    return [
        (product, [_section(each, found, keys, address, first) for each in product.examples])
        for product in served(found)
    ]


def _section(
    example: Example,
    found: dict[str, Operation],
    keys: Keys,
    address: str,
    first: dict[str, str],
) -> OperationSection:
    operation = found[example.operation]
    about, components = operation.about, document()["components"]["schemas"]
    body = _schema(about.get("requestBody", {}))
    answer = _data(_schema(about["responses"].get(str(example.status), {})), components)
    name = fields.component(answer)
    same_as = first.setdefault(name, example.operation) if name else example.operation
    listed = answer.get("items", answer)
    recording = recorded().get(example.operation, _UNRECORDED)
    return OperationSection(
        id=example.operation,
        method=operation.method,
        path=operation.path,
        title=shown(about["summary"]),
        text=html(shown(about.get("description", ""))),
        parameters=tuple(_parameters(operation, example)),
        body=tuple(fields.rows(body, components)),
        answer=tuple(fields.rows(listed, components)) if same_as == example.operation else (),
        same_as=same_as if same_as != example.operation else "",
        samples=samples(
            example,
            operation,
            f"{address}/api/v1",
            keys,
            is_json=not isinstance(recording["answer"], str),
        ),
        fixed=", ".join(example.sets) if example.idempotency_key else "",
        attempt=jsontext.dumps(_attempt(example, operation)),
        status=example.status,
        example=_printed(recording["answer"], address),
        errors=tuple(dict.fromkeys(example.errors)),
        names=tuple(_names(example)),
    )


def _schema(about: Document) -> Document:
    content = about.get("content", {}).get("application/json", {})
    schema: Document = content.get("schema", {})
    return schema


def _data(answer: Document, components: Document) -> Document:
    """What is in the envelope; a file has none."""
    envelope = components.get(fields.component(answer), {})
    data: Document = envelope.get("properties", {}).get("data", answer)
    return data


def _printed(answer: object, address: str) -> str:
    text = answer.lstrip("\ufeff") if isinstance(answer, str) else jsontext.pretty(answer)
    return text.replace(RECORDED_AT, address)


def _parameters(operation: Operation, example: Example) -> list[fields.Row]:
    # The document cannot say it: the body may have the key instead.
    needs_key = idempotency.IdempotencyKeyRequired.code in example.errors
    return [
        fields.row(
            each["name"],
            {**each["schema"], "description": each.get("description", "")},
            kind=each["in"],
            is_required=each.get("required", each["name"] == idempotency.HEADER and needs_key),
        )
        for each in operation.about.get("parameters", ())
    ]


def _attempt(example: Example, operation: Operation) -> dict[str, Any]:
    """The request with its `<NAMES>`, which the script replaces."""
    given = operation.about.get("parameters", ())
    query = {each["name"]: "" for each in given if each["in"] == "query"}
    return {
        "method": operation.method,
        "path": operation.path,
        "values": example.path,
        "query": {**query, **example.query},
        "body": None if example.body is None else jsontext.pretty(example.body),
        "hasKey": any(each["name"] == idempotency.HEADER for each in given),
        "sets": example.sets,
        "gives": example.gives,
    }


def _names(example: Example) -> list[tuple[str, str, str]]:
    """Each variable of the command: its name, and the place and operation that give its value."""
    used = f"{example.path}{example.body}{example.idempotency_key}"
    titles = operations(document())
    return [
        (name, where, giver)
        for product in PRODUCTS
        for each in product.examples
        for name, where in each.gives.items()
        if (f"<{name}>" in used or f"<#{name}>" in used)
        and (giver := each.operation) != example.operation
        and giver in titles
    ]


_UNRECORDED: Any = {"answer": ""}
