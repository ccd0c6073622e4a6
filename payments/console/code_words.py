"""Codes of rails and methods as words: `Simulator` for simulator, `Wompi PSE` for wompi_pse.

Programs and auditors find the code itself as the title of the word.
"""

import re
from typing import Any

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _
from unfold.decorators import display

from payments.console.registry import Text
from payments.console.timeline import method_name

_KNOWN: dict[str, Text] = {"simulator": _("Simulator")}
# Names of their own, which are no words.
_CAPITALS = {"pse": "PSE", "qr": "QR", "breb": "Bre-B", "nequi": "Nequi", "daviplata": "DaviPlata"}
_CODE = re.compile(r"[A-Za-z]+(_[A-Za-z]+)*")


def code_words(code: str) -> str:
    """A text that is no code stays as it is, such as the name that a person gave an account."""
    if (known := method_name(code) or _KNOWN.get(code)) is not None:
        return str(known)
    if not _CODE.fullmatch(code) or (code.isupper() and "_" not in code):
        return code
    words = [_CAPITALS.get(word, word) for word in code.lower().split("_")]
    return str(capfirst(" ".join(words)))


def with_code(code: str) -> str | SafeString:
    if not code:
        return "-"
    return format_html('<span title="{}">{}</span>', code, code_words(code))


def words_column(field: str, label: Text) -> Any:
    """A column with the words of the code in `field`."""

    @display(description=label, ordering=field)
    def column(_page: object, row: object) -> str | SafeString:
        return with_code(getattr(row, field))

    return column
