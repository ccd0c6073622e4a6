"""How the simulator fails its callers: outages, lost calls, lost and late responses."""

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
    """Raises ProviderUnreachable during an outage."""
    if Path(f"{settings.SIMULATOR_STATE}{AWAY_SUFFIX}").exists():
        raise ProviderUnreachable("The simulator is away (an outage).")


def fail_on_the_way(behaviour: Behaviour, number: int) -> None:
    """Raises for the `number`th call with a reference if it is not carried out."""
    if behaviour.refused:
        raise ProviderRefused(behaviour.reason, "Refused (magic value).")
    if number <= behaviour.unreachable_calls:
        raise ProviderUnreachable("The simulator is away (magic value).")
    if number <= behaviour.lost_calls:
        raise ProviderTimeout("The request was lost (magic value).")


def lose_response(behaviour: Behaviour, timeout: float = 0) -> None:
    """Raises for a call that was carried out, but whose response is lost."""
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
    """Without a lock or a connection to the store."""
    released.wait(max(0.0, seconds))
