"""A rail with what is uncommon, and its fake server.

It takes references of digits only. Each payment needs two calls, the first of which makes a ticket
that cannot be paid by itself, and which makes another ticket each time. The rail is queried about
payins by their ticket only. Its callbacks carry the id of the payment in the query string, which
the signature covers, and want an answer of their own.
"""

import hashlib
import hmac
import secrets
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, ClassVar

import pytest

from payments.core import clock, ids
from payments.providers.declaration import RailDeclaration, Refunds
from payments.providers.ports import (
    ZERO,
    Bank,
    Callback,
    CallbackAnswer,
    ChargeRequest,
    ChargeStarted,
    ChargeStatus,
    ChargeUpdate,
    DirectMethod,
    Flow,
    Hint,
    InvalidCallback,
    Known,
    OutgoingReason,
    OutgoingState,
    OutgoingUpdate,
    PayerNeeds,
    PayoutBank,
    PayoutNetwork,
    PayoutRequest,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    Rail,
    Reason,
    Term,
)
from tests.rails.outages import Outages
from tests.simulator.conftest import charge, payout

CODE = "ferry"
SECRET = b"ferry-secret"
SIGNATURE_HEADER = "X-Ferry-Signature"
TICKET = "ticket"


class Killed(BaseException):
    """The process ends here."""


class FerryRail:
    """What both adapters share."""

    code: ClassVar[str] = CODE
    server: ClassVar["FakeServer"]

    def read_callback(self, callback: Callback, now: datetime) -> Hint:
        number = callback.parameter("data.id")
        parts = dict(
            part.partition("=")[::2] for part in callback.header(SIGNATURE_HEADER).split(",")
        )
        expected = sign(number, parts.get("ts", "")).encode()
        given = parts.get("v1", "").encode("utf-8", "replace")
        if not number or not hmac.compare_digest(expected, given):
            raise InvalidCallback("signature does not match")
        return Hint(provider_id=number)


class FerryPayin(FerryRail):
    """Implements PayinPort and FindsReference."""

    def banks(self) -> tuple[Bank, ...]:
        return ()

    def terms(self) -> tuple[Term, ...]:
        return ()

    def direct_methods(self) -> tuple[DirectMethod, ...]:
        return ()

    def start(self, request: ChargeRequest, timeout: float) -> ChargeStarted:
        if timeout <= 0:
            raise ProviderUnreachable("there is no time left")
        found = self.server.board(self._ticket(request), request.reference)
        return ChargeStarted(
            provider_id=found["id"],
            flow=Flow.INSTRUCTIONS,
            instructions={"bank": "Ferry", "reference": found["reference"]},
            expires_at=datetime.fromisoformat(found["until"]),
        )

    def query(self, known: Known) -> ChargeUpdate:
        found = self.server.by_ticket(known.state.get(TICKET, ""))
        is_paid = found.get("status") == "paid"
        status = ChargeStatus.SUCCEEDED if is_paid else ChargeStatus.PENDING
        return ChargeUpdate(
            reference=known.reference,
            provider_id=found.get("id", ""),
            status=status if found else ChargeStatus.UNKNOWN,
            received=Decimal(found["amount"]) if is_paid else ZERO,
            currency="COP" if found else "",
            occurred_at=clock.now(),
        )

    def find_reference(self, provider_id: str) -> str:
        return self.server.by_id(provider_id).get("reference", "")

    def _ticket(self, request: ChargeRequest) -> str:
        """Without an answer there is no payment, whatever the rail did."""
        if ticket := request.state.get(TICKET):
            return str(ticket)
        if request.amount <= 0:
            raise ProviderRefused(Reason.INVALID_REQUEST, "There is nothing to pay.")
        ticket = self.server.new_ticket(request.amount, request.expires_at)
        request.save({TICKET: ticket})
        return ticket


class FerryPayout(FerryRail):
    """Implements PayoutPort. The ticket is the beneficiary, and the payout has our reference."""

    def networks(self) -> frozenset[PayoutNetwork]:
        return frozenset(PayoutNetwork)

    def payout_banks(self) -> tuple[PayoutBank, ...]:
        return ()

    def send(self, request: PayoutRequest, timeout: float) -> OutgoingUpdate:
        if request.amount <= 0:
            raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "There is nothing to send.")
        if not (ticket := request.state.get(TICKET)):
            ticket = self.server.new_ticket(request.amount, clock.now())
            request.save({TICKET: ticket})
        return _update(self.server.board(str(ticket), request.reference))

    def query(self, known: Known) -> OutgoingUpdate:
        if found := self.server.by_reference(known.reference):
            return _update(found)
        return OutgoingUpdate(
            reference=known.reference,
            provider_id="",
            state=OutgoingState.UNKNOWN,
            occurred_at=clock.now(),
        )

    def find_reference(self, provider_id: str) -> str:
        return self.server.by_id(provider_id).get("reference", "")


