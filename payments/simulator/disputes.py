"""What the simulator reports of contested payments. It stores nothing of them: the caller plays the
payer's bank.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from django.conf import settings

from payments.providers.ports import DisputeUpdate, InvalidCallback
from payments.simulator import CODE, callbacks
from payments.simulator.messages import DISPUTE


class SimulatorDisputes:
    """Implements DisputePort."""

    code: ClassVar[str] = CODE

    def read_callback(
        self, headers: Mapping[str, str], body: bytes, now: datetime
    ) -> DisputeUpdate:
        update = callbacks.read(DisputeUpdate, headers, body, now, DISPUTE)
        reference = update.reference
        if not update.amount or not 0 < len(reference) <= 100 or not reference.isprintable():
            raise InvalidCallback("names nothing")
        return update


def send_callback(update: DisputeUpdate) -> int:
    """Sends it to our callback URL, signed now; returns the HTTP status of the answer."""
    url = f"{settings.PUBLIC_URL}/callbacks/{DISPUTE}/{CODE}"
    return callbacks.send(update, url)
