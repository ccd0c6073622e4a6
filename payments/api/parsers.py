"""Reads request bodies: only JSON objects, in UTF-8, of bounded size and depth."""

from collections.abc import Mapping
from email.message import Message
from typing import IO, Any

from django.conf import settings
from rest_framework.parsers import BaseParser

from payments.api import envelope
from payments.core import jsontext
from payments.core.errors import ValidationFailed


class StrictJSONParser(BaseParser):
    """Numbers with a point arrive as Decimal. Raises 400, 413 or 415 in the envelope."""

    media_type = envelope.JSON

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        _check_media_type(media_type or "")
        limit = settings.API_MAX_BODY_BYTES
        body = stream.read(limit + 1)
        if len(body) > limit:  # a chunked body announces no length
            raise envelope.payload_too_large(limit)
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
