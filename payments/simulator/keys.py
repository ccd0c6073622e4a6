"""Who has an instant key. A few keys are magic: their letters and digits begin with a number.

Of any other key the holder is masked as a whole, because the simulator knows no persons: such a
name fits every beneficiary.
"""

from enum import Enum
from zlib import crc32

from payments.providers.ports import (
    KeyHolder,
    OutgoingReason,
    ProviderRefused,
    ProviderTimeout,
)
from payments.simulator import magic
from payments.simulator.banks import BANKS

FIRST_KEY = 3_990_002_001
MASKED = "**** ****"


class KeyBehaviour(Enum):
    """In the order of their numbers."""

    UNKNOWN = "unknown-key"
    CLOSED = "closed-key"
    OTHER_HOLDER = "other-holder"
    KNOWN_HOLDER = "known-holder"
    UNANSWERED = "holder-unavailable"


BY_NUMBER = {str(FIRST_KEY + place): found for place, found in enumerate(KeyBehaviour)}
_REFUSED = {
    KeyBehaviour.UNKNOWN: OutgoingReason.KEY_NOT_FOUND,
    KeyBehaviour.CLOSED: OutgoingReason.ACCOUNT_CLOSED,
}
# Óscar Titular, whom no test pays, and Lucía Ñáñez.
_NAMES = {KeyBehaviour.OTHER_HOLDER: "Ó**** T******", KeyBehaviour.KNOWN_HOLDER: "L**** Ñ****"}


def holder_of(key_value: str) -> KeyHolder:
    """Raises ProviderRefused and ProviderTimeout."""
    refuse_magic(key_value)
    behaviour = _behaviour(key_value)
    if behaviour is KeyBehaviour.UNANSWERED:
        raise ProviderTimeout("The simulator names no holder (magic key).")
    bank = BANKS[crc32(magic.plain(key_value).encode()) % len(BANKS)]
    return KeyHolder(name=MASKED if behaviour is None else _NAMES[behaviour], bank=bank.name)


def refuse_magic(key_value: str) -> None:
    """Raises ProviderRefused for a key that takes no money."""
    behaviour = _behaviour(key_value)
    if behaviour in _REFUSED:
        raise ProviderRefused(_REFUSED[behaviour], "Magic key.")


def _behaviour(key_value: str) -> KeyBehaviour | None:
    return BY_NUMBER.get(magic.plain(key_value)[: magic.KEY_LENGTH])
