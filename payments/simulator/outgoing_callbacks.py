"""What the simulator says about money on its way out, signed and delivered as its words on
charges are."""

from collections.abc import Mapping
from datetime import UTC, datetime

from payments.core import jsontext, money
from payments.providers.ports import ZERO, InvalidCallback, OutgoingState, OutgoingUpdate
from payments.simulator import callbacks
from payments.simulator.outgoing_magic import Product


def body_of(update: OutgoingUpdate, product: Product) -> bytes:
    """The simulator's wire format: the amount is decimal text."""
    return jsontext.dumps(
        {
            "product": str(product),
            "reference": update.reference,
            "providerId": update.provider_id,
            "state": update.state.value,
            "amount": money.text(update.amount or ZERO),
            "authorization": update.authorization,
            "reason": update.reason,
            "occurredAt": update.occurred_at.isoformat(),
        }
    ).encode()


def send(update: OutgoingUpdate, product: Product, callback_url: str) -> int:
    """Delivers `update`, signed now, and returns the HTTP status of the answer."""
    return callbacks.deliver(update.reference, body_of(update, product), callback_url)


def read(
    headers: Mapping[str, str], body: bytes, now: datetime, product: Product
) -> OutgoingUpdate:
    """Verifies and parses a message about this product.

    Raises InvalidCallback, which never says what was expected.
    """
    callbacks.verify(headers, body, now)
    update = _parse(body, product)
    if update.state is OutgoingState.UNKNOWN:
        raise InvalidCallback("nobody calls to say that they know nothing")
    return update


def _parse(body: bytes, product: Product) -> OutgoingUpdate:
    try:
        message = jsontext.loads(body)
        text = callbacks.text_of
        if text(message, "product") != product:
            raise InvalidCallback("about another product")
        return OutgoingUpdate(
            reference=text(message, "reference"),
            provider_id=text(message, "providerId"),
            state=OutgoingState(text(message, "state")),
            amount=callbacks.amount_of(message, "amount"),
            authorization=text(message, "authorization"),
            reason=text(message, "reason"),
            occurred_at=datetime.fromisoformat(text(message, "occurredAt")).astimezone(UTC),
        )
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise InvalidCallback("body makes no sense") from error
