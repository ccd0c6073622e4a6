"""Wompi as a payout rail: one payout of ours is one batch with one transaction."""

import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import structlog

from payments.core import clock, jsontext
from payments.providers import http
from payments.providers.account import RailAccount
from payments.providers.http import RailAnswer
from payments.providers.ports import (
    Callback,
    Hint,
    Ignored,
    InvalidCallback,
    KeyHolder,
    Known,
    OutgoingReason,
    OutgoingState,
    OutgoingUpdate,
    PayoutBank,
    PayoutNetwork,
    PayoutRequest,
    ProviderError,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
)
from payments.providers.wompi import signatures
from payments.providers.wompi_payouts import balances, fees, keys
from payments.providers.wompi_payouts.client import (
    PayoutsClient,
    data_of,
    error_code,
    is_own_error,
    rows_of,
)

log = structlog.get_logger(__name__)
STATES = {
    "PENDING": OutgoingState.PENDING,
    "PROCESSING": OutgoingState.PENDING,
    "READY_TO_FILE": OutgoingState.PENDING,
    "ADDED_TO_FILE": OutgoingState.PENDING,
    "APPROVED": OutgoingState.COMPLETED,
    "FAILED": OutgoingState.FAILED,
    "REJECTED": OutgoingState.FAILED,
    "CANCELLED": OutgoingState.FAILED,
}
ACCOUNT_TYPES = {"SAVINGS": "AHORROS", "CHECKING": "CORRIENTE"}
# The idempotency key was used: the rail has the payout, or refused it before.
KEY_USED = ("EXC_022", "EXC_032")
# Our account at the rail is empty. The same payout can be sent when there is money again.
NO_FUNDS = "EXC_008"
REFUSALS = {"EXC_017": OutgoingReason.LIMIT_EXCEEDED, **keys.REFUSALS}
# Events have the code. A query returns only the text.
FAILURES = {
    "C01": OutgoingReason.ACCOUNT_CLOSED,
    "La cuenta no existe o está inactiva": OutgoingReason.ACCOUNT_CLOSED,
}
DEFINITE = (400, 404, 422)
DESCRIPTION_LENGTH = 40
PAYOUT_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
# What the state of a payout holds beside `provider_id`, the id of the batch: the version of the API
# that took it, and the id of its only transaction.
VERSION, TRANSACTION = "version", "transactionId"
# Payouts to a key may be known to v2 only.
VERSIONS = ("v1", "v2")


