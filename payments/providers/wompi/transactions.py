"""Wompi's transactions: the body that creates one, and its translation into a ChargeUpdate."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import structlog

from payments.core import clock
from payments.core.text import colombian_phone
from payments.providers.account import Mode
from payments.providers.ports import (
    ZERO,
    ChargeRequest,
    ChargeStatus,
    ChargeUpdate,
    Fact,
    InvalidCallback,
    PayerNeeds,
    ProviderRefused,
    Rail,
    Reason,
)
from payments.providers.qr_images import UnusableImage, svg_data_uri

log = structlog.get_logger(__name__)
PSE, NEQUI, BUTTON, QR = "PSE", "NEQUI", "BANCOLOMBIA_TRANSFER", "BANCOLOMBIA_QR"
# Direct methods by the keys that shops send.
DIRECT_TYPES = {
    "wompi_pse": PSE,
    "wompi_nequi": NEQUI,
    "wompi_bancolombia": BUTTON,
    "wompi_bancolombia_qr": QR,
}
STATUSES = {
    "PENDING": ChargeStatus.PENDING,
    "APPROVED": ChargeStatus.SUCCEEDED,
    "DECLINED": ChargeStatus.FAILED,
    "ERROR": ChargeStatus.FAILED,
    # Only cards are voided, which we do not accept. So a person has to check.
    "VOIDED": ChargeStatus.PENDING,
}
# The text that the payer reads at the bank. Some banks refuse longer texts.
DESCRIPTION_LENGTH = 30
# Our types of document by the rail's names. PSE takes fewer than the rail knows.
DOCUMENTS = {"CC": "CC", "CE": "CE", "NIT": "NIT", "PP": "PP"}
PSE_NEEDS = PayerNeeds(
    facts=(Fact.NAME, Fact.EMAIL, Fact.PHONE, Fact.DOCUMENT),
    documents={"CC": "CC", "NIT": "NIT"},
    fields=("bankCode", "personType"),
)
OTHER_NEEDS = PayerNeeds(facts=(Fact.EMAIL,))
# The words of a bank for an account without money. Not documented.
_EMPTY_ACCOUNT = ("fondos insuficientes", "saldo insuficiente", "insufficient funds")


def type_of(request: ChargeRequest) -> str:
    """The rail's method. Raises ProviderRefused for a method that it does not carry."""
    if request.direct_method:
        found = DIRECT_TYPES.get(request.direct_method, "")
    else:
        found = PSE if request.method is Rail.PSE else ""
    if not found:
        raise ProviderRefused(Reason.INVALID_REQUEST, "not a method of this rail")
    return found


def cents(amount: Decimal) -> int:
    """The amount in cents. Raises ProviderRefused for fractions of a cent."""
    scaled = amount * 100
    if scaled != scaled.to_integral_value() or scaled <= 0:
        raise ProviderRefused(Reason.INVALID_REQUEST, "the amount has parts of a cent")
    return int(scaled)


def creation_body(
    request: ChargeRequest, merchant: Mapping[str, Any], mode: Mode
) -> dict[str, Any]:
    """The body without the signature.

    `merchant` has a new pair of acceptance tokens, because one pair serves one transaction.
    """
    body: dict[str, Any] = {
        "acceptance_token": merchant["presigned_acceptance"]["acceptance_token"],
        "accept_personal_auth": merchant["presigned_personal_data_auth"]["acceptance_token"],
        "amount_in_cents": cents(request.amount),
        "currency": "COP",
        "customer_email": request.payer.email,
        "reference": request.reference,
        "redirect_url": request.return_url,
        "expiration_time": iso(request.expires_at),
        "ip": request.client_ip,
        "customer_data": _customer(request),
        "payment_method": _method(request, mode),
    }
    return {name: value for name, value in body.items() if value != ""}


def _customer(request: ChargeRequest) -> dict[str, str]:
    payer = request.payer
    document_type = DOCUMENTS.get(payer.document_type, "")
    known = {
        "full_name": payer.name,
        "phone_number": _international(payer.phone),
        "legal_id": payer.document_number if document_type else "",
        "legal_id_type": document_type,
    }
    return {name: value for name, value in known.items() if value}


def _international(phone: str) -> str:
    """Digits alone, with the country."""
    national = colombian_phone(phone)
    return f"57{national}" if national else phone.removeprefix("+")


def _description(request: ChargeRequest) -> str:
    """Never empty. Bancolombia refuses single quotes."""
    text = request.description.replace("'", " ").strip()
    return (text or request.reference)[:DESCRIPTION_LENGTH].strip()


