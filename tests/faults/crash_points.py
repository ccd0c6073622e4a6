"""Fault points: where a test makes the worker die. The product knows nothing of them."""

import asyncio
from collections.abc import Callable
from typing import Any

from payments.collect.models import Charge
from payments.collect.services.charges import charge_creation, charge_initiation
from payments.core import states
from payments.outgoing import completion, creation
from payments.outgoing.engine import Engine
from payments.providers.wompi.client import WompiClient
from payments.providers.wompi_payouts.client import PayoutsClient
from payments.simulator import store
from webhooks import leases
from webhooks.sender import Sender

# Enough for a connection on loopback, far less than the receiver takes to answer.
SOON_SECONDS = 0.1
Die = Callable[[], None]
# Like monkeypatch.setattr.
Patch = Callable[[Any, str, Any], None]


class Crash(BaseException):
    """The end of a worker inside this process; `except Exception` does not hold it."""


def _after(owner: Any, name: str, applies: Callable[[Any], bool] = lambda _: True) -> Any:
    """Die when the function has returned something that `applies`."""

    def install(patch: Patch, die: Die) -> None:
        whole = getattr(owner, name)

        def cut(*args: Any, **kwargs: Any) -> Any:
            result = whole(*args, **kwargs)
            if applies(result):
                die()
            return result

        patch(owner, name, cut)

    return install


def _before(owner: Any, name: str, applies: Callable[..., Any] = lambda *_: True) -> Any:
    """Die when the function is called with what `applies`."""

    def install(patch: Patch, die: Die) -> None:
        whole = getattr(owner, name)

        def cut(*args: Any, **kwargs: Any) -> Any:
            if applies(*args):
                die()
            return whole(*args, **kwargs)

        patch(owner, name, cut)

    return install


def _soon_after_the_start(owner: Any, name: str) -> Any:
    """Die while the coroutine waits."""

    def install(patch: Patch, die: Die) -> None:
        whole = getattr(owner, name)

        async def cut(*args: Any, **kwargs: Any) -> Any:
            asyncio.get_running_loop().call_later(SOON_SECONDS, die)
            return await whole(*args, **kwargs)

        patch(owner, name, cut)

    return install


_OF_CALLS = {
    "after-execution": _after(store.outgoing, "insert"),
    "after-answer": _before(Engine, "apply_update"),
    "before-recording-commit": _after(completion, "complete"),
    "after-recording": _after(Engine, "apply_update"),
}
# In the web process: the hold is written, or committed with the payment, and no event was sent.
OF_REQUESTS = {
    "before-intent-commit": _after(creation.recipes, "outgoing_reserved"),
    "after-intent-commit": _after(creation, "create"),
}
# Where the rail is called inside the request, it may also end around the call.
OF_REQUESTS_AT_ONCE = {**OF_REQUESTS, **_OF_CALLS}
# In the pump: a POST is on the wire; its 2xx has come and is not on the tables yet.
OF_PUMPS = {
    "during-a-webhook": _soon_after_the_start(Sender, "post"),
    "before-recording-a-webhook": _before(leases, "record", any),
}
OF_WORKERS = {
    "before-processing-commit": _after(states, "move"),
    "after-processing-commit": _after(Engine, "_commit_intent", lambda row: row is not None),
    **_OF_CALLS,
}
# What a worker does for a payment that was handed over inside a request.
OF_WORKERS_AT_ONCE = {
    "after-resend-commit": _after(Engine, "_commit_resend", lambda row: row is not None),
    **_OF_CALLS,
}
# For payouts over Wompi. It has executed one and its answer is not understood yet; how a payout
# ends comes by event, to a web process.
OF_WORKERS_OVER_WOMPI = {
    "before-processing-commit": OF_WORKERS["before-processing-commit"],
    "after-processing-commit": OF_WORKERS["after-processing-commit"],
    "after-wompi-answered": _after(PayoutsClient, "post"),
    "after-answer": OF_WORKERS["after-answer"],
    "after-recording": OF_WORKERS["after-recording"],
}
# In the web process that starts a charge at Wompi.
OF_CHARGES = {
    "before-charge-commit": _after(Charge, "save"),
    "after-charge-commit": _after(charge_creation, "_commit_intent"),
    "after-charge-execution": _after(WompiClient, "create"),
    "before-charge-recording-commit": _after(charge_initiation, "_show_progress"),
    "after-charge-recording": _after(charge_initiation, "_record_started"),
}
