"""One instance of a serializer serves all threads, so nothing in it may change at its first use.

What is answered is what DRF would answer, found out once.
"""

from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from rest_framework import serializers
from rest_framework.serializers import Field, Serializer

from payments.api.serializing import serialize, serialize_many, shared_instance
from payments.collect.api.direct import DirectPay
from payments.collect.api.orders import OrderCreate
from payments.payout.api import PayoutCreate


def fields_of(field: Field) -> Iterator[Field]:
    yield field
    inner = [*field.fields.values()] if isinstance(field, Serializer) else []
    inner += [field.child] if getattr(field, "child", None) is not None else []
    for one in inner:
        yield from fields_of(one)


def test_messages_are_written_out() -> None:
    """DRF puts them together when they are first shown, and two threads at once would collide."""
    messages = [
        validator.message
        for kind in (OrderCreate, PayoutCreate, DirectPay)
        for field in fields_of(shared_instance(kind))
        for validator in field.validators
        if hasattr(validator, "message")
    ]
    assert len(messages) > 10
    assert {type(message) for message in messages} == {str}


class Inner(serializers.Serializer[Any]):
    """Nested, of the whole value."""

    first = serializers.CharField()


class Own(serializers.Serializer[Any]):
    """With something of its own to say."""

    name = serializers.CharField()

    def to_representation(self, value: Any) -> dict[str, Any]:
        return {**super().to_representation(value), "own": True}


class Everything(serializers.Serializer[Any]):
    """Each way in which DRF gets at a value."""

    first = serializers.CharField()
    items = serializers.CharField()
    called = serializers.CharField()
    deep = serializers.CharField(source="inside.name")
    inner = Inner(source="*")
    own = Own(source="inside")
    many = Own(many=True)
    method = serializers.SerializerMethodField()
    nothing = serializers.CharField(allow_null=True)
    fallback = serializers.CharField(default="as agreed", source="absent")
    left_out = serializers.CharField(required=False, source="absent")
    secret = serializers.CharField(write_only=True)

    def get_method(self, value: Any) -> str:
        return "made"


VALUES: dict[str, Any] = {
    "first": 1,
    "items": "not the method of a dictionary",
    "called": lambda: "by calling it",
    "inside": {"name": "Ana"},
    "many": [{"name": "a"}, {"name": "b"}],
    "nothing": None,
}


@pytest.mark.parametrize("value", [VALUES, SimpleNamespace(**VALUES)], ids=["dict", "object"])
def test_answers_are_those_of_drf(value: Any) -> None:
    expected = Everything(value).data
    assert len(expected) == 10
    assert expected["fallback"] == "as agreed"
    assert serialize(Everything, value) == expected
    assert list(serialize(Everything, value)) == list(expected)
    assert serialize_many(Everything, [value, value]) == [expected, expected]


def test_what_is_missing_fails_as_in_drf() -> None:
    with pytest.raises(AttributeError, match="`first` on serializer `Everything`"):
        serialize(Everything, SimpleNamespace())
