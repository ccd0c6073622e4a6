"""The types of a part of the reference: its examples, and notes on them.

The examples run. In a path, a body or a key, `<ORDER_ID>` is a value that an earlier example gives
or that this example sets. `<#AMOUNT>` is the same for a number. `<now>` in a value that an example
sets is new in each run.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

RETRY = "Send it again after Retry-After, with the same idempotency key."
KEY_ERRORS = ("IDEMPOTENCY_KEY_REQUIRED", "IDEMPOTENCY_KEY_REUSED")
LIMIT_ERRORS = ("AMOUNT_ABOVE_LIMIT", "AMOUNT_BELOW_MINIMUM", "INSUFFICIENT_BALANCE")


class Then(StrEnum):
    """What a program does after a refusal. An idempotency key is not used up by a refusal."""

    MEND = "Do not send it again as it is. Correct it; the idempotency key may be the same."
    WAIT = "Wait for the seconds of Retry-After, then send the same request with the same key."
    SAME = (
        "Send the same request with the same key: you get what was done, or it is done now. "
        "Without a key, read first whether it was done."
    )
    AGAIN = "Nothing was done. Send the same request again, with the same key."
    STOP = (
        "Do not repeat it; tell a person. When the reason is gone, send the same request with the "
        "same key."
    )
    READ = "Do not repeat it. Read the record, and go on from its status."
    PAYER = "Do not repeat it as it is. Ask the payer for other data or another method."
    LATER = (
        "Do not repeat it at once. When there is money, send the same request with the same key."
    )
    NEW_KEY = (
        "Do not change the key and send it again: it may have been done. Read what the first "
        "request did; a new key is for a new operation."
    )


@dataclass(frozen=True, slots=True)
class Remedy:
    """The likely cause of an error, and what the program does."""

    cause: str
    then: Then


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
    remedies     {the same codes: why it happens, and what the program does}.
    magic_title  its section of docs/simulator.md with a table of magic values, if there is one, and
                 `magic_key` what has such a value.
    """

    tag: str
    text: str
    examples: tuple[Example, ...]
    advice: Mapping[str, str] = field(default_factory=dict)
    remedies: Mapping[str, Remedy] = field(default_factory=dict)
    magic_title: str = ""
    magic_key: str = ""

    @property
    def slug(self) -> str:
        """The anchor of its part of the page."""
        return self.tag.lower().replace(" ", "-")