class WompiPayout:
    """Implements PayoutPort, ResolvesKeys and ReportsBalance for one account."""

    def __init__(self, account: RailAccount) -> None:
        self.code = account.slug
        self._account = account
        self._client = PayoutsClient(account)

    def networks(self) -> frozenset[PayoutNetwork]:
        return frozenset(PayoutNetwork)

    def payout_banks(self) -> tuple[PayoutBank, ...]:
        answer = self._client.get("/v1/banks", "wompi_payouts.banks")
        if not answer.is_success:
            raise ProviderTimeout(f"status {answer.status}")
        return tuple(
            PayoutBank(code=str(row["id"]), ach_code=str(row["achCode"]), name=str(row["name"]))
            for row in rows_of(answer)
            if row.get("achCode")
        )

    def resolve_key(self, key_type: str, key_value: str, timeout: float) -> KeyHolder:
        return keys.resolve(self._client, key_type, key_value, timeout)

    def balance(self) -> Decimal:
        return balances.read(self._client)

    def send(self, request: PayoutRequest, timeout: float) -> OutgoingUpdate:
        """The rail does not return the first response again.

        If it has the reference, it is queried.
        """
        with http.limited_to(timeout):
            return self._send(request, timeout)

    def _send(self, request: PayoutRequest, timeout: float) -> OutgoingUpdate:
        reference = to_wire(request.reference)
        version = "v2" if request.network is PayoutNetwork.BREB else "v1"
        body = {
            "reference": reference,
            "accountId": self._account.credentials["account_id"],
            "paymentType": "PROVIDERS",
            "transactions": [self._line(request, reference)],
        }
        answer = self._client.post(
            f"/{version}/payouts", body, reference=reference, timeout=timeout
        )
        if answer.is_success:
            return _accepted(request, answer, version)
        refusal = None if error_code(answer) in KEY_USED else _refusal(answer, reference)
        if isinstance(refusal, ProviderTimeout | ProviderUnreachable):
            raise refusal
        # Queried after other refusals, too: an earlier call may have arrived with this reference.
        known = self._find_known(request)
        if known.state is not OutgoingState.UNKNOWN:
            return known
        raise refusal or ProviderTimeout("the rail has the key and does not show the payout")

    def query(self, known: Known) -> OutgoingUpdate:
        """By our reference; if that finds nothing, by the id of the payout."""
        wire = to_wire(known.reference)
        rows = self._rows(f"/v1/transactions/{wire}", wire)
        if not rows and known.provider_id:
            rows = self._rows_of_batch(known, wire)
        if not rows:
            return _unknown(known.reference)
        found = [row for row in rows if row.get("reference") == wire]
        if not found:
            raise ProviderTimeout("the answer is about another payout")
        update = to_update(min(found, key=_rank), known.reference)
        if update.provider_id:
            return update
        return replace(update, provider_id=known.provider_id or self._batch_of(wire))

    def find_reference(self, provider_id: str) -> str:
        """Events do not sign the id, so anything may stand there."""
        if not PAYOUT_ID.fullmatch(provider_id):
            return ""
        for version in VERSIONS:
            path = f"/{version}/payouts/{provider_id}"
            answer = self._client.get(path, "wompi_payouts.find")
            if answer.is_success and isinstance(row := data_of(answer), dict):
                return from_wire(str(row.get("reference") or ""))
            if answer.status != 404 or not is_own_error(answer):
                raise ProviderTimeout(f"status {answer.status}")
        return ""

    def read_callback(self, callback: Callback, now: datetime) -> Hint | Ignored:
        """Events of transactions do not carry our reference, so the rail is queried."""
        try:
            event = jsontext.loads(callback.body)
            signatures.check_event(event, self._account.secrets("events_secret"))
            kind, data = event["event"], event["data"]
            if kind == "transaction.updated":
                return Hint(provider_id=str(data["transaction"]["payoutId"]))
            if kind == "payout.updated":
                return Hint(reference=from_wire(str(data["payout"]["reference"])))
        except (jsontext.InvalidJSON, KeyError, TypeError) as error:
            raise InvalidCallback("not an event") from error
        return Ignored(kind=str(kind)[:60])

    def _line(self, request: PayoutRequest, reference: str) -> dict[str, Any]:
        line: dict[str, Any] = {
            "name": request.recipient_name,
            "amount": _cents(request.amount),
            "legalIdType": request.document_type,
            "legalId": request.document_number,
            "email": self._account.credentials["email"],
            "reference": reference,
        }
        if request.network is PayoutNetwork.BREB:
            return {**line, "key": request.key_value}
        line |= {
            "bankId": request.bank_code,
            "accountType": ACCOUNT_TYPES[request.account_type],
            "accountNumber": request.account_number,
            "personType": "JURIDICA" if request.document_type == "NIT" else "NATURAL",
        }
        if description := request.description[:DESCRIPTION_LENGTH].strip():
            line["description"] = description
        return line

    def _rows(self, path: str, wire: str) -> list[dict[str, Any]]:
        """Empty if the rail does not know it."""
        answer = self._client.get(path, "wompi_payouts.query", reference=wire)
        if answer.status == 404 and is_own_error(answer):
            return []
        if not answer.is_success:
            raise ProviderTimeout(f"status {answer.status}")
        return rows_of(answer)

    def _rows_of_batch(self, known: Known, wire: str) -> list[dict[str, Any]]:
        """From the version that took the payout. From each, if that is not known."""
        taken = known.state.get(VERSION)
        for version in (taken,) if taken else VERSIONS:
            path = f"/{version}/payouts/{known.provider_id}/transactions"
            if rows := self._rows(path, wire):
                return rows
        return []

    def _find_known(self, request: PayoutRequest) -> OutgoingUpdate:
        """Never raises ProviderUnreachable: the rail was reached, and may have the payout."""
        try:
            return self.query(Known(reference=request.reference, state=request.state))
        except ProviderUnreachable as error:
            raise ProviderTimeout("the rail shows no transactions") from error

    def _batch_of(self, wire: str) -> str:
        """The id that events name. Empty while the rail does not tell: the state matters more."""
        try:
            answer = self._client.get(
                f"/v1/payouts?reference={wire}", "wompi_payouts.batch", reference=wire
            )
            rows = rows_of(answer) if answer.is_success else []
        except ProviderError:
            return ""
        return next((str(row["id"]) for row in rows if row.get("reference") == wire), "")


