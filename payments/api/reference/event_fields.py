"""The fields of `data` of each event, as the OpenAPI document has them."""

from collections.abc import Iterator
from dataclasses import dataclass

from payments.api.reference.document import Document, document
from payments.api.reference.fields import Row, component, rows


@dataclass(frozen=True, slots=True)
class EventFields:
    """The kinds of events whose `data` has these fields."""

    kinds: tuple[str, ...]
    rows: tuple[Row, ...]


def event_fields() -> Iterator[EventFields]:
    """Kinds with the same schema together, in the order of the document."""
    components = document()["components"]["schemas"]
    kinds: dict[str, list[str]] = {}
    for kind, about in document()["webhooks"].items():
        kinds.setdefault(component(_data(about["post"], components)), []).append(kind)
    for name, together in kinds.items():
        yield EventFields(tuple(together), tuple(rows(components.get(name, {}), components)))


def _data(post: Document, components: Document) -> Document:
    schema = post["requestBody"]["content"]["application/json"]["schema"]
    event = components.get(component(schema), schema)
    data: Document = event["properties"]["data"]
    return data
