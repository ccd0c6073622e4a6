"""What the views say of their operations for the OpenAPI document.

It is kept and handed to drf-spectacular when the document is made. Its generator would take 4 MB
in each process, of which most never make the document.
"""

from collections.abc import Callable
from typing import Any, TypeVar

import drf_spectacular.utils
from drf_spectacular.utils import OpenApiParameter

from payments.api import idempotency
from payments.api.query import PageQuery
from payments.api.serializing import SerializerClass

View = TypeVar("View", bound=Callable[..., object])
_described: list[tuple[Callable[..., object], dict[str, Any]]] = []


def describe(**description: Any) -> Callable[[View], View]:
    """Takes what `extend_schema` of drf-spectacular takes."""

    def keep(view: View) -> View:
        if not isinstance(view, type):
            # drf-spectacular writes here. Decorators around this one share the dictionary.
            view.__dict__.setdefault("kwargs", {})
        _described.append((view, description))
        return view

    return keep


def hand_over() -> None:
    """In the order of the decorators: methods before their class."""
    for view, description in _described:
        drf_spectacular.utils.extend_schema(**description)(view)
    _described.clear()


IDEMPOTENCY_KEY = OpenApiParameter(
    idempotency.HEADER,
    {"type": "string", "pattern": "^[!-~]{1,255}$"},
    OpenApiParameter.HEADER,
    description="The same key and body again return the same resource instead of a second one.",
)
REPLAYED = OpenApiParameter(
    "Idempotent-Replayed",
    {"type": "string", "const": "true"},
    OpenApiParameter.HEADER,
    response=[201],
    description="Present when the resource was created by an earlier request with this key.",
)
TOTAL_COUNT = OpenApiParameter(
    "X-Total-Count",
    int,
    OpenApiParameter.HEADER,
    response=[200],
    required=True,
    description="How many match in all, on every page.",
)


def creates(
    operation_id: str, body: SerializerClass, resource: SerializerClass
) -> Callable[[View], View]:
    """Describes a POST that takes an idempotency key."""
    return describe(
        operation_id=operation_id,
        parameters=[IDEMPOTENCY_KEY, REPLAYED],
        request=body,
        responses={201: resource},
    )


def lists(
    operation_id: str, parameters: type[PageQuery], row: SerializerClass
) -> Callable[[View], View]:
    """Describes a GET that returns one page."""
    return describe(
        operation_id=operation_id, parameters=[parameters, TOTAL_COUNT], responses=row(many=True)
    )
