"""The payin port of the simulator: PSE, bank transfer, coins, and the methods of direct.py."""

import secrets
from datetime import datetime, timedelta
from typing import ClassVar

from django.conf import settings
from django.urls import reverse

from payments.core import clock, ids
from payments.providers import ports
from payments.simulator import CODE, callbacks, control, direct, failures, magic, store
from payments.simulator.banks import BANK_CODES, BANKS
from payments.simulator.instructions import COINS, instructions_for
from payments.simulator.magic import ChargeBehaviour
from payments.simulator.records import OPEN_LIMIT, PAY_LIMIT, PUSH_LIMIT, ChargeRecord

LIMITS = {ports.Flow.REDIRECT: OPEN_LIMIT + PAY_LIMIT, ports.Flow.PUSH: PUSH_LIMIT}


class SimulatorPayin:
    """Implements PayinPort. docs/simulator.md lists the failures that it can simulate."""

    code: ClassVar[str] = CODE

    def banks(self) -> tuple[ports.Bank, ...]:
        return BANKS

    def terms(self) -> tuple[ports.Term, ...]:
        return ()

    def direct_methods(self) -> tuple[ports.DirectMethod, ...]:
        return direct.methods()

    def start(self, request: ports.ChargeRequest, timeout: float) -> ports.ChargeStarted:
        """A repeated call gets the first response again."""
        failures.check_time(timeout)
        failures.check_outage()
        if (known := store.charges.by_reference(request.reference)) is not None:
            return _started(known)
        behaviour = magic.for_charge(request)
        # Calls are counted only for magic values that lose calls.
        number = store.count_call(request.reference, "start") if behaviour.lost_calls else 1
        failures.fail_on_the_way(behaviour, number)
        if fault := _fault(request):
            raise ports.ProviderRefused(ports.Reason.INVALID_REQUEST, fault)
        record, _ = store.charges.insert(_record(request, behaviour, clock.now()))
        failures.lose_response(behaviour)
        return _started(record)

    def query(self, known: ports.Known) -> ports.ChargeUpdate:
        reference = known.reference
        failures.check_outage()
        try:
            record = control.refresh_charge(reference)
        except control.UnknownReference:
            return _unknown(reference)
        unanswered = record.behaviour.unanswered_queries
        if unanswered and store.count_call(reference, "query") <= unanswered:
            raise ports.ProviderUnreachable("The simulator does not answer queries (magic value).")
        return record.update

    def read_callback(self, callback: ports.Callback, now: datetime) -> ports.ChargeUpdate:
        return callbacks.read(ports.ChargeUpdate, callback, now)


def page_url(record: ChargeRecord) -> str:
    path = reverse(f"simulator:{record.page}", args=[record.provider_id])
    return f"{settings.PUBLIC_URL}{path}"


def _fault(request: ports.ChargeRequest) -> str:
    """Why the rail cannot take the request; empty if it can."""
    if request.direct_method and not direct.is_valid(request):
        return "There is no such method, or it lacks data."
    is_pse = request.method is ports.Rail.PSE and request.direct_method in ("", direct.PSE)
    if is_pse and request.fields.get("bankCode") not in BANK_CODES:
        return "There is no bank with this code."
    if (request.method is ports.Rail.CRYPTO) != (request.currency in COINS):
        return "This rail does not carry this currency."
    return "" if request.amount > 0 else "There is nothing to pay."


def _record(
    request: ports.ChargeRequest, behaviour: ChargeBehaviour, now: datetime
) -> ChargeRecord:
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
        merchant_legal_name=request.merchant_legal_name,
        merchant_nit=request.merchant_nit,
        bank_code=request.fields.get("bankCode", ""),
        return_url=request.return_url,
        callback_url=request.callback_url,
        instructions=instructions_for(request, flow, provider_id),
        magic=behaviour.name,
        started_at=now,
        changed_at=now,
        due_at=None if decided_after is None else now + timedelta(seconds=decided_after),
        open_until=now + OPEN_LIMIT if flow is ports.Flow.REDIRECT else None,
        expires_at=now + LIMITS[flow] if flow in LIMITS else request.expires_at,
        # A debit gets its number at its start, a deposit when it arrives.
        trace_code=f"{secrets.randbelow(10**10):010d}" if flow.is_debit else "",
    )


def _started(record: ChargeRecord) -> ports.ChargeStarted:
    is_redirect = record.flow is ports.Flow.REDIRECT
    # The page where a developer plays the payer. Real rails have none.
    where = {} if is_redirect else {"simulatorUrl": page_url(record)}
    return ports.ChargeStarted(
        provider_id=record.provider_id,
        flow=record.flow,
        redirect_url=page_url(record) if is_redirect else None,
        key_value=record.instructions.get("keyValue"),
        instructions={**record.instructions, **where},
        expires_at=record.expires_at,
    )


def _unknown(reference: str) -> ports.ChargeUpdate:
    return ports.ChargeUpdate(
        reference=reference,
        provider_id="",
        status=ports.ChargeStatus.UNKNOWN,
        received=ports.ZERO,
        currency="",
        occurred_at=clock.now(),
    )
