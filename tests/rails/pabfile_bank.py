"""An account that pays by files, for the conformance suite. Its other side is the bank, which a
statement speaks for.
"""

from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.db import OperationalError

from payments.core import clock, ids
from payments.payment_files.models import BatchLine
from payments.payment_files.services import bank_debits, queue
from payments.providers.ports import PayoutRequest
from tests.rails.accounts import enter
from tests.rails.simulator import _refund as refund
from tests.simulator.conftest import payout

CODE = "pabfile"
BANCOLOMBIA = "000001007"
CREDENTIALS = {
    "bank_code": "1007",
    "account_number": "12345678901",
    "account_type": "SAVINGS",
    "document": "900123456",
    "payment_class": "220",
    "application": "I",
    "purpose": "PASARELA",
}
BENEFICIARY = {
    "network": "BANK",
    "bank_code": BANCOLOMBIA,
    "account_type": "SAVINGS",
    "account_number": "12345678902",
    "recipient_name": "Lucía Ñáñez",
    "document_type": "CC",
    "document_number": "1020304050",
}


class FakeServer:
    """Nothing is between the adapter and its tables but the database, which may be away."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        self.monkeypatch = monkeypatch
        enter(CODE, CODE, "", CREDENTIALS)

    def close(self) -> None:
        pass

    @contextmanager
    def away(self):
        def refuse(**_: Any) -> None:
            raise OperationalError

        with self.monkeypatch.context() as patch:
            patch.setattr(queue, "find_line", refuse)
            yield

    @contextmanager
    def losing_answers(self):
        add_line = queue.add_line

        def lose(**given: Any) -> None:
            add_line(**given)
            raise OperationalError

        with self.monkeypatch.context() as patch:
            patch.setattr(queue, "add_line", lose)
            yield

    def payment(self, product: str, **changes: Any) -> PayoutRequest:
        if product == "refund":
            return refund(destination=BENEFICIARY, **changes)
        return payout(reference=ids.new_id("por"), bank_code=BANCOLOMBIA, **changes)

    def complete(self, product: str, reference: str) -> None:
        """The bank got the file, and its statement shows the debit."""
        line = BatchLine.objects.get(reference=reference)
        BatchLine.objects.filter(pk=line.pk).update(handed_over_at=clock.now())
        bank_debits.apply_debit(
            line=line,
            amount=line.amount,
            booked_on=clock.now().date(),
            source=f"test:{line.code}",
            now=clock.now(),
        )
