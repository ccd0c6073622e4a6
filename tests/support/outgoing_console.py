"""Top-ups and bill payments as merchants ask for them, for the tests of their console pages."""

import itertools
import secrets
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import time_machine

from payments.bills.models import BillPayment
from payments.bills.services.engine import engine as bills_engine
from payments.core import clock
from payments.outgoing.engine import Engine
from payments.outgoing.models import OutgoingPayment
from payments.providers.ports import OutgoingState
from payments.simulator import control
from payments.simulator.magic import OUTGOING_BY_KEY, OutgoingProduct
from payments.topup.models import TopUp
from payments.topup.services.engine import engine as topup_engine
from tests.admin.conftest import new_key
from tests.support.fixtures import ApiClient

AGREEMENT, NAME = 1001, "Acueducto de Ejemplo"
PHONE = "3001234567"
_serial = itertools.count(1)


@dataclass(frozen=True)
class Scene:
    """One product: its model, its pages (app_model), its engine."""

    product: OutgoingProduct
    model: Any
    pages: str
    engine: Engine[Any]

    def magic(self, name: str) -> str:
        """The phone, or the beginning of a reference, that makes the simulator misbehave."""
        found = {row.name: key for key, row in OUTGOING_BY_KEY[self.product].items()}
        return found[name]

    def make(self, api: ApiClient, magic: str = "", key: str = "", **changes: Any) -> Any:
        """A payment over the API; an ordinary one is completed at once."""
        path, body = self._topup(magic) if self.model is TopUp else self._bill(api, magic)
        headers = {"Idempotency-Key": key or new_key()}
        answer = api.post(path, {**body, **changes}, headers=headers)
        assert answer.status_code == 201, answer.content
        return self.model.objects.get(pk=answer.body["data"]["id"])

    def _topup(self, magic: str) -> tuple[str, dict[str, Any]]:
        phone = self.magic(magic) if magic else PHONE
        return "/topup", {"phone": phone, "operatorCode": "claro", "amountCop": 20_000}

    def _bill(self, api: ApiClient, magic: str) -> tuple[str, dict[str, Any]]:
        # The simulator's books outlive a test: a reference that was never paid.
        fresh = f"{next(_serial)}{secrets.randbelow(10**9):09d}"
        debt = {"agreementId": AGREEMENT, "reference": (self.magic(magic) if magic else "") + fresh}
        owed = api.post("/bills/check", debt).body["data"]["products"][0]
        return "/bills/pay", {**debt, "amountCop": owed["amount"]}

    def contradict(self, payment: Any) -> None:
        """The rail says that it was paid, whatever we believe."""
        completes(payment)
        update = control.refresh_outgoing(payment.provider_reference).update
        self.engine.apply_update(provider=payment.provider, update=update, now=clock.now())

    def doubtful(self, api: ApiClient) -> Any:
        """At the rail since yesterday; its result is unknown."""
        with time_machine.travel(clock.now() - timedelta(days=1)):
            payment = self.make(api, "pending")
        self.model.objects.filter(pk=payment.pk).update(needs_operator=True)
        payment.refresh_from_db()
        assert payment.status == "PROCESSING"
        return payment


SCENES = {
    "topup": Scene(OutgoingProduct.TOPUP, TopUp, "topup_topup", topup_engine),
    "bill": Scene(OutgoingProduct.BILL, BillPayment, "bills_billpayment", bills_engine),
}


def completes(payment: OutgoingPayment) -> None:
    """The rail has paid it, and may say so."""
    control.resolve(payment.provider_reference, OutgoingState.COMPLETED)
