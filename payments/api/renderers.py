"""JSON with exact numbers, whatever the Accept header says."""

from collections.abc import Iterable, Mapping

from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from payments.api.envelope import JSON
from payments.core import jsontext


class EnvelopeRenderer(BaseRenderer):
    media_type = JSON
    format = "json"
    charset = None

    def render(
        self,
        data: object,
        accepted_media_type: str | None = None,
        renderer_context: Mapping[str, object] | None = None,
    ) -> bytes:
        return b"" if data is None else jsontext.dumps(data).encode()


class JSONOnly(BaseContentNegotiation):
    """Ignores the Accept header. The parser refuses media types other than JSON."""

    def select_parser(self, request: Request, parsers: Iterable[BaseParser]) -> BaseParser:
        return next(iter(parsers))

    def select_renderer(
        self, request: Request, renderers: Iterable[BaseRenderer], format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        renderer = next(iter(renderers))
        return renderer, renderer.media_type
