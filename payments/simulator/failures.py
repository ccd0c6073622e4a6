"""Failures that callers of the simulator meet: outages, lost calls, lost and late responses."""

import threading
from pathlib import Path

from django.conf import settings

from payments.providers.ports import ProviderRefused, ProviderTimeout, ProviderUnreachable
from payments.simulator.magic import SLOW_SECONDS, Behaviour, CallOutcome

# While a file with this suffix lies beside the store, no call reaches the simulator. It still sends
# callbacks about earlier payments.
AWAY_SUFFIX = ".away"
# When set, every wait ends at once. For tests and for shutting down.
released = threading.Event()


def check_outage() -> None:
    if Path(f"{settings.SIMULATOR_STATE}{AWAY_SUFFIX}").exists():
        raise ProviderUnreachable("The simulator is away (an outage).")


def check_time(timeout: float) -> None:
    """The simulator answers at once, if there is any time."""
    if timeout <= 0:
        raise ProviderUnreachable("No time is left for a call.")


def fail_on_the_way(behaviour: Behaviour, number: int) -> None:
    """Raises a ProviderError if the `number`th call with this reference is not carried out."""
    if behaviour.refused:
        raise ProviderRefused(behaviour.reason, "Refused (magic value).")
    if number <= behaviour.unreachable_calls:
        raise ProviderUnreachable("The simulator is away (magic value).")
    if number <= behaviour.lost_calls:
        raise ProviderTimeout("The request was lost (magic value).")


def lose_response(behaviour: Behaviour, timeout: float = 0) -> None:
    """Raises ProviderTimeout if the response to a call that was carried out is lost."""
    if behaviour.call is CallOutcome.LOST:
        raise ProviderTimeout("The answer was lost (magic value).")
    if behaviour.call is CallOutcome.ERROR:
        raise ProviderTimeout("The answer was 502 Bad Gateway (magic value).")
    if behaviour.call is CallOutcome.LATE:
        be_late(timeout)


def be_late(timeout: float) -> None:
    """Raises ProviderTimeout after `timeout` seconds, SLOW_SECONDS at most."""
    sleep(min(timeout, SLOW_SECONDS))
    raise ProviderTimeout("No answer came in time (magic value).")


def sleep(seconds: float) -> None:
    """Do not call it with a lock or a connection to the store."""
    released.wait(max(0.0, seconds))
