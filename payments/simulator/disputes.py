"""What the simulator says about contested payments. It keeps no books of them: whoever plays the
payer's bank says what happens (`tell`).
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import ClassVar

from django.conf import settings

from payments.core import jsontext, money
from payments.providers.ports import (
    DisputeKind,
    DisputeState,
    DisputeUpdate,
    InvalidCallback,
)
from payments.providers.registry import SIMULATOR
from payments.simulator import callbacks

PRODUCT = "dispute"


class SimulatorDisputes:
    """Implements DisputePort."""

    code: ClassVar[str] = SIMULATOR

    def read_callback(
        self, headers: Mapping[str, str], body: bytes, now: datetime
    ) -> DisputeUpdate:
        """Verifies the simulator's signature and its age, then parses."""
        callbacks.verify(headers, body, now)
        return _parse(body)


def tell(update: DisputeUpdate) -> int:
    """Says it to our callback URL, signed now; returns the HTTP status of the answer."""
    url = f"{settings.PUBLIC_URL}/callbacks/dispute/{SIMULATOR}"
    return callbacks.deliver(update.reference, body_of(update), url)


def body_of(update: DisputeUpdate) -> bytes:
    """The simulator's wire format: the amount is decimal text."""
    due = update.evidence_due_at
    return jsontext.dumps(
        {
            "product": PRODUCT,
            "reference": update.reference,
            "charge": update.charge_reference,
            "kind": update.kind.value,
            "state": update.state.value,
            "amount": money.text(update.amount),
            "currency": update.currency,
            "reason": update.reason,
            "evidenceDueAt": due.isoformat() if due else "",
            "occurredAt": update.occurred_at.isoformat(),
        }
    ).encode()


def _parse(body: bytes) -> DisputeUpdate:
    try:
        message = jsontext.loads(body)
        text = callbacks.text_of
        if text(message, "product") != PRODUCT:
            raise InvalidCallback("about something else")
        due = text(message, "evidenceDueAt")
        amount = callbacks.amount_of(message, "amount")
        reference = text(message, "reference")
        if amount == 0 or not 0 < len(reference) <= 100 or not reference.isprintable():
            raise InvalidCallback("names nothing")
        return DisputeUpdate(
            reference=reference,
            charge_reference=text(message, "charge"),
            kind=DisputeKind(text(message, "kind")),
            state=DisputeState(text(message, "state")),
            amount=amount,
            currency=text(message, "currency"),
            reason=text(message, "reason"),
            evidence_due_at=datetime.fromisoformat(due).astimezone(UTC) if due else None,
            occurred_at=datetime.fromisoformat(text(message, "occurredAt")).astimezone(UTC),
        )
    except (ValueError, TypeError, KeyError, ArithmeticError) as error:
        raise InvalidCallback("body makes no sense") from error
