"""What the simulator says about payouts, signed and delivered as its words on charges are."""

from collections.abc import Mapping
from datetime import UTC, datetime

from payments.core import jsontext, money
from payments.providers.ports import ZERO, InvalidCallback, PayoutState, PayoutUpdate
from payments.providers.simulator import callbacks


def body_of(update: PayoutUpdate) -> bytes:
    """The simulator's wire format: the amount is decimal text."""
    return jsontext.dumps(
        {
            "reference": update.reference,
            "providerId": update.provider_id,
            "state": update.state.value,
            "amount": money.text(update.amount or ZERO),
            "reason": update.reason,
            "occurredAt": update.occurred_at.isoformat(),
        }
    ).encode()


def send(update: PayoutUpdate, callback_url: str) -> int:
    """Delivers `update`, signed now, and returns the HTTP status of the answer."""
    return callbacks.deliver(update.reference, body_of(update), callback_url)


def read(headers: Mapping[str, str], body: bytes, now: datetime) -> PayoutUpdate:
    """Verifies and parses a message. Raises InvalidCallback, which never says what was expected."""
    callbacks.verify(headers, body, now)
    update = _parse(body)
    if update.state is PayoutState.UNKNOWN:
        raise InvalidCallback("nobody calls to say that they know nothing")
    return update


def _parse(body: bytes) -> PayoutUpdate:
    try:
        message = jsontext.loads(body)
        text = callbacks.text_of
        return PayoutUpdate(
            reference=text(message, "reference"),
            provider_id=text(message, "providerId"),
            state=PayoutState(text(message, "state")),
            amount=callbacks.amount_of(message, "amount"),
            reason=text(message, "reason"),
            occurred_at=datetime.fromisoformat(text(message, "occurredAt")).astimezone(UTC),
        )
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise InvalidCallback("body makes no sense") from error