def _field(request: ChargeRequest, name: str) -> str:
    """Raises ProviderRefused for one that is missing."""
    if not (value := request.fields.get(name, "")):
        raise ProviderRefused(Reason.INVALID_REQUEST, f"{name} is missing")
    return value


def _method(request: ChargeRequest, mode: Mode) -> dict[str, Any]:
    kind = type_of(request)
    description = _description(request)
    if kind == NEQUI:
        return {"type": NEQUI, "phone_number": _field(request, "phone")}
    if kind == BUTTON:
        return {"type": kind, "payment_description": description}
    if kind == QR:
        # A code of the sandbox cannot be paid, so the request says how it ends.
        ends = {"sandbox_status": "APPROVED"} if mode is Mode.SANDBOX else {}
        return {"type": kind, "payment_description": description, **ends}
    payer = request.payer
    if missing := PSE_NEEDS.missing(payer):
        raise ProviderRefused(Reason.INVALID_REQUEST, f"PSE needs {', '.join(missing)}")
    return {
        "type": PSE,
        "user_type": 1 if _field(request, "personType") == "LEGAL" else 0,
        "user_legal_id_type": PSE_NEEDS.documents[payer.document_type],
        "user_legal_id": payer.document_number,
        "financial_institution_code": _field(request, "bankCode"),
        "payment_description": description,
    }


def choose(found: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
    """One reference is one transaction; should the rail have two, the paid one counts, then the one
    that may still be paid.
    """
    for status in (ChargeStatus.SUCCEEDED, ChargeStatus.PENDING):
        for one in found:
            if STATUSES.get(str(one.get("status"))) is status:
                return one
    return found[0]


def to_update(transaction: Mapping[str, Any]) -> ChargeUpdate:
    """Raises InvalidCallback for another shape or status. Then no part of it is used."""
    try:
        status = STATUSES[transaction["status"]]
        amount = transaction["amount_in_cents"]
        reference, provider_id = transaction["reference"], transaction["id"]
        currency = transaction["currency"]
    except (KeyError, TypeError) as error:
        raise InvalidCallback("not a transaction") from error
    if not isinstance(amount, int) or isinstance(amount, bool) or amount < 0:
        raise InvalidCallback("the amount is not in cents")
    if not all(isinstance(one, str) for one in (reference, provider_id, currency)):
        raise InvalidCallback("not a transaction")
    if transaction["status"] == "VOIDED":
        log.error("wompi.voided", reference=reference)
    received = Decimal(amount) / 100 if status is ChargeStatus.SUCCEEDED else ZERO
    return ChargeUpdate(
        reference=reference,
        provider_id=provider_id,
        status=status,
        received=received,
        currency=currency,
        trace_code=_extra(transaction, "traceability_code")
        or _extra(transaction, "external_identifier"),
        reason=_reason(transaction, status),
        occurred_at=_moment(transaction),
        redirect_url=_extra(transaction, "async_payment_url"),
        qr_image=_qr_image(transaction),
    )


def iso(moment: datetime) -> str:
    """UTC with milliseconds, as in the signed text."""
    utc = moment.astimezone(UTC)
    return f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z"


def _reason(transaction: Mapping[str, Any], status: ChargeStatus) -> str:
    if status is not ChargeStatus.FAILED:
        return ""
    if transaction["status"] == "ERROR":
        return Reason.REFUSED_BY_PROVIDER
    text = str(transaction.get("status_message") or "").lower()
    is_empty = any(words in text for words in _EMPTY_ACCOUNT)
    return Reason.INSUFFICIENT_FUNDS if is_empty else Reason.REFUSED_BY_BANK


def _extra(transaction: Mapping[str, Any], name: str) -> str:
    method = transaction.get("payment_method")
    extra = method.get("extra") if isinstance(method, dict) else None
    value = extra.get(name) if isinstance(extra, dict) else None
    return value if isinstance(value, str) else ""


def _qr_image(transaction: Mapping[str, Any]) -> str:
    """Empty where there is none, or one that no page may show: the payment itself still counts."""
    if not (encoded := _extra(transaction, "qr_image")):
        return ""
    try:
        return svg_data_uri(encoded)
    except UnusableImage as error:
        log.error("wompi.qr_unusable", reference=transaction["reference"], problem=str(error))
        return ""


def _moment(transaction: Mapping[str, Any]) -> datetime:
    """The time of its end, or of its creation. The present time if the rail sends neither."""
    for name in ("finalized_at", "created_at"):
        try:
            moment = datetime.fromisoformat(str(transaction.get(name)))
        except ValueError:
            continue
        return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return clock.now()
