"""The simulator out of reach: while a file `away` lies beside its books, no call gets there.

What experiments and developers use to play an outage of the rail; callbacks of what was taken
before still come, as they would.
"""

from pathlib import Path

from django.conf import settings

from payments.providers.ports import ProviderUnavailable

SUFFIX = ".away"


def check() -> None:
    """Raises ProviderUnavailable during an outage: nothing was sent, and the caller knows it."""
    if Path(f"{settings.SIMULATOR_STATE}{SUFFIX}").exists():
        raise ProviderUnavailable("The simulator is away (an outage).")
