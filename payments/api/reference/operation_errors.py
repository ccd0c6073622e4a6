"""The error codes of each response in the OpenAPI document, from the examples and the classes."""

from typing import Any

from payments.api.reference import error_codes
from payments.api.reference.catalogue import EXAMPLES
from payments.api.reference.requests import operations

CODES = "x-error-codes"
# The extension that generators know for an enumeration that may grow. With `anyOf` of an enum and a
# string, clients of openapi-generator get an object in place of the text.
OPEN_ENUM = "x-extensible-enum"
# What every operation may respond with this status. Its example adds the others.
_COMMON = {
    "400": ("VALIDATION_ERROR",),
    "401": (
        "MISSING_CREDENTIALS",
        "INVALID_CREDENTIALS",
        "INVALID_API_KEY",
        "MERCHANT_NOT_ACTIVE",
    ),
    "403": ("FORBIDDEN",),
    "408": ("REQUEST_TIMEOUT",),
    "413": ("PAYLOAD_TOO_LARGE",),
    "415": ("UNSUPPORTED_MEDIA_TYPE",),
    "429": ("RATE_LIMIT_EXCEEDED",),
    "500": ("INTERNAL_ERROR",),
    "503": ("SERVICE_UNAVAILABLE",),
}


def add_error_codes(result: dict[str, Any], **_: object) -> dict[str, Any]:
    """Hook of drf-spectacular: which codes exist, and which of them each response may have."""
    known = {each.code: each.statuses for each in error_codes.table()}
    code = result["components"]["schemas"]["ErrorBody"]["properties"]["code"]
    code[OPEN_ENUM] = list(known)
    for name, operation in operations(result).items():
        own = EXAMPLES[name].errors if name in EXAMPLES else ()
        for status, response in operation.about["responses"].items():
            if status >= "400":
                listed = [each for each in own if int(status) in known[each]]
                codes = list(dict.fromkeys((*_common(status, listed), *listed)))
                response[CODES] = codes
                response["description"] += f" Codes: {', '.join(codes)}."
    return result


def _common(status: str, listed: list[str]) -> tuple[str, ...]:
    """A 404 has the code of what was looked for."""
    if status == "404":
        return () if listed else ("NOT_FOUND",)
    return _COMMON.get(status, ())
