"""One instance of a serializer serves all threads, so nothing in it may change at its first use."""

from collections.abc import Iterator

from rest_framework.serializers import Field, Serializer

from payments.api.serializing import _only
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
        for field in fields_of(_only(kind))
        for validator in field.validators
        if hasattr(validator, "message")
    ]
    assert len(messages) > 10
    assert {type(message) for message in messages} == {str}
