"""Dates and times as payers read them, in the time of Bogotá."""

import re
from datetime import datetime

from django.utils import dateformat, timezone, translation

_FORMATS = {
    "full": {"es": r"j \d\e F \d\e Y, g:i a", "en": "F j, Y, g:i a"},
    "short": {"es": "j b Y, g:i a", "en": "M j, Y, g:i a"},
    "soon": {"es": r"j \d\e F, g:i a", "en": "F j, g:i a"},
    "today": {"es": "g:i a", "en": "g:i a"},
}


def written(value: datetime, length: str = "full") -> str:
    """`21 de noviembre de 2025, 2:32 p.m.` Shorter if the date is near."""
    form = _FORMATS[length][_language()]
    text = str(dateformat.format(timezone.localtime(value), form))
    return re.sub(r" (?=[ap]\.m\.)", "\N{NO-BREAK SPACE}", text)


def is_today(value: datetime, now: datetime) -> bool:
    """Whether the hour is enough to say when it is."""
    return timezone.localdate(value) == timezone.localdate(now)


def is_one_oclock(value: datetime) -> bool:
    """Spanish says `la 1:05` of this hour and `las` of every other."""
    return timezone.localtime(value).hour % 12 == 1


def _language() -> str:
    return "en" if (translation.get_language() or "").startswith("en") else "es"
