"""structlog processors of settings.LOGGING."""

import re
from collections.abc import MutableMapping

Event = MutableMapping[str, object]
# Set by payments.api.middleware in request.META.
REQUEST_ID = "pasarela.request_id"
# PostgreSQL quotes the row that it refused: names, documents, accounts. psycopg puts it into the
# exception's text, which tracebacks repeat. Celery's lines have `\n` as two characters.
_ROWS = re.compile(r"(?:\\n|\n)(?:DETAIL|CONTEXT):.*")
# The token of a payment link opens the payment.
_TOKENS = re.compile(r"(/pay/)[\w-]{16,}")


def redact_personal_data(logger: object, method: str, event: Event) -> Event:
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = _TOKENS.sub(r"\1...", _ROWS.sub("", value))
    return event


def add_request_id(logger: object, method: str, event: Event) -> Event:
    """Django logs refused requests after the middleware that binds the id has ended."""
    request = getattr(event.get("_record"), "request", None)
    request_id = getattr(request, "META", {}).get(REQUEST_ID)
    if request_id:
        event.setdefault("request_id", request_id)
    return event
