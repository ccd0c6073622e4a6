"""Kinds of events in the words of a shop, as pages show them."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

from webhooks import catalogue


def quoted(kind: str) -> str:
    return f"“{of_kind(kind)}”"


def with_code(kind: str) -> str | SafeString:
    """The word first, and beside it the code that a receiver reads."""
    shown = of_kind(kind)
    if shown == kind:
        return kind
    return format_html('{} <span class="desk-small">{}</span>', shown, kind)


def of_kind(kind: str) -> str:
    return catalogue.words_of(kind)
