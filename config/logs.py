"""What must not get into a log line, wherever it comes from. Used by settings.LOGGING."""

import re
from typing import Any

# payments.api.middleware leaves it there.
REQUEST_ID = "pasarela.request_id"
# PostgreSQL quotes the whole row that it refused: names, documents, accounts. psycopg puts it into
# the text of the exception, which tracebacks repeat, and Celery's lines with `\n` written out.
_ROWS = re.compile(r"(?:\\n|\n)(?:DETAIL|CONTEXT):.*")
# A payment link's token is as good as the link.
_TOKENS = re.compile(r"(/pay/)[\w-]{16,}")


def without_people(logger: Any, method: str, event: dict[str, Any]) -> dict[str, Any]:
    """A structlog processor: leaves out of every text what the database says of a row."""
    for name, value in event.items():
        if isinstance(value, str):
            event[name] = _TOKENS.sub(r"\1...", _ROWS.sub("", value))
    return event


def with_request_id(logger: Any, method: str, event: dict[str, Any]) -> dict[str, Any]:
    """A structlog processor: Django tells of refusals when the middleware that binds the request's
    id has ended; the request is still at hand."""
    request = getattr(event.get("_record"), "request", None)
    request_id = getattr(request, "META", {}).get(REQUEST_ID)
    if request_id:
        event.setdefault("request_id", request_id)
    return event
