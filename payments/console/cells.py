"""Cells of lists: a long text is cut with an ellipsis, and an id to its first and last letters.

The page keeps the whole value for screen readers and searches, and as the title of the cell. The
theme's classes are left out: they were two thirds of the page of a list.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import unescape
from typing import Any

from django.utils.html import escape, format_html, strip_tags
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext

# A shorter text is never cut, because an ellipsis would save no space.
SHORT = 14
# Longer than any amount. A longer number is a reference.
LONGEST_AMOUNT = 40
ID_TAIL = 6
# Columns of a few known words, or of what a decision needs: they take lines before they are cut.
WRAPPED = frozenset(
    {
        "about",
        "action_shown",
        "agreement_link",
        "bank",
        "closing",
        "codes_text",
        "destination",
        "destination_masked",
        "device",
        "enabled",
        "entry_link",
        "events",
        "kind",
        "kind_shown",
        "label",
        "label_shown",
        "last_login",
        "list_name",
        "method",
        "method_shown",
        "name",
        "name_shown",
        "named",
        "network",
        "operator_link",
        "packages",
        "place_masked",
        "puc_shown",
        "purpose_shown",
        "reason",
        "reference_label",
        "remark",
        "result",
        "role",
        "roles_shown",
        "selected_method",
        "short_rights",
        "subject",
        "summary_shown",
        "tiers_shown",
        "title",
        "type",
        "used",
        "what",
        "why",
    }
)
_CELL = re.compile(r"<(t[dh])\b([^>]*)>(.*)</\1>", re.DOTALL)
_FIELD = re.compile(r"field-(\w+)")
_OWN_CLASS = re.compile(r"\b(field-\w+|action-checkbox)\b")
_CLASS = re.compile(r'\s*class="([^"]*)"')
_LABEL = re.compile(r'(data-label=")(\w)')
_LINK = re.compile(r'<a\b([^>]*?)\s*class="([^"]*)"')
_AMOUNT = re.compile(r"[-+]?[\d.,]+( [A-Z]{3,4}| ?%| m?s)?")
# An amount with its currency, a count, or a duration. Longer digits without groups are the number
# of a document.
_FIGURE = re.compile(
    r"[-+]?(\d{1,3}([.,]\d{3})*([.,]\d+)?( [A-Z]{3,4}| ?%| m?s)?|\d+([.,]\d+)? [A-Z]{3,4})"
)
_FINGERPRINT = re.compile(r"(0x)?[0-9a-f]{40,}")
# An id, or the public part of an API key.
_ID = re.compile(r"[a-z]{2,5}_[0-9a-z]{26}|pk_(test_)?[0-9a-f]{32}")
# Controls, and markup that does not wrap: labels of states, times, icons. Matched only inside tags,
# because users write the texts.
_HOLDS = re.compile(r"<(a|input|select|textarea|button|form|svg|img)\b|material-")
_WHOLE = re.compile(
    r"<(input|select|textarea|button|form|svg|img|time)\b|<[^>]*(whitespace-nowrap|material-)"
)


def two_lines(first: object, second: object) -> SafeString:
    """The second is small, below the first."""
    return format_html(
        '<span class="shell-two"><span>{}</span> <small>{}</small></span>', first, second
    )


def bounded(cell: str) -> SafeString:
    """`cell` as the theme has rendered it."""
    found = _CELL.fullmatch(cell.strip())
    if found is None:
        return mark_safe(cell)  # noqa: S308 - the theme's own markup
    tag, attributes, inner = found.groups()
    inner = _LINK.sub(_light_link, inner)
    text = " ".join(unescape(strip_tags(inner)).split())
    column = _FIELD.search(attributes)
    kind, content = _content(inner, text, column[1] if column else "")
    own = " ".join([*_OWN_CLASS.findall(attributes), *([kind] if kind else [])])
    attributes = _LABEL.sub(lambda label: label[1] + label[2].upper(), attributes, count=1)
    attributes = f' class="{own}"{_CLASS.sub("", attributes, count=1)}'
    return mark_safe(f"<{tag}{attributes}>{content}</{tag}>")  # noqa: S308 - escaped by the theme


def _light_link(link: re.Match[str]) -> str:
    """The link to the row's own record keeps a class, because it is written in another colour."""
    is_own = "text-font-important" in link[2]
    return f'<a{link[1]} class="shell-open"' if is_own else f"<a{link[1]}"


