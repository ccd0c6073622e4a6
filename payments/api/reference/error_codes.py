"""Every error code of the API, from the classes that raise it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.conf import settings

from payments.api import envelope
from payments.api.reference.catalogue import PRODUCTS
from payments.api.reference.fields import without_asides
from payments.api.reference.parts import RETRY, Remedy, Then
from payments.api.reference.remedies import REMEDIES
from payments.core.errors import ServiceError

_STATUS = re.compile(r"^\d{3}(?: to the provider)?:?\s*")
FIX = "Correct the request; nothing was done."
# What to do about each. tests/contract/test_reference finds a code without advice.
ADVICE = {
    "VALIDATION_ERROR": "details.field names the first field that is wrong, details.fields all.",
    "MISSING_CREDENTIALS": "Send both X-Api-Key and X-Api-Secret.",
    "INVALID_CREDENTIALS": "Check the pair: the key exists once, its secret was shown once.",
    "INVALID_API_KEY": "The key was revoked, or never existed. Request a new pair.",
    "MERCHANT_NOT_ACTIVE": "The account is switched off. Write to your contact.",
    "FORBIDDEN": "Request the product, or a key with the permission that the message names.",
    "NOT_FOUND": "Check the path and the id. Records of others are reported as absent, too.",
    "ORDER_NOT_FOUND": "Check the id. Records of others are reported as absent, too.",
    "METHOD_NOT_ALLOWED": "See the header Allow.",
    "REQUEST_TIMEOUT": "Nothing was done. Send the request again, its body at once.",
    "PAYLOAD_TOO_LARGE": "Send less: details.maxBytes.",
    "UNSUPPORTED_MEDIA_TYPE": "Send Content-Type: application/json, in UTF-8, not compressed.",
    "RATE_LIMIT_EXCEEDED": RETRY,
    "INTERNAL_ERROR": "Send it again with the same idempotency key, and report details.requestId.",
    "SERVICE_UNAVAILABLE": RETRY,
    "IDEMPOTENCY_KEY_REQUIRED": "Use one key for each operation that must happen once.",
    "IDEMPOTENCY_KEY_REUSED": "Another request has this key. Use a new key for a new operation.",
    "ORDER_NOT_PAYABLE": "Read the order. Where it has ended, create a new one.",
    "ORDER_NOT_CANCELLABLE": "Read the order; try later, or refund it once it is COMPLETED.",
    "METHOD_NOT_AVAILABLE": "Choose one of GET /collect/{id}/methods.",
    "CHARGE_REFUSED": "Let the payer choose another method; the order can still be paid.",
    "DIRECT_API_NOT_ENABLED": "Use collectUrl, or request the Direct API.",
    "ORDER_NOT_DISPUTABLE": "Sandbox: only what was paid and is not contested yet can be.",
    "ORDER_NOT_REFUNDABLE": "Only what was paid can be returned.",
    "REFUND_PROVIDER_UNAVAILABLE": RETRY,
    "AMOUNT_ABOVE_LIMIT": "At most details.max.",
    "AMOUNT_BELOW_MINIMUM": "At least details.min.",
    "INSUFFICIENT_BALANCE": "Compare details.required and details.available.",
    "NO_WEBHOOK_URL": "Set the url of the account's endpoint first.",
    "NOT_ALLOWED": "Read the record: its state does not allow this.",
    **{code: text for part in PRODUCTS for code, text in part.advice.items()},
}
ALL_REMEDIES = {
    **REMEDIES,
    **{code: remedy for part in PRODUCTS for code, remedy in part.remedies.items()},
}
# For people at the console, in a terminal or on a payer's page, and for providers; never for
# merchants.
NOT_OF_THE_API = frozenset(
    {
        "CURRENCY_MISMATCH",
        "INVALID_SIGNATURE",
        "KEY_ALREADY_REVOKED",
        "LINK_NOT_PAYABLE",
        "ROLES_APART",
        "TAX_RULE_REFUSED",
        "DAY_NOT_OVER",
        "CONFLICT",
        "NOT_YOURS",
        "CANNOT_BE_MEMBER",
        "OWN_PASSWORD",
        "FIRST_PASSWORD_EXPIRED",
        "FIRST_PASSWORD_USED",
        "ANSWER_REFUSED",
        "NO_SETTLEMENT_FILES",
        "SETTLEMENT_FILE_REFUSED",
        "ACCOUNT_EXISTS",
        "BANK_ACCOUNT_NOT_VERIFIED",
        "BENEFICIARY_CHANGED",
        "BENEFICIARY_EXISTS",
        "CANNOT_ACCEPT",
        "CANNOT_INVITE",
        "EVIDENCE_REFUSED",
        "FILE_REFUSED",
        "INVITATION_ENDED",
        "INVITATION_NOT_VALID",
        "INVITATION_OF_ANOTHER",
        "KEY_NOT_COLLECTABLE",
        "LAST_ADMINISTRATOR",
        "LEGAL_DATA_MISSING",
        "MAIL_NOT_SENT_AGAIN",
        "NOTHING_TO_WITHDRAW",
        "ORDER_NOT_RETRYABLE",
        "OTHER_ROLES",
        "PRICE_CHANGED",
        "REPEATS_PAYOUT",
        "REQUEST_NOT_WAITING",
        "SEVERAL_MERCHANTS",
        "UNKNOWN_ROLES",
        "WRONG_ACCOUNT",
        "WRONG_RULE",
    }
)


@dataclass(frozen=True, slots=True)
class Code:
    code: str
    statuses: tuple[int, ...]
    meaning: str
    advice: str
    remedy: Remedy


def table() -> list[Code]:
    """By status, then by name."""
    meanings: dict[str, list[str]] = {}
    statuses: dict[str, set[int]] = {}
    for code, status, meaning in _raised():
        if code in NOT_OF_THE_API:
            continue
        statuses.setdefault(code, set()).add(status)
        meanings.setdefault(code, []).append(meaning)
    found = [
        Code(
            code,
            tuple(sorted(statuses[code])),
            meanings[code][0],
            ADVICE.get(code, FIX),
            ALL_REMEDIES.get(code, Remedy("", Then.MEND)),
        )
        for code in statuses
    ]
    return sorted(found, key=lambda each: (each.statuses[0], each.code))


def _raised() -> Iterator[tuple[str, int, str]]:
    """Refusals of HTTP first, because their messages are the general ones."""
    for refusal in (
        envelope.route_not_found(),
        envelope.method_not_allowed(),
        envelope.body_late(settings.BODY_SECONDS),
        envelope.payload_too_large(0),
        envelope.unsupported_media_type(),
        envelope.internal_error(""),
        ServiceError(),
    ):
        yield refusal.code, refusal.status, refusal.message
    raising = [each for each in _classes(ServiceError) if "code" in vars(each)]
    # If several classes have one code, the class that is named after the code comes first.
    raising.sort(key=lambda each: each.__name__.lower() != str(each.code).replace("_", "").lower())
    for error in raising:
        yield error.code, error.status, _meaning(error)


def _classes(parent: type[ServiceError]) -> Iterator[type[ServiceError]]:
    """Sorted, so that the order does not depend on the imports."""
    for child in sorted(parent.__subclasses__(), key=lambda each: each.__qualname__):
        yield child
        yield from _classes(child)


def _meaning(error: type[ServiceError]) -> str:
    if error.message != ServiceError.message and "%(" not in error.message:
        return error.message
    text = _STATUS.sub("", without_asides((error.__doc__ or "").partition("\n")[0])).replace(
        "`", ""
    )
    return text[:1].upper() + text[1:]
