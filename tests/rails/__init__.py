"""One fake server for each rail: the other side of its wire, in the hands of a test.

The conformance suite (tests/providers/test_conformance.py) finds `tests.rails.<code>.FakeServer`,
or the class of a provider whose accounts operators enter by its table SERVERS.
"""

from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

import pytest

from payments.providers.ports import Callback, ChargeRequest, Rail


class FakeServer(Protocol):
    """What the conformance suite asks of the other side.

    A rail without payins leaves `charge` and `pay` out, one that sends no money the next two, and
    one without disputes the last.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None: ...

    def close(self) -> None:
        """Ends what the fake has started."""

    def away(self) -> AbstractContextManager[Any]:
        """No call reaches the rail. Left out without a wire."""

    def losing_answers(self) -> AbstractContextManager[Any]:
        """Calls are carried out, and their answers do not come back. Left out without a wire."""

    def garbling_answers(self) -> AbstractContextManager[Any]:
        """Calls are carried out, and their answers make no sense. Left out without a wire."""

    def slow_answers(self, seconds: float) -> AbstractContextManager[Any]:
        """Each call waits so long before it is carried out. Left out without a wire."""

    def dying_between_calls(self) -> AbstractContextManager[Any]:
        """The process is killed before the call that makes a payment. Left out with one call."""

    def made_for(self, reference: str) -> int:
        """How many payments the rail has. With `dying_between_calls`."""

    def lagging_lists(self) -> AbstractContextManager[Any]:
        """Queries by the reference find nothing yet. Left out where they always find it."""

    def charge(self, method: Rail, **changes: Any) -> ChargeRequest:
        """An ordinary request, with a reference of its own."""

    def pay(self, reference: str) -> Callback | None:
        """The payer pays the whole amount, and it is final. None if the rail sends no callbacks."""

    def payment(self, product: str, **changes: Any) -> Any:
        """An ordinary request of a payout, topup, bill or refund, with a reference of its own."""

    def complete(self, product: str, reference: str) -> Callback | None:
        """The payment reaches its beneficiary, if it has not yet. None without callbacks."""

    def contest(self, charge_reference: str) -> Callback:
        """The payer opens a dispute."""
