"""Reports disputes. The simulator stores none: the caller plays the payer's bank."""

from datetime import datetime
from typing import ClassVar

from payments.providers.ports import Callback, DisputeUpdate, InvalidCallback
from payments.rails.services.callback_urls import callback_url
from payments.simulator import CODE, callbacks
from payments.simulator.messages import DISPUTE


class SimulatorDisputes:
    """Implements DisputePort."""

    code: ClassVar[str] = CODE

    def read_callback(self, callback: Callback, now: datetime) -> DisputeUpdate:
        update = callbacks.read(DisputeUpdate, callback, now, DISPUTE)
        reference = update.reference
        if not update.amount or not 0 < len(reference) <= 100 or not reference.isprintable():
            raise InvalidCallback("names nothing")
        return update


def send_callback(update: DisputeUpdate) -> int:
    """Returns the HTTP status of our response."""
    return callbacks.send(update, callback_url(DISPUTE, CODE))
