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
    ProviderUnreachable,
    Rail,
    Reason,
)
from payments.simulator import CODE, callbacks, control, direct, failures, magic, store
from payments.simulator.banks import BANK_CODES, BANKS
from payments.simulator.instructions import COINS, instructions_for
from payments.simulator.magic import ChargeBehaviour
from payments.simulator.records import OPEN_LIMIT, PAY_LIMIT, PUSH_LIMIT, ChargeRecord

LIMITS = {Flow.REDIRECT: OPEN_LIMIT + PAY_LIMIT, Flow.PUSH: PUSH_LIMIT}


class SimulatorPayin:
    """Implements PayinPort. How it can be made to misbehave is in docs/simulator.md."""

    code: ClassVar[str] = CODE

    def banks(self) -> tuple[Bank, ...]:
        return BANKS

    def direct_methods(self) -> tuple[DirectMethod, ...]:
        return direct.methods()

    def start(self, request: ChargeRequest) -> ChargeStarted:
        """Stores the charge, or finds it in the store: the first response stands."""
        failures.check_outage()
        if (known := store.charges.by_reference(request.reference)) is not None:
            return _started(known)
        behaviour = magic.for_charge(request)
        # Only calls that can be lost are counted.
        number = store.count_call(request.reference, "start") if behaviour.lost_calls else 1
        failures.fail_on_the_way(behaviour, number)
        _refuse(request)
        record, _ = store.charges.insert(_record(request, behaviour, clock.now()))
        failures.lose_response(behaviour)
        return _started(record)

    def query(self, reference: str) -> ChargeUpdate:
        failures.check_outage()
        try:
            record = control.refresh_charge(reference)
        except control.UnknownReference:
            return _unknown(reference)
        unanswered = record.behaviour.unanswered_queries
        if unanswered and store.count_call(reference, "query") <= unanswered:
            raise ProviderUnreachable("The simulator does not answer queries (magic value).")
        return record.update

    def read_callback(self, headers: Mapping[str, str], body: bytes, now: datetime) -> ChargeUpdate:
        return callbacks.read(ChargeUpdate, headers, body, now)


def page_url(record: ChargeRecord) -> str:
    path = reverse(f"simulator:{record.page}", args=[record.provider_id])
    return f"{settings.PUBLIC_URL}{path}"


def _refuse(request: ChargeRequest) -> None:
    if request.direct_method and not direct.is_valid(request):
        raise ProviderRefused(Reason.INVALID_REQUEST, "There is no such method, or it lacks data.")
    is_pse = request.method is Rail.PSE and request.direct_method in ("", direct.PSE)
    if is_pse and request.fields.get("bankCode") not in BANK_CODES:
        raise ProviderRefused(Reason.INVALID_REQUEST, "There is no bank with this code.")
    if (request.method is Rail.CRYPTO) != (request.currency in COINS):
        raise ProviderRefused(Reason.INVALID_REQUEST, "This rail does not carry this currency.")
    if request.amount <= 0:
        raise ProviderRefused(Reason.INVALID_REQUEST, "There is nothing to pay.")


def _record(request: ChargeRequest, behaviour: ChargeBehaviour, now: datetime) -> ChargeRecord:
    provider_id = ids.new_id("sim")
    flow = direct.flow_of(request)
    decided_after = behaviour.after_seconds if behaviour.outcome else None
    return ChargeRecord(
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
        open_until=now + OPEN_LIMIT if flow is Flow.REDIRECT else None,
        expires_at=now + LIMITS[flow] if flow in LIMITS else request.expires_at,
        # A debit is numbered when it begins; deposits when they arrive.
        trace_code=f"{secrets.randbelow(10**10):010d}" if flow.is_debit else "",
    )


def _started(record: ChargeRecord) -> ChargeStarted:
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