def _content(inner: str, text: str, column: str) -> tuple[str, str]:
    """The class of the cell, and what it shows."""
    if text in ("", "-") and not _HOLDS.search(inner):
        return "shell-none", inner
    if not text or _WHOLE.search(inner):
        return "", inner
    if len(text) <= LONGEST_AMOUNT and _AMOUNT.fullmatch(text):
        return "shell-number", f'<div class="desk-whole">{inner}</div>'
    if _ID.fullmatch(text):
        return "shell-has-id", _copied_id(inner, text)
    if _FINGERPRINT.fullmatch(text) and not _HOLDS.search(inner):
        return "", f'<div class="desk-whole">{fingerprint(text)}</div>'
    if len(text) <= SHORT:
        return "", f'<div class="desk-whole">{inner}</div>'
    kind = "desk-cut desk-wrap" if column in WRAPPED else "desk-cut"
    return "", f'<div class="{kind}" title="{escape(text)}"><div>{inner}</div></div>'


def rows_of(
    results: Iterable[Iterable[str]], headers: Sequence[dict[str, Any]]
) -> list[list[SafeString]]:
    """The bounded cells of a list. Columns of amounts and counts stand on the right."""
    rows = [[bounded(cell) for cell in row] for row in results]
    for place, header in enumerate(headers):
        column = [row[place] for row in rows if place < len(row)]
        header["is_number"] = _is_column_of_numbers([_text(cell) for cell in column])
        for row in rows if header["is_number"] else ():
            row[place] = mark_safe(row[place].replace('class="', 'class="shell-right ', 1))  # noqa: S308 - ours
    return rows


def parts_of(table: Mapping[str, Any]) -> dict[str, Any]:
    """A table beside a timeline: {"headers": [(label, class)], "rows": [[(label, class, cell)]]}.

    An empty cell has a class, because the card of a phone leaves it out.
    """
    rows = [list(row) for row in table["rows"]]
    labels = list(table["headers"])
    classes = []
    for place in range(len(labels)):
        column = [_text(str(row[place])) for row in rows if place < len(row)]
        classes.append("shell-right" if _is_column_of_numbers(column) else "")
    return {
        "is_compact": table.get("is_compact", False),
        "headers": list(zip(labels, classes, strict=True)),
        "rows": [
            [
                (
                    label,
                    f"{kind} shell-none" if _text(str(cell)) in ("", "-") else kind,
                    on_one_line(cell),
                )
                for label, kind, cell in zip(labels, classes, row, strict=False)
            ]
            for row in rows
        ],
    }


def _text(cell: str) -> str:
    return " ".join(unescape(strip_tags(cell)).split())


def _is_column_of_numbers(texts: Sequence[str]) -> bool:
    shown = [text for text in texts if text not in ("", "-")]
    return bool(shown) and all(_FIGURE.fullmatch(text) for text in shown)


def on_one_line(cell: object) -> object:
    """An amount does not wrap, and a fingerprint is shown by its ends. Others stay as they are."""
    if isinstance(cell, str) and _FINGERPRINT.fullmatch(cell):
        return fingerprint(cell)
    if isinstance(cell, str) and len(cell) <= LONGEST_AMOUNT and _AMOUNT.fullmatch(cell):
        return format_html('<span class="whitespace-nowrap">{}</span>', cell)
    return cell


def fingerprint(text: str) -> SafeString:
    """`3fa91c02…b7e1d4`, `pk_test_…0dd9de`, and a button that copies the whole one."""
    return format_html(
        '<span class="shell-id" title="{}" aria-hidden="true">{}</span>'
        '<span class="desk-hidden">{}</span> {}',
        *(text, short_id(text) if is_id(text) else f"{text[:8]}…{text[-ID_TAIL:]}"),
        *(text, copy_button(text)),
    )


def is_id(text: str) -> bool:
    return _ID.fullmatch(text) is not None


def short_id(text: str) -> str:
    """`col_…5ty4xz`, `pk_test_…0dd9de`."""
    return f"{text.rpartition('_')[0]}_…{text[-ID_TAIL:]}"


def _copied_id(inner: str, text: str) -> str:
    """The short id, and a button that copies the whole one."""
    shown = (
        f'<span class="shell-id" title="{text}" aria-hidden="true">{short_id(text)}</span>'
        f'<span class="desk-hidden">{text}</span>'
    )
    start = inner.rindex(text)  # an address before it may have the id, too
    whole = inner[:start] + shown + inner[start + len(text) :]
    return f'<div class="desk-whole">{whole}{copy_button(text)}</div>'


def copy_button(text: str) -> SafeString:
    return format_html(
        '<button type="button" class="shell-copy" data-copy="{}" aria-label="{}"></button>',
        text,
        gettext("Copy %s") % text,
    )


def copyable(text: str, address: str = "") -> SafeString:
    """The whole text, and a button that copies it. With `address`, the text is a link."""
    shown = format_html('<span class="shell-whole">{}</span>', text)
    if address.startswith(("https://", "http://")):
        shown = format_html('<a href="{}" target="_blank" rel="noopener">{}</a>', address, shown)
    return format_html("{} {}", shown, copy_button(text))
