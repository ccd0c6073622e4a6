"""English text with `code` in it, as HTML."""

import re

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

_CODE = re.compile(r"`([^`]+)`")


def html(text: str) -> SafeString:
    """Everything is escaped; text in backticks becomes code."""
    return mark_safe(_CODE.sub(r"<code>\1</code>", escape(text)))  # noqa: S308  escaped before
