"""The types of a part of the reference: its examples, and notes on them.

The examples run. In a path, a body or a key, `<ORDER_ID>` is a value that an earlier example gives
or that this example sets. `<#AMOUNT>` is the same for a number. `<now>` in a value that an example
sets is new in each run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

RETRY = "Send it again after Retry-After, with the same idempotency key."
KEY_ERRORS = ("IDEMPOTENCY_KEY_REQUIRED", "IDEMPOTENCY_KEY_REUSED")
LIMIT_ERRORS = ("AMOUNT_ABOVE_LIMIT", "AMOUNT_BELOW_MINIMUM", "INSUFFICIENT_BALANCE")


@dataclass(frozen=True, slots=True)
class Example:
    """A request that runs unchanged after the examples in `needs`."""

    operation: str
    status: int = 200
    # Parameters of the path, by their names in the OpenAPI document, and parameters of the query.
    path: dict[str, str] = field(default_factory=dict)
    query: dict[str, str] = field(default_factory=dict)
    body: dict[str, Any] | None = None
    # Derived from the payment, so that the same request sent again has the same key.
    idempotency_key: str = ""
    # Values that the caller chooses before the request.
    sets: dict[str, str] = field(default_factory=dict)
    # NAME: its place in the response, for later examples. The links of the OpenAPI document use the
    # names of operations that create.
    gives: dict[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    # Error codes beyond those of every operation.
    errors: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A part of the API.

    tag          that of its operations.
    advice       {error code that only its operations have: what to do about it}.
    magic_title  its section of docs/simulator.md with a table of magic values, if there is one, and
                 `magic_key` what has such a value.
    """

    tag: str
    text: str
    examples: tuple[Example, ...]
    advice: Mapping[str, str] = field(default_factory=dict)
    magic_title: str = ""
    magic_key: str = ""

    @property
    def slug(self) -> str:
        """The anchor of its part of the page."""
        return self.tag.lower().replace(" ", "-")
