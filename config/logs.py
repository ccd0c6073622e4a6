"""structlog processors of settings.LOGGING."""

import re
from collections.abc import MutableMapping

Event = MutableMapping[str, object]
# Set by payments.api.middleware in request.META.
REQUEST_ID = "pasarela.request_id"
# PostgreSQL quotes the row that it refused, with personal data, and tracebacks contain that text.
# Celery's lines have `\n` as two characters.
_ROWS = re.compile(r"(?:\\n|\n)(?:DETAIL|CONTEXT):.*")
# The token of a payment link opens the payment, that of an invitation sets the password of an
# account.
_TOKENS = re.compile(r"((?:/|%2F)(?:pay|invitation)(?:/|%2F))[\w-]{16,}", re.IGNORECASE)
# The signature of a link that asks a payer for an account: who has it can name one. URLs may quote
# the colons.
_SIGNED = re.compile(r"(ref_\w+)(?::|%3A)[\w-]+(?::|%3A)[\w-]+", re.IGNORECASE)


def redact_personal_data(logger: object, method: str, event: Event) -> Event:
    for name, value in event.items():
        event[name] = _redacted(value)
    return event


def add_request_id(logger: object, method: str, event: Event) -> Event:
    """Adds the id to requests that Django logs after the end of the middleware that binds it."""
    request = getattr(event.get("_record"), "request", None)
    request_id = getattr(request, "META", {}).get(REQUEST_ID)
    if request_id:
        event.setdefault("request_id", request_id)
    return event


def _redacted(value: object) -> object:
    if isinstance(value, str):
        return _SIGNED.sub(r"\1...", _TOKENS.sub(r"\1...", _ROWS.sub("", value)))
    if isinstance(value, dict):
        return {name: _redacted(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_redacted(inner) for inner in value]
    return value