def to_wire(reference: str) -> str:
    """The rail's references have no underscore, and ours have no dash."""
    return reference.replace("_", "-")


def from_wire(reference: str) -> str:
    return reference.replace("-", "_")


def to_update(row: Mapping[str, Any], reference: str) -> OutgoingUpdate:
    """Raises ProviderTimeout for another shape or an unknown status. Then no part of it is used."""
    state = STATES.get(str(row.get("status")))
    cents = row.get("amountInCents")
    if state is None or not isinstance(cents, int) or isinstance(cents, bool):
        raise ProviderTimeout("not a transaction")
    return OutgoingUpdate(
        reference=reference,
        provider_id=str(row.get("payoutId") or ""),
        state=state,
        reason=_failure(row.get("failureReason")) if state is OutgoingState.FAILED else "",
        occurred_at=_moment(row.get("appliedAt")),
        amount=Decimal(cents) / 100,
        **(fees.read(row.get("fee")) if state is OutgoingState.COMPLETED else {}),
        learned={TRANSACTION: row["id"]} if isinstance(row.get("id"), str) else {},
    )


def _rank(row: Mapping[str, Any]) -> int:
    """The lowest counts, if the rail shows several: one that was paid, then one that may be."""
    order = {OutgoingState.COMPLETED: 0, OutgoingState.FAILED: 2}
    state = STATES.get(str(row.get("status")))
    return order.get(state, 1) if state else 1


def _failure(given: object) -> str:
    """The rail sends a text, or an object with `code`."""
    text = given.get("code") if isinstance(given, dict) else given
    return FAILURES.get(str(text or "").strip(), OutgoingReason.REFUSED_BY_BANK)


def _accepted(request: PayoutRequest, answer: RailAnswer, version: str) -> OutgoingUpdate:
    """The payout was accepted, even if the rail counts a failed transaction.

    A query has the reason.
    """
    data = data_of(answer)
    if not isinstance(data, dict) or not isinstance(data.get("payoutId"), str):
        raise ProviderTimeout("no id of the payout")
    return OutgoingUpdate(
        reference=request.reference,
        provider_id=data["payoutId"],
        state=OutgoingState.PENDING,
        occurred_at=clock.now(),
        learned={VERSION: version},
    )


def _refusal(answer: RailAnswer, reference: str) -> ProviderError:
    code = error_code(answer)
    if code == NO_FUNDS:
        log.error("wompi_payouts.account_is_empty", reference=reference)
        return ProviderUnreachable(code)
    if answer.status not in DEFINITE or not code:
        return ProviderTimeout(f"status {answer.status} {code}")
    log.warning("wompi_payouts.refused", reference=reference, code=code)
    return ProviderRefused(REFUSALS.get(code, OutgoingReason.REFUSED_BY_PROVIDER), code)


def _unknown(reference: str) -> OutgoingUpdate:
    return OutgoingUpdate(
        reference=reference,
        provider_id="",
        state=OutgoingState.UNKNOWN,
        occurred_at=clock.now(),
    )


def _cents(amount: Decimal) -> int:
    scaled = amount * 100
    if scaled != scaled.to_integral_value() or scaled <= 0:
        raise ProviderRefused(OutgoingReason.INVALID_REQUEST, "the amount has parts of a cent")
    return int(scaled)


def _moment(text: object) -> datetime:
    """The present time if the rail sends no readable time."""
    try:
        moment = datetime.fromisoformat(str(text))
    except ValueError:
        return clock.now()
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
