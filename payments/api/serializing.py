"""Validates request bodies and serializes responses with one instance of each serializer class.

DRF copies every declared field for each instance, which takes longer than the use of the copy. Our
serializers keep nothing of a request, so all threads share the instance.
"""

from collections.abc import Callable, Iterable
from functools import cache
from operator import attrgetter
from typing import Any

from django.utils import translation
from rest_framework.fields import (
    CharField,
    ChoiceField,
    Field,
    ListField,
    SerializerMethodField,
    SkipField,
)
from rest_framework.serializers import Serializer

from payments.api.messages import use_our_voice

SerializerClass = type[Serializer[Any]]
_UNREAD = object()


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
    """`field.to_representation`, or what it comes to for this field."""
    match field:
        case Serializer():
            if type(field).to_representation is Serializer.to_representation:
                return _FieldPlan(field)
            return lambda value: dict(field.to_representation(value))
        case SerializerMethodField():
            method: Callable[[Any], Any] = getattr(field.parent, field.method_name or "")
            return method
        case CharField() | ChoiceField() if _is_text(field):
            return str
        case ListField() if type(field).to_representation is ListField.to_representation:
            each = _representation(field.child)
            return lambda values: [None if value is None else each(value) for value in values]
    return field.to_representation


def _is_text(field: CharField | ChoiceField) -> bool:
    """Whether it represents each value by `str`."""
    if isinstance(field, CharField):
        return type(field).to_representation is CharField.to_representation
    of_texts = all(isinstance(choice, str) for choice in field.choices)
    return of_texts and type(field).to_representation is ChoiceField.to_representation


class _FieldPlan:
    """`Serializer.to_representation` that decides about each field once, not at each call."""

    def __init__(self, serializer: Serializer) -> None:
        fields = {name: f for name, f in serializer.fields.items() if not f.write_only}
        self._in_order = dict.fromkeys(fields)
        # They represent the value itself.
        self._whole = [
            (name, _representation(field))
            for name, field in fields.items()
            if field.source == "*" and _is_plain(field)
        ]
        self._fields = [
            (name, _representation(field), field)
            for name, field in fields.items()
            if field.source != "*" or not _is_plain(field)
        ]
        self._read = _reader([field for _name, _represent, field in self._fields])

    def __call__(self, value: object) -> dict[str, Any]:
        data: dict[str, Any] = self._in_order.copy()
        try:
            found = self._read(value)
        except AttributeError:
            found = [_UNREAD] * len(self._fields)
        for (name, represent, field), one in zip(self._fields, found, strict=True):
            if one is _UNREAD or callable(one):
                # DRF reads these: a key of a dictionary, a method, a field with a default.
                try:
                    one = field.get_attribute(value)
                except SkipField:
                    del data[name]
                    continue
            if one is not None:
                data[name] = represent(one)
        for name, represent in self._whole:
            data[name] = represent(value)
        return data


def _reader(fields: list[Field]) -> Callable[[object], Iterable[Any]]:
    """Reads all attributes in one call. Raises AttributeError if DRF has to read them."""
    sources = [field.source or "" for field in fields if _is_plain(field)]
    if len(sources) < len(fields):
        return lambda value: [_UNREAD] * len(fields)
    if len(sources) > 1:  # for one source, attrgetter returns no tuple
        return attrgetter(*sources)
    return lambda value: [getattr(value, source) for source in sources]


def _is_plain(field: Field) -> bool:
    return type(field).get_attribute is Field.get_attribute
