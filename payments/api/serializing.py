"""Validates request bodies and serializes responses with one instance of each serializer class.

DRF copies every declared field for each instance, which takes longer than the use of the copy. Our
serializers keep nothing of a request, so all threads share the instance.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from django.utils import translation
from rest_framework.fields import SkipField
from rest_framework.serializers import Field, Serializer

from payments.api.messages import use_our_voice

SerializerClass = type[Serializer[Any]]
_MISSING = object()


def validate(serializer_class: SerializerClass, body: object) -> dict[str, Any]:
    """Raises rest_framework's ValidationError."""
    values: dict[str, Any] = shared_instance(serializer_class).run_validation(body)
    return values


def serialize(serializer_class: SerializerClass, value: object) -> dict[str, Any]:
    return _serialize_function(serializer_class)(value)


def serialize_many(
    serializer_class: SerializerClass, values: Iterable[object]
) -> list[dict[str, Any]]:
    return [*map(_serialize_function(serializer_class), values)]


@cache
def shared_instance(serializer_class: SerializerClass) -> Serializer[Any]:
    """Its messages are in English."""
    serializer = serializer_class()
    with translation.override("en"):
        _resolve_messages(serializer)
    return serializer


def _resolve_messages(field: Field) -> None:
    """Builds validators' messages now, because DRF's first use of them is not thread-safe."""
    use_our_voice(field)
    for validator in field.validators:
        if hasattr(validator, "message"):
            validator.message = str(validator.message)
    children = [*field.fields.values()] if isinstance(field, Serializer) else []
    if (child := getattr(field, "child", None)) is not None:
        children.append(child)
    for inner in children:
        _resolve_messages(inner)


@cache
def _serialize_function(serializer_class: SerializerClass) -> Callable[[Any], dict[str, Any]]:
    return _representation(shared_instance(serializer_class))


def _representation(field: Field) -> Callable[[Any], Any]:
    """The fast plan for a serializer, unless it overrides `to_representation`."""
    if isinstance(field, Serializer):
        if type(field).to_representation is Serializer.to_representation:
            return _FieldPlan(field)
        return lambda value: dict(field.to_representation(value))
    return field.to_representation


class _FieldPlan:
    """`Serializer.to_representation` that decides about each field once, not at each call."""

    def __init__(self, serializer: Serializer[Any]) -> None:
        self._plan = [
            (
                name,
                field.source or name,
                type(field).get_attribute is Field.get_attribute,
                field.get_attribute,
                _representation(field),
            )
            for name, field in serializer.fields.items()
            if not field.write_only
        ]

    def __call__(self, value: object) -> dict[str, Any]:
        data: dict[str, Any] = {}
        for name, source, plain, get_attribute, represent in self._plan:
            found = getattr(value, source, _MISSING) if plain else _MISSING
            if found is _MISSING or callable(found):
                # DRF reads these: a key of a dictionary, a method, `a.b`, `*`, a field with a
                # default.
                try:
                    found = get_attribute(value)
                except SkipField:
                    continue
            data[name] = None if found is None else represent(found)
        return data
