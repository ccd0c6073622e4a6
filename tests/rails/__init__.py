"""One fake server for each rail: the other side of its wire, in the hands of a test.

The conformance suite (tests/providers/test_conformance.py) finds `tests.rails.<code>.FakeServer`.
"""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import pytest

from payments.providers.ports import ChargeRequest, Rail


class Callback(NamedTuple):
    """A message of the rail as it comes over the wire."""

    headers: dict[str, str]
    body: bytes


class FakeServer(Protocol):
    """What the conformance suite asks of the other side.

    A rail without payins leaves `charge` and `pay` out, one that sends no money the next two, and
    one without disputes the last.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None: ...

    def close(self) -> None:
        """Ends what the fake has started."""

    def away(self) -> AbstractContextManager[Any]:
        """No call reaches the rail."""

    def losing_answers(self) -> AbstractContextManager[Any]:
        """Calls are carried out, and their answers do not come back."""

    def charge(self, method: Rail, **changes: Any) -> ChargeRequest:
        """An ordinary request, with a reference of its own."""

    def pay(self, reference: str) -> Callback:
        """The payer pays the whole amount, and it is final."""

    def payment(self, product: str, **changes: Any) -> Any:
        """An ordinary request of a payout, topup, bill or refund, with a reference of its own."""

    def complete(self, product: str, reference: str) -> Callback:
        """The payment reaches its beneficiary, if it has not yet."""

    def contest(self, charge_reference: str) -> Callback:
        """The payer opens a dispute."""
