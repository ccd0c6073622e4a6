"""The call that starts a charge at its provider, and the recording of its result.

The call is idempotent: the charge's reference is the provider's idempotency key. So a doubtful call
can be repeated, when the payer clicks again, or by reconciliation.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import partial

import structlog
from django.conf import settings
from django.db import transaction

from merchants.legal import services as legal
from payments.collect.models import Charge, Order
from payments.collect.services.charges import charge_updates, payin_accounts, start_calls
from payments.collect.services.errors import AmountTooSmall, ChargeRefused, ProviderUnavailable
from payments.collect.services.orders.lookup import lock_order
from payments.core import states
from payments.core.reasons import MoveReason, ReasonCode
from payments.core.request_clock import RequestClock
from payments.providers import breaker, http, ports, registry
from payments.rails.services import accounts, health, rail_lists, routing
from payments.rails.services.callback_urls import callback_url

log = structlog.get_logger(__name__)
PAYER = "payer"
Status = Order.Status


def start_at_provider(*, charge: Charge, now: datetime, is_first: bool) -> Charge:
    """Starts the committed charge at its provider and records the result.

    An account that cannot be reached has not got the charge, so the next account is tried. After a
    doubtful response no other account is tried, and the charge stays STARTING. While another
    call is under way, this one does not call. Never call it inside a transaction. Raises
    ChargeRefused and ProviderUnavailable.
    """
    clock = RequestClock(now)
    if not is_first and charge.status == Charge.Status.STARTING:
        charge = start_calls.claim_repetition(charge, now)
        if charge.status != Charge.Status.STARTING:
            return charge
    try:
        return _start_anywhere(charge, clock, is_first=is_first)
    except (ChargeRefused, ProviderUnavailable):
        start_calls.end(charge)
        raise


def _start_anywhere(charge: Charge, clock: RequestClock, *, is_first: bool) -> Charge:
    """All calls together take CHARGE_START_SECONDS at most, because the payer is waiting."""
    others = _other_accounts(charge) if is_first else iter(())
    ends = clock.passed_seconds() + settings.CHARGE_START_SECONDS
    while True:
        try:
            started = _start(charge, ends - clock.passed_seconds())
        except ports.ProviderRefused as error:
            _record_not_started(charge, Charge.Status.FAILED, error.reason, clock.now())
            is_small = error.reason == ports.Reason.AMOUNT_TOO_SMALL
            raise (AmountTooSmall if is_small else ChargeRefused) from error
        except ports.ProviderUnreachable as error:
            if isinstance(error, ports.TermsChanged):
                rail_lists.forget(charge.provider)
            account = _next_account(others, ends - clock.passed_seconds())
            if account is not None and start_calls.move(charge, account, clock.now()):
                continue
            if is_first:  # otherwise an earlier call may have arrived
                reason = MoveReason(ReasonCode.NOT_REACHED)
                _record_not_started(charge, Charge.Status.ABANDONED, reason, clock.now())
            raise ProviderUnavailable from error
        except (ports.ProviderTimeout, ports.CallOvertaken) as error:
            log.warning("charge.start_doubtful", charge=charge.pk)
            raise ProviderUnavailable from error
        except registry.UnknownProvider as error:
            log.error("charge.without_account", charge=charge.pk, account=charge.provider)
            raise ProviderUnavailable from error
        except Exception as error:
            # A defect of the adapter, perhaps after the request was sent: in doubt, too.
            log.exception("charge.start_failed", charge=charge.pk)
            raise ProviderUnavailable from error
        else:
            return _record_started(charge, started, clock.now())


def _start(charge: Charge, timeout: float) -> ports.ChargeStarted:
    """An account that an operator has switched off gets no call, also no repetition."""
    product, account = registry.PAYIN.name, charge.provider
    method = charge.direct_method or charge.method
    routing.require_on(account)
    with (
        breaker.watch(routing.circuit(product, account)),
        health.measure(product, account, method),
    ):
        return registry.PAYIN.get(charge.provider).start(_request(charge), timeout)


def _next_account(others: Iterator[str], left: float) -> str | None:
    """None if less than a fifth of the time is left: our delay would count as the rail's failure.

    Reads the documents of other accounts from their rails.
    """
    if left < settings.CHARGE_START_SECONDS / 5:
        return None
    with http.limited_to(left):
        return next(others, None)


def _other_accounts(charge: Charge) -> Iterator[str]:
    """The accounts after the first. Read only when the first one cannot be reached.

    A bank that the payer chose has its code from the provider's own list, so such a charge stays
    with the provider. A coin stays on the network that the payer chose. An account that needs to
    know more of the payer is left out: the payer is not there to be asked.
    """
    method, first = charge.direct_method or charge.method, charge.provider
    table = payin_accounts.load_routes()
    others = [
        account
        for account in payin_accounts.accounts_for(charge.order, method, table, charge.fields)
        if account != first
        and ("bankCode" not in charge.fields or accounts.is_same_provider(first, account))
    ]
    payer = ports.Payer(**charge.payer)
    informed = payin_accounts.informed_accounts(others, method, payer, table)
    yield from payin_accounts.accepting_accounts(informed, charge.accepted_urls)


def _request(charge: Charge) -> ports.ChargeRequest:
    order = charge.order
    paid = legal.find(order.merchant)
    return ports.ChargeRequest(
        reference=charge.reference_at_rail,
        method=ports.Rail(charge.method),
        amount=charge.amount,
        currency=charge.currency,
        description=order.description or order.reference,
        payer=ports.Payer(**charge.payer),
        direct_method=charge.direct_method,
        fields=charge.fields,
        return_url=charge.return_url,
        callback_url=callback_url(registry.PAYIN.name, charge.provider),
        expires_at=charge.quote_expires_at or order.expires_at,
        merchant_name=order.merchant.name,
        merchant_legal_name=paid.legal_name if paid else "",
        merchant_nit=paid.nit if paid else "",
        client_ip=charge.client.get("ip", ""),
        user_agent=charge.client.get("user_agent", ""),
        accepted_terms=tuple(charge.accepted_urls),
        state=charge.provider_state,
        save=partial(start_calls.save_state, charge),
    )


@transaction.atomic
def _record_started(charge: Charge, started: ports.ChargeStarted, now: datetime) -> Charge:
    order = lock_order(charge.order_id)
    answered_by, charge = charge.provider, Charge.objects.select_for_update().get(pk=charge.pk)
    if charge.provider != answered_by:
        return _refuse_answer(charge, answered_by, now)
    if charge.is_answered:
        return charge  # another call was faster
    result = {
        "provider_id": started.provider_id,
        "flow": started.flow.value,
        "redirect_url": started.redirect_url or "",
        "key_value": started.key_value or "",
        "qr_text": started.qr_text,
        "qr_image": started.qr_image,
        "instructions": dict(started.instructions),
        "expires_at": started.expires_at,
    }
    if charge.status == Charge.Status.STARTING:
        delay = 1 if _is_way_missing(started) else settings.CHARGE_RECONCILE_DELAYS[0]
        result["reconcile_at"] = now + timedelta(seconds=delay)
        states.move(charge, Charge.Status.PENDING, now=now, actor=PAYER, reason="", **result)
        _show_progress(order, charge, now)
    else:  # its callback arrived before this response
        for name, value in result.items():
            setattr(charge, name, value)
        charge.save(update_fields=[*result, "updated_at"])
    return charge


def _is_way_missing(started: ports.ChargeStarted) -> bool:
    """Whether the rail sends the bank's page, or the code, later."""
    if started.flow is ports.Flow.QR:
        return not (started.qr_text or started.qr_image)
    return started.flow is ports.Flow.REDIRECT and not started.redirect_url


