"""Amounts in pesos as people write them: `1.250.000,50`, in English `1,250,000.50`."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils.functional import lazy
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from unfold.widgets import UnfoldAdminTextInputWidget

from payments.core import money
from payments.core.typed_amounts import pesos_in_one_way


def examples() -> dict[str, str]:
    """With the signs of the reader's language."""
    return {"whole": money.grouped("1250000"), "cents": money.grouped("1250000.50")}


def _hint() -> str:
    return gettext("In pesos, for example %(whole)s or %(cents)s.") % examples()


class PesosInput(UnfoldAdminTextInputWidget):
    """With its unit. static/console/shell.js groups the thousands of what was typed."""

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        signs = {"data-pesos": "".join(money.signs())}
        found: dict[str, Any] = super().get_context(name, value, {**(attrs or {}), **signs})
        return found

    def render(self, *args: Any, **kwargs: Any) -> SafeString:
        unit = '<span class="amount-unit">{}<span aria-hidden="true">{}</span></span>'
        return format_html(unit, super().render(*args, **kwargs), money.FIAT)


class PesosField(forms.Field):
    def __init__(self, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        kwargs.setdefault("help_text", lazy(_hint, str)())
        kwargs.setdefault("widget", PesosInput(attrs=attrs))
        super().__init__(**kwargs)

    def to_python(self, value: object) -> Any:
        text = str(value or "").strip()
        if not text:
            return None
        found = pesos_in_one_way(text)
        if found is None:
            wrong = gettext("“%(typed)s” is not an amount. Write it as %(whole)s or %(cents)s.")
            raise forms.ValidationError(wrong % {"typed": text[:40], **examples()})
        if found <= 0:
            raise forms.ValidationError(gettext("The amount is more than zero."))
        if found > settings.MAX_AMOUNT:
            raise forms.ValidationError(gettext("The amount is too large."))
        return found
