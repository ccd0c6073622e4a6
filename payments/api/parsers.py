"""Reads request bodies: only JSON objects, in UTF-8, of bounded size and depth."""

from codecs import BOM_UTF8
from collections.abc import Mapping
from email.message import Message
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from payments.api import envelope
from payments.core import jsontext
from payments.core.errors import ValidationFailed

# The key in the WSGI environment under which the log of calls finds the bytes.
BODY = "pasarela.body"
EMPTY_BODY = "The body is empty. Send a JSON object."


class EmptyBody(ValidationFailed):
    """There is no body at all: this is said before the fields that are missing in it."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__(errors)
        self.message = self.sentence = EMPTY_BODY


class StrictJSONParser(BaseParser):
    """Numbers with a point arrive as Decimal. Raises 400, 413 or 415 in the envelope."""

    media_type = envelope.JSON

    def most_bytes(self) -> int:
        return int(settings.API_MAX_BODY_BYTES)

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        _check_media_type(media_type or "")
        headers = parser_context["request"].META if parser_context else {}
        if headers.get("HTTP_CONTENT_ENCODING", "identity") != "identity":
            raise envelope.unsupported_media_type()
        limit = self.most_bytes()
        body = stream.read(limit + 1)
        if len(body) > limit:
            raise envelope.payload_too_large(limit)
        if parser_context:
            headers[BODY] = body
        if len(body) < int(headers.get("CONTENT_LENGTH") or 0):
            # The connection broke within the body, and the first half of a request may be valid
            # JSON.
            raise ValidationFailed({"": "The body is shorter than its Content-Length."})
        if body.startswith(BOM_UTF8):  # simplejson skips it, RFC 8259 forbids it
            raise ValidationFailed({"": "The body must not begin with a byte order mark."})
        if not body.strip():
            raise ValidationFailed({"": EMPTY_BODY})
        try:
            data = jsontext.loads(body)
        except jsontext.InvalidJSON as error:
            raise ValidationFailed({"": str(error)}) from error
        if not isinstance(data, dict):
            raise ValidationFailed({"": "The body must be a JSON object."})
        return data


def _check_media_type(media_type: str) -> None:
    header = Message()
    header["content-type"] = media_type
    charset = header.get_content_charset("utf-8")
    if header.get_content_type() != envelope.JSON or charset not in ("utf-8", "utf8"):
        raise envelope.unsupported_media_type()
