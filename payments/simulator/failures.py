"""How the simulator fails its callers: outages, lost calls, lost and late answers."""

import threading
from pathlib import Path

from django.conf import settings

from payments.providers.ports import ProviderRefused, ProviderTimeout, ProviderUnreachable
from payments.simulator.magic import SLOW_SECONDS, Behaviour, CallOutcome

# While a file with this suffix lies beside the store, no call reaches the simulator. Callbacks of
# what it took before are still sent.
AWAY_SUFFIX = ".away"
# Set to end every wait at once, also those under way: for tests and for shutting down.
released = threading.Event()


def check_outage() -> None:
    """Raises ProviderUnreachable during an outage: nothing was sent, and the caller knows it."""
    if Path(f"{settings.SIMULATOR_STATE}{AWAY_SUFFIX}").exists():
        raise ProviderUnreachable("The simulator is away (an outage).")


def fail_on_the_way(behaviour: Behaviour, number: int) -> None:
    """What keeps the `number`th call with a reference from being carried out."""
    if behaviour.refused:
        raise ProviderRefused(behaviour.reason, "Refused (magic value).")
    if number <= behaviour.unreachable_calls:
        raise ProviderUnreachable("The simulator is away (magic value).")
    if number <= behaviour.lost_calls:
        raise ProviderTimeout("The request was lost (magic value).")


def lose_the_answer(behaviour: Behaviour, timeout: float = 0) -> None:
    """What keeps the answer to a call that was carried out from its caller."""
    if behaviour.call is CallOutcome.LOST:
        raise ProviderTimeout("The answer was lost (magic value).")
    if behaviour.call is CallOutcome.ERROR:
        raise ProviderTimeout("The answer was 502 Bad Gateway (magic value).")
    if behaviour.call is CallOutcome.LATE:
        be_late(timeout)


def be_late(timeout: float) -> None:
    """Raises ProviderTimeout after the caller's time has passed."""
    sleep(min(timeout, SLOW_SECONDS))
    raise ProviderTimeout("No answer came in time (magic value).")


def sleep(seconds: float) -> None:
    """Waits, holding nothing: neither a lock nor a connection to the store."""
    released.wait(max(0.0, seconds))
