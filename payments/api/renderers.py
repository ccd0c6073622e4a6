"""Compact JSON with exact numbers."""

from collections.abc import Mapping
from typing import Any

from rest_framework.renderers import BaseRenderer

from payments.api.envelope import JSON
from payments.core import jsontext


class EnvelopeRenderer(BaseRenderer):
    """JSON whatever the Accept header says."""

    media_type = JSON
    format = "json"
    charset = None

    def render(
        self,
        data: Any,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, Any] | None = None,
    ) -> bytes:
        return b"" if data is None else jsontext.dumps(data).encode()
