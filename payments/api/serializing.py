"""Request bodies in, answers out: through one instance of each serializer.

DRF copies every declared field for each instance, which costs more than the work that the copy then
does. Our serializers keep nothing of a request (no context, no `instance`), so one serves them all,
also in several threads at once.
"""

from functools import cache
from typing import Any

from django.utils import translation
from rest_framework.serializers import Field, Serializer

Kind = type[Serializer[Any]]


def validated(kind: Kind, body: Any) -> dict[str, Any]:
    """What `serializer.is_valid(raise_exception=True)` leaves in `validated_data`.

    Raises rest_framework's ValidationError.
    """
    values: dict[str, Any] = _only(kind).run_validation(body)
    return values


def shown(kind: Kind, value: Any) -> dict[str, Any]:
    """The value as `kind` answers it."""
    return dict(_only(kind).to_representation(value))


def shown_all(kind: Kind, values: Any) -> list[dict[str, Any]]:
    """Each of the values."""
    return [shown(kind, value) for value in values]


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
