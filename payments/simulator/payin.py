"""The payin port of the simulator: PSE, bank transfer, coins, and the methods of direct.py."""

import secrets
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.urls import reverse

from payments.core import clock, ids
from payments.providers.ports import (
    ZERO,
    Bank,
    ChargeRequest,
    ChargeStarted,
    ChargeStatus,
    ChargeUpdate,
    DirectMethod,
    Flow,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnavailable,
    Rail,
    Reason,
)
from payments.providers.registry import SIMULATOR
from payments.simulator import books, callbacks, control, direct, magic, outage
from payments.simulator.banks import BANKS
from payments.simulator.books import Record
from payments.simulator.instructions import COINS, instructions_for
from payments.simulator.magic import Start

LIMITS = {Flow.REDIRECT: control.OPEN_LIMIT + control.PAY_LIMIT, Flow.PUSH: control.PUSH_LIMIT}
_BANK_CODES = {bank.code for bank in BANKS}


class SimulatorPayin:
    """Implements PayinPort. How it can be made to misbehave is in docs/simulator.md."""

    code: ClassVar[str] = SIMULATOR

    def banks(self) -> tuple[Bank, ...]:
        """The banks of PSE, by name."""
        return BANKS

    def direct_methods(self) -> tuple[DirectMethod, ...]:
        """The methods of the Direct API (docs/simulator.md)."""
        return direct.methods()

    def start(self, request: ChargeRequest) -> ChargeStarted:
        """Writes the charge into the books, or finds it there: the first answer stands."""
        outage.check()
        if (known := books.by_reference(request.reference)) is not None:
            return _started(known)
        behaviour = magic.of(request)
        _refuse(request, behaviour)
        if behaviour.start is Start.UNAVAILABLE:
            raise ProviderUnavailable("The simulator is away (magic value).")
        # Only the first call is lost: the second finds the line mended, and may start the charge.
        lost = behaviour.start is Start.LOST_BEFORE
        if lost and books.count_call(request.reference, "start") == 1:
            raise ProviderTimeout("The request was lost (magic value).")
        record = books.insert(_record(request, behaviour, clock.now()))
        if behaviour.start is Start.LOST_AFTER:
            raise ProviderTimeout("The answer was lost (magic value).")
        return _started(record)

    def query(self, reference: str) -> ChargeUpdate:
        """How the charge stands after the passing of time."""
        outage.check()
        try:
            record, _ = control.look(reference)
        except control.UnknownCharge:
            return _unknown(reference)
        unanswered = magic.BY_NAME[record.magic].unanswered_queries
        if unanswered and books.count_call(reference, "query") <= unanswered:
            raise ProviderUnavailable("The simulator does not answer questions (magic value).")
        return control.update_of(record)

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> ChargeUpdate:
        """Verifies the simulator's signature and its age, then parses."""
        return callbacks.read(headers, body, now)


def page_url(record: Record) -> str:
    """The page of the simulator where this charge is paid or its deposit is played."""
    path = reverse(f"simulator:{record.page}", args=[record.provider_id])
    return f"{settings.PUBLIC_URL}{path}"


def _refuse(request: ChargeRequest, behaviour: magic.Magic) -> None:
    if behaviour.start is Start.REFUSED:
        raise ProviderRefused(behaviour.reason, "Refused at start (magic value).")
    if request.direct_method and not direct.makes_sense(request):
        raise ProviderRefused(Reason.INVALID_REQUEST, "There is no such method, or it lacks data.")
    is_pse = request.method is Rail.PSE and request.direct_method in ("", direct.PSE)
    if is_pse and request.fields.get("bankCode") not in _BANK_CODES:
        raise ProviderRefused(Reason.INVALID_REQUEST, "There is no bank with this code.")
    if (request.method is Rail.CRYPTO) != (request.currency in COINS):
        raise ProviderRefused(Reason.INVALID_REQUEST, "This rail does not carry this currency.")
    if request.amount <= 0:
        raise ProviderRefused(Reason.INVALID_REQUEST, "There is nothing to pay.")


def _record(request: ChargeRequest, behaviour: magic.Magic, now: datetime) -> Record:
    provider_id = ids.new_id("sim")
    flow = direct.flow_of(request)
    decided_after = behaviour.after_seconds if behaviour.outcome else None
    return Record(
        reference=request.reference,
        provider_id=provider_id,
        rail=request.method,
        flow=flow,
        direct_method=request.direct_method,
        amount=request.amount,
        currency=request.currency,
        description=request.description,
        merchant_name=request.merchant_name,
        bank_code=request.fields.get("bankCode", ""),
        return_url=request.return_url,
        callback_url=request.callback_url,
        instructions=instructions_for(request, flow, provider_id),
        magic=behaviour.name,
        started_at=now,
        changed_at=now,
        due_at=None if decided_after is None else now + timedelta(seconds=decided_after),
        open_until=now + control.OPEN_LIMIT if flow is Flow.REDIRECT else None,
        expires_at=now + LIMITS[flow] if flow in LIMITS else request.expires_at,
        # A debit is numbered when it begins; deposits when they arrive.
        trace_code=f"{secrets.randbelow(10**10):010d}" if flow.is_debit else "",
    )


def _started(record: Record) -> ChargeStarted:
    is_redirect = record.flow is Flow.REDIRECT
    # Real rails have no such address: it is where a developer plays the payer.
    where = {} if is_redirect else {"simulatorUrl": page_url(record)}
    return ChargeStarted(
        provider_id=record.provider_id,
        flow=record.flow,
        redirect_url=page_url(record) if is_redirect else None,
        key_value=record.instructions.get("keyValue"),
        instructions={**record.instructions, **where},
        expires_at=record.expires_at,
    )


def _unknown(reference: str) -> ChargeUpdate:
    return ChargeUpdate(
        reference=reference,
        provider_id="",
        status=ChargeStatus.UNKNOWN,
        received=ZERO,
        currency="",
        occurred_at=clock.now(),
    )
