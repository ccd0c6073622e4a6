"""An operator's bank account for the conformance suite: what it receives is in a statement."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from payments.core import clock, ids
from payments.providers.ports import ChargeRequest, Rail
from payments.reconciliation.models import AwaitedTransfer
from payments.reconciliation.references import new_reference
from payments.reconciliation.services.matching import due_lines
from tests.rails.accounts import enter
from tests.reconciliation.lines import CREDENTIALS, add_line, own_account
from tests.simulator.conftest import charge

CODE = "bankfile"


class FakeServer:
    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.account = own_account()
        enter(CODE, CODE, "", CREDENTIALS)

    def close(self) -> None:
        pass

    def charge(self, method: Rail, **changes: Any) -> ChargeRequest:
        reference = new_reference(ids.new_id("chg"))
        return replace(charge(method), **{"reference": reference, **changes})

    def pay(self, reference: str) -> None:
        awaited = AwaitedTransfer.objects.get(account=CODE, reference=reference)
        add_line(self.account, awaited.amount, reference=reference)
        due_lines.match_due(now=clock.now())
