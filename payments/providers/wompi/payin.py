"""Wompi as a payin rail: PSE, Nequi, and Bancolombia's button and QR. Pesos only."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from decimal import Decimal
from typing import Any

import structlog
from django.utils.translation import gettext, gettext_lazy, pgettext

from payments.core import clock, jsontext
from payments.providers import http
from payments.providers.account import RailAccount
from payments.providers.ports import (
    ZERO,
    Bank,
    Callback,
    ChargeRequest,
    ChargeStarted,
    ChargeStatus,
    ChargeUpdate,
    DirectMethod,
    FieldOption,
    FieldType,
    Flow,
    Ignored,
    InvalidCallback,
    Known,
    ProviderRefused,
    ProviderTimeout,
    ProviderUnreachable,
    Rail,
    Reason,
    RequiredField,
    Term,
    TermsChanged,
    UiType,
)
from payments.providers.wompi import signatures, transactions
from payments.providers.wompi.client import ENVIRONMENTS, WompiClient, data_of, error_messages

log = structlog.get_logger(__name__)
FLOWS = {
    transactions.PSE: Flow.REDIRECT,
    transactions.NEQUI: Flow.PUSH,
    transactions.BUTTON: Flow.REDIRECT,
    transactions.QR: Flow.QR,
}
# The rail's text for a reference that it has, and its texts that are not about the payer.
_KNOWN_REFERENCE = "ya ha sido usada"
_DOCUMENTS = {
    "presigned_acceptance": gettext_lazy("terms of use of Wompi"),
    "presigned_personal_data_auth": gettext_lazy("personal data policy of Wompi"),
}


class WompiPayin:
    """Implements PayinPort for one account."""

    def __init__(self, account: RailAccount) -> None:
        self.code = account.slug
        self._account = account
        self._client = WompiClient(account)

    def banks(self) -> tuple[Bank, ...]:
        """The rail's list begins with a placeholder of code 0, which is left out."""
        known = [
            Bank(
                code=str(one["financial_institution_code"]), name=one["financial_institution_name"]
            )
            for one in self._client.banks()
        ]
        return tuple(sorted((b for b in known if b.code != "0"), key=lambda bank: bank.name))

    def terms(self) -> tuple[Term, ...]:
        return _terms(self._merchant())

    def direct_methods(self) -> tuple[DirectMethod, ...]:
        phone = RequiredField(key="phone", type=FieldType.PHONE, label=gettext("Mobile phone"))
        return (
            _direct_pse(),
            _direct("wompi_nequi", "Nequi", Flow.PUSH, phone),
            _direct("wompi_bancolombia", gettext("Bancolombia button"), Flow.REDIRECT),
            _direct("wompi_bancolombia_qr", gettext("Bancolombia QR"), Flow.QR),
        )

    def start(self, request: ChargeRequest, timeout: float) -> ChargeStarted:
        with http.limited_to(timeout):
            return self._start(request)

    def _start(self, request: ChargeRequest) -> ChargeStarted:
        """The rail has no idempotency header.

        It refuses a known reference, which is then queried.
        """
        kind = transactions.type_of(request)
        merchant = self._merchant()
        if {term.url for term in _terms(merchant)} - set(request.accepted_terms):
            raise TermsChanged("the payer accepted other documents")
        body = transactions.creation_body(request, merchant, self._account.mode)
        credentials = self._account.credentials
        body["signature"] = signatures.integrity(
            reference=request.reference,
            cents=body["amount_in_cents"],
            expiration=body["expiration_time"],
            secret=credentials["integrity_secret"],
        )
        answer = self._client.create(body)
        if answer.is_success:
            return self._started(data_of(answer), kind, request)
        errors = list(error_messages(answer))
        is_known = any(name == "reference" and _KNOWN_REFERENCE in text for name, text in errors)
        if not is_known and (answer.status not in (400, 404, 422) or not errors):
            raise ProviderTimeout(f"status {answer.status}")
        # Also after another refusal: the rail may look at the deadline before the reference.
        if (found := self._find_known(request.reference)) is not None:
            return self._again(found, kind, request)
        if is_known:
            raise ProviderTimeout("the rail has the reference and does not show it")
        # The rail's own words may quote the payer, so that the log has only the names of fields.
        fields = sorted({name[:40] or "reason" for name, _ in errors})
        log.warning(
            "wompi.refused", reference=request.reference, status=answer.status, fields=fields
        )
        raise ProviderRefused(Reason.REFUSED_BY_PROVIDER, ", ".join(fields))

    def query(self, known: Known) -> ChargeUpdate:
        """By our reference, which finds every transaction of the charge; else by the id of one."""
        found = self._client.transactions_of(known.reference) or self._by_id(known)
        if not found:
            return ChargeUpdate(
                reference=known.reference,
                provider_id="",
                status=ChargeStatus.UNKNOWN,
                received=ZERO,
                currency="",
                occurred_at=clock.now(),
            )
        try:
            return transactions.to_update(transactions.choose(found))
        except InvalidCallback as error:
            raise ProviderTimeout(str(error)) from error

    def read_callback(self, callback: Callback, now: datetime) -> ChargeUpdate | Ignored:
        """Accepts events of any age, because the rail repeats an event after a day.

        The rail signs the id of the transaction, but usually not our reference.
        """
        event = _parse(callback.body)
        signatures.check_event(event, self._account.secrets("events_secret"))
        if event.get("environment") != ENVIRONMENTS[self._account.mode]:
            raise InvalidCallback("of the other environment")
        if event.get("event") != "transaction.updated":
            return Ignored(kind=str(event.get("event"))[:60])
        update = transactions.to_update(event["data"].get("transaction"))
        is_signed = "transaction.reference" in event["signature"]["properties"]
        return replace(update, needs_known_id=not is_signed)

    def _merchant(self) -> dict[str, Any]:
        """Reads only, so a failure here means that nothing was started."""
        try:
            merchant = self._client.merchant()
            for name in _DOCUMENTS:
                merchant[name]["acceptance_token"]
                # It becomes a link on the payer's page.
                if not merchant[name]["permalink"].startswith("https://"):
                    raise ProviderUnreachable("a document has no https address")
        except (ProviderTimeout, KeyError, TypeError, AttributeError) as error:
            raise ProviderUnreachable("no acceptance tokens") from error
        return merchant

    def _by_id(self, known: Known) -> list[dict[str, Any]]:
        """The caller sees by the reference if the id is of another charge."""
        found = self._client.transaction(known.provider_id) if known.provider_id else None
        if found is None:
            return []
        if found.get("id") != known.provider_id:
            raise ProviderTimeout("the transaction is another one")
        return [found]

    def _find_known(self, reference: str) -> Mapping[str, Any] | None:
        """What an earlier call with this reference has made. Never raises ProviderUnreachable: the
        rail was reached, and another account must not get a charge that may exist here.
        """
        try:
            found = self._client.transactions_of(reference)
        except ProviderUnreachable as error:
            raise ProviderTimeout("the rail shows no transactions") from error
        return transactions.choose(found) if found else None

    def _again(self, known: Mapping[str, Any], kind: str, request: ChargeRequest) -> ChargeStarted:
        """Raises ProviderRefused if it ended without money."""
        started = self._started(known, kind, request)
        update = transactions.to_update(known)
        if update.status is ChargeStatus.FAILED:
            raise ProviderRefused(update.reason)
        return started

    def _started(
        self, transaction: Mapping[str, Any], kind: str, request: ChargeRequest
    ) -> ChargeStarted:
        """The bank's page, and a QR code, come seconds later, from a query."""
        try:
            update = transactions.to_update({"currency": "COP", **transaction})
        except InvalidCallback as error:
            raise ProviderTimeout(str(error)) from error
        if update.reference != request.reference:
            raise ProviderTimeout("the answer is about another reference")
        return ChargeStarted(
            provider_id=update.provider_id,
            flow=FLOWS[kind],
            redirect_url=update.redirect_url or None,
            qr_image=update.qr_image,
            expires_at=request.expires_at,
        )


