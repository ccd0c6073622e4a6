"""Kinds of events in the words of a shop, as pages show them."""

from django.utils.safestring import SafeString

from payments.console.cells import two_lines
from webhooks import catalogue


def quoted(kind: str) -> str:
    return f"“{of_kind(kind)}”"


def with_code(kind: str) -> str | SafeString:
    """The word first, and below it the code that a receiver reads, never broken in its middle."""
    shown = of_kind(kind)
    return kind if shown == kind else two_lines(shown, kind)


def of_kind(kind: str) -> str:
    return catalogue.words_of(kind)
