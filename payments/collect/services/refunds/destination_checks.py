"""What an operator approves is what is sent: a refund by payout goes only where it was approved."""

import json

import structlog
from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from payments.collect.models import Refund
from payments.core.models import AuditEntry
from payments.core.text import normalised_document

log = structlog.get_logger(__name__)
SALT = "refund-destination-fingerprint"
APPROVED = "refund.approved"


def fingerprint(refund: Refund, secret: str | None = None) -> str:
    """For audit rows: keyed, because account numbers are short enough to be guessed."""
    told = json.dumps({"account": refund.provider, **refund.destination}, sort_keys=True)
    value = f"{refund.pk}:{told}"
    return salted_hmac(SALT, value, secret=secret, algorithm="sha256").hexdigest()


def is_of_payer(refund: Refund) -> bool:
    """Whether the account belongs to the document that paid. False if that is not known."""
    return _document(refund.charge.payer) == _document(refund.destination) != ("", "")


def stop_if_changed(refund: Refund) -> bool:
    """Whether the destination is not the approved one. Then the refund waits for an operator.

    The refund is locked.
    """
    if not refund.destination or is_as_approved(refund):
        return False
    log.error("refund.destination_changed", refund=refund.pk)
    refund.needs_operator = True
    if refund.status == Refund.Status.PENDING:  # a call that was made is still queried
        refund.next_action_at = None
    refund.save(update_fields=["needs_operator", "next_action_at", "updated_at"])
    return True


def is_stopped(refund: Refund) -> bool:
    """Whether an open refund would go elsewhere than was approved."""
    if refund.has_ended or refund.needs_approval or not refund.destination:
        return False
    return not is_as_approved(refund)


def is_as_approved(refund: Refund) -> bool:
    rows = AuditEntry.objects.filter(subject_id=refund.pk, action=APPROVED).order_by("-id")
    details = rows.values_list("details", flat=True).first() or {}
    approved = str(details.get("destination", ""))
    secrets = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    return any(constant_time_compare(approved, fingerprint(refund, key)) for key in secrets)


def _document(person: dict[str, str]) -> tuple[str, str]:
    number = normalised_document(person.get("document_number", ""))
    return (person.get("document_type", "") if number else "", number)
