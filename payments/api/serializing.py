"""Request bodies in, answers out: through one instance of each serializer.

DRF copies every declared field for each instance, which costs more than the work that the copy then
does. Our serializers keep nothing of a request (no context, no `instance`), so one serves them all,
also in several threads at once.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

from django.utils import translation
from rest_framework.fields import SkipField
from rest_framework.serializers import Field, Serializer

Kind = type[Serializer[Any]]
_ABSENT = object()


def validate(kind: Kind, body: Any) -> dict[str, Any]:
    """What `serializer.is_valid(raise_exception=True)` leaves in `validated_data`.

    Raises rest_framework's ValidationError.
    """
    values: dict[str, Any] = _only(kind).run_validation(body)
    return values


def serialize(kind: Kind, value: Any) -> dict[str, Any]:
    """The value as `kind` answers it."""
    return _answer_of(kind)(value)


def serialize_many(kind: Kind, values: Any) -> list[dict[str, Any]]:
    """Each of the values."""
    return [*map(_answer_of(kind), values)]


@cache
def _answer_of(kind: Kind) -> Callable[[Any], dict[str, Any]]:
    return _representation(_only(kind))


def _representation(field: Field) -> Callable[[Any], Any]:
    """How a value is answered: by a serializer that does nothing of its own, field by field."""
    if isinstance(field, Serializer):
        if type(field).to_representation is Serializer.to_representation:
            return _Answer(field)
        return lambda value: dict(field.to_representation(value))
    answer: Callable[[Any], Any] = field.to_representation
    return answer


class _Answer:
    """`Serializer.to_representation`, which finds out anew for each value what to ask it for."""

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

    def __call__(self, value: Any) -> dict[str, Any]:
        answer: dict[str, Any] = {}
        for name, source, plain, get_attribute, represented in self._plan:
            found = getattr(value, source, _ABSENT) if plain else _ABSENT
            if found is _ABSENT or callable(found):
                # A key of a dictionary, a method, `a.b`, `*`, a default: DRF knows them all.
                try:
                    found = get_attribute(value)
                except SkipField:
                    continue
            answer[name] = None if found is None else represented(found)
        return answer


@cache
def _only(kind: Kind) -> Serializer[Any]:
    made = kind()
    with translation.override("en"):  # as the answers of the API are
        _settle(made)
    return made


def _settle(field: Field) -> None:
    """Writes out DRF's messages: each would be put together at its first use, which two threads
    at once cannot do.
    """
    for validator in field.validators:
        if hasattr(validator, "message"):
            validator.message = str(validator.message)
    children = [*field.fields.values()] if isinstance(field, Serializer) else []
    if (child := getattr(field, "child", None)) is not None:
        children.append(child)
    for inner in children:
        _settle(inner)
