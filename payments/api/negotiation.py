"""Content negotiation that does not negotiate: a strange Accept header still gets JSON."""

from typing import Any

from rest_framework.negotiation import BaseContentNegotiation


class JSONOnly(BaseContentNegotiation):
    """The first parser and the first renderer; the parser itself refuses other media types."""

    def select_parser(self, request: Any, parsers: Any) -> Any:
        return parsers[0]

    def select_renderer(self, request: Any, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type
