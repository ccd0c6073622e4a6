"""What the service keeps of a payment for the adapter, which itself keeps nothing between calls."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

# A JSON object of the adapter's own: the ids and tokens of the rail.
State = Mapping[str, Any]
# Replaces the state, committed when it returns. Raises CallOvertaken.
SaveState = Callable[[State], None]


def keep_nothing(state: State) -> None:
    """The `save` of a request that no payment of the service stands behind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """Everything that is known of the payment that a rail is queried about.

    reference    as in the request that started or sent it.
    provider_id  theirs; empty while the rail has named none.
    state        what the adapter saved.
    """

    reference: str
    provider_id: str = ""
    state: State = field(default_factory=dict, repr=False)