def _update(found: dict[str, str]) -> OutgoingUpdate:
    is_paid = found["status"] == "paid"
    return OutgoingUpdate(
        reference=found["reference"],
        provider_id=found["id"],
        state=OutgoingState.COMPLETED if is_paid else OutgoingState.PENDING,
        amount=Decimal(found["amount"]),
        occurred_at=clock.now(),
    )


def digits(reference: str) -> str:
    """21 digits by chance."""
    return str(10**20 + secrets.randbelow(9 * 10**20))


def sign(number: str, moment: str) -> str:
    manifest = f"id:{number};ts:{moment};".encode("utf-8", "replace")
    return hmac.new(SECRET, manifest, hashlib.sha256).hexdigest()


RAIL = RailDeclaration(
    code=CODE,
    payin=FerryPayin(),
    outgoing={"payout": FerryPayout()},
    payer_needs={Rail.BANK_TRANSFER: PayerNeeds()},
    refunds=Refunds.PAYOUT,
    reference_pattern=r"\d{1,21}",
    wire_reference=digits,
    callback_answer=CallbackAnswer(body=b'{"status":"Confirm"}', content_type="text/json"),
)


class FakeServer(Outages):
    """The ferry itself."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path | None = None) -> None:
        self.tickets: dict[str, dict[str, str]] = {}
        self.payments: dict[str, dict[str, str]] = {}  # by ticket
        self.is_deadly = False
        monkeypatch.setattr(FerryRail, "server", self, raising=False)

    def new_ticket(self, amount: Decimal, until: datetime) -> str:
        """The first call. Each one makes another ticket."""
        self._check_reached()
        ticket = f"ticket-{len(self.tickets) + 1}"
        self.tickets[ticket] = {"amount": str(amount), "until": until.isoformat()}
        return ticket

    def board(self, ticket: str, reference: str) -> dict[str, str]:
        """The second call. One ticket is one payment."""
        self._check_reached()
        if self.is_deadly:
            raise Killed
        if ticket not in self.payments:
            facts = {"id": f"f-{len(self.payments) + 1}", "reference": reference, "status": "open"}
            self.payments[ticket] = facts | self.tickets[ticket]
        if self.is_losing:
            raise ProviderTimeout("no answer")
        return self.payments[ticket]

    def by_ticket(self, ticket: str) -> dict[str, str]:
        self._check_reached()
        return self.payments.get(ticket, {})

    def by_reference(self, reference: str) -> dict[str, str]:
        self._check_reached()
        return next(iter(self._named(reference)), {})

    def by_id(self, number: str) -> dict[str, str]:
        self._check_reached()
        return next((one for one in self.payments.values() if one["id"] == number), {})

    def made_for(self, reference: str) -> int:
        return len(self._named(reference))

    def _named(self, reference: str) -> list[dict[str, str]]:
        return [one for one in self.payments.values() if one["reference"] == reference]

    def _check_reached(self) -> None:
        if self.is_away:
            raise ProviderUnreachable("nothing listens there")

    def close(self) -> None:
        """One reference is one payment."""
        names = [one["reference"] for one in self.payments.values()]
        assert len(names) == len(set(names))

    @contextmanager
    def dying_between_calls(self):
        self.is_deadly = True
        with pytest.raises(Killed):
            yield
        self.is_deadly = False

    def charge(self, method: Rail, **changes: Any) -> ChargeRequest:
        return replace(charge(method), **{"reference": digits(ids.new_id("chg")), **changes})

    def payment(self, product: str, **changes: Any) -> PayoutRequest:
        return payout(**{"reference": digits(ids.new_id("por")), **changes})

    def pay(self, reference: str) -> Callback:
        (found,) = self._named(reference)
        found["status"] = "paid"
        moment = str(int(clock.now().timestamp()))
        headers = {SIGNATURE_HEADER: f"ts={moment},v1={sign(found['id'], moment)}"}
        return Callback(headers, b"{}", query=f"data.id={found['id']}&type=payment")

    def complete(self, product: str, reference: str) -> Callback:
        return self.pay(reference)