def _terms(merchant: Mapping[str, Any]) -> tuple[Term, ...]:
    return tuple(
        Term(url=merchant[name]["permalink"], label=label) for name, label in _DOCUMENTS.items()
    )


def _direct(key: str, label: str, flow: Flow, *fields: RequiredField) -> DirectMethod:
    return DirectMethod(
        key=key,
        label=label,
        category=Rail.PSE if flow is Flow.REDIRECT else Rail.BANK_TRANSFER,
        ui_type=UiType.PUSH if flow is Flow.PUSH else UiType.WEBVIEW,
        flow=flow,
        min_amount=Decimal(1),
        required_fields=fields,
        needs=transactions.OTHER_NEEDS,
    )


def _direct_pse() -> DirectMethod:
    """For shops: our page has a form of its own."""
    kinds = {
        "NATURAL": pgettext("person type", "Person"),
        "LEGAL": pgettext("person type", "Company"),
    }
    person_type = RequiredField(
        key="personType",
        type=FieldType.SELECT,
        label=gettext("Whose account is it?"),
        options=tuple(FieldOption(value=value, label=label) for value, label in kinds.items()),
    )
    bank = RequiredField(key="bankCode", type=FieldType.BANK_SELECT, label=gettext("Bank"))
    method = _direct("wompi_pse", "PSE", Flow.REDIRECT, bank, person_type)
    return replace(method, needs=transactions.PSE_NEEDS, on_our_page=False)


def _parse(body: bytes) -> dict[str, Any]:
    try:
        event = jsontext.loads(body)
    except jsontext.InvalidJSON as error:
        raise InvalidCallback("not JSON") from error
    if not isinstance(event, dict) or not isinstance(event.get("data"), dict):
        raise InvalidCallback("not an event")
    return event
