"""Cells of lists: a long text is cut with an ellipsis, and an id is cut in its middle.

The page keeps the whole value for screen readers and searches, and as the title of the cell.
"""

import re
from html import unescape

from django.utils.html import escape, strip_tags
from django.utils.safestring import SafeString, mark_safe

# A shorter text is never cut, because an ellipsis would save no space.
SHORT = 14
# Longer than any amount. A longer number is a reference.
LONGEST_AMOUNT = 40
ID_TAIL = 6
_CELL = re.compile(r"<(t[dh])\b([^>]*)>(.*)</\1>", re.DOTALL)
_AMOUNT = re.compile(r"[-+]?[\d.,]+( [A-Z]{3,4}| ?%)?")
_ID = re.compile(r"[a-z]{2,5}_[0-9a-z]{26}")
# Controls, and markup that does not wrap: labels of states, times, icons. Matched only inside tags,
# because users write the texts.
_WHOLE = re.compile(
    r"<(input|select|textarea|button|form|svg|img)\b|<[^>]*(whitespace-nowrap|material-)"
)


def bounded(cell: str) -> SafeString:
    """`cell` as the theme has rendered it."""
    found = _CELL.fullmatch(cell.strip())
    if found is None:
        return mark_safe(cell)  # noqa: S308 - the theme's own markup
    tag, attributes, inner = found.groups()
    text = " ".join(unescape(strip_tags(inner)).split())
    if not text or _WHOLE.search(inner):
        return mark_safe(cell)  # noqa: S308
    is_amount = len(text) <= LONGEST_AMOUNT and _AMOUNT.fullmatch(text)
    if len(text) <= SHORT or is_amount:
        content = f'<div class="desk-whole">{inner}</div>'
    else:
        content = (
            f'<div class="desk-cut" title="{escape(text)}"><div>{_halved(inner, text)}</div></div>'
        )
    return mark_safe(f"<{tag}{attributes}>{content}</{tag}>")  # noqa: S308 - escaped by the theme


def _halved(inner: str, text: str) -> str:
    """An id in two parts. Only the first is cut, because it is similar in all ids."""
    if not _ID.fullmatch(text):
        return inner
    head, tail = text[:-ID_TAIL], text[-ID_TAIL:]
    halves = f'<span class="desk-id"><span>{head}</span><span>{tail}</span></span>'
    return (
        inner.replace(text, halves) if inner == text else inner.replace(f">{text}<", f">{halves}<")
    )