def _refuse_answer(charge: Charge, account: str, now: datetime) -> Charge:
    """The charge was moved while this account had the call: its answer is not the charge's.

    If the payer pays there, the money is unmatched (charge_updates.py).
    """
    log.error(
        "charge.answer_of_another_account",
        charge=charge.pk,
        answered=account,
        account=charge.provider,
    )
    if charge.status in Charge.OPEN:
        charge.reconcile_at = now
        charge.save(update_fields=["reconcile_at", "updated_at"])
    return charge


def _show_progress(order: Order, charge: Charge, now: datetime) -> None:
    """A debit moves the order to PROCESSING, other charges to WAITING_TRANSFER (docs/gaps.md)."""
    if order.is_final:
        return  # the order ended during the call; late money goes to unmatched funds
    target = Status.PROCESSING if charge.is_debit else Status.WAITING_TRANSFER
    reason = MoveReason(ReasonCode.STARTED, charge.direct_method or charge.method)
    others = Charge.objects.holding(order).exclude(pk=charge.pk)
    if order.status == Status.PROCESSING and target != order.status and others.exists():
        return
    if order.status != target:
        states.move(
            order, target, now=now, actor=PAYER, reason=reason, selected_method=charge.method
        )
    elif order.selected_method != charge.method:
        order.selected_method = charge.method
        order.save(update_fields=["selected_method", "updated_at"])


@transaction.atomic
def _record_not_started(charge: Charge, status: str, reason: str, now: datetime) -> None:
    lock_order(charge.order_id)
    current = Charge.objects.select_for_update().get(pk=charge.pk)
    # If another call has begun or was faster, its result counts.
    if current.status == Charge.Status.STARTING and start_calls.is_newest(charge, current):
        charge_updates.end_unpaid(current, status, reason, now)
