"""Amounts in pesos as people write them: `1.250.000,50`, in English `1,250,000.50`."""

import re
from decimal import Decimal
from typing import Any, ClassVar

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


class InputWithUnit(UnfoldAdminTextInputWidget):
    unit: ClassVar[str]

    def render(self, *args: Any, **kwargs: Any) -> SafeString:
        unit = '<span class="amount-unit">{}<span aria-hidden="true">{}</span></span>'
        return format_html(unit, super().render(*args, **kwargs), self.unit)


class PesosInput(InputWithUnit):
    """With its unit. static/console/shell.js groups the thousands of what was typed."""

    unit = money.FIAT

    def get_context(self, name: str, value: Any, attrs: dict[str, Any] | None) -> dict[str, Any]:
        signs = {"data-pesos": "".join(money.signs())}
        found: dict[str, Any] = super().get_context(name, value, {**(attrs or {}), **signs})
        return found


class PercentInput(InputWithUnit):
    unit = "%"


class PesosField(forms.Field):
    def __init__(self, *, may_be_zero: bool = False, **kwargs: Any) -> None:
        self.may_be_zero = may_be_zero
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        kwargs.setdefault("help_text", lazy(_hint, str)())
        kwargs.setdefault("widget", PesosInput(attrs=attrs))
        super().__init__(**kwargs)

    def prepare_value(self, value: Any) -> Any:
        """What is stored is shown as a person writes it; what was typed stays as it is."""
        return money.digits(value, money.FIAT) if isinstance(value, Decimal) else value

    def to_python(self, value: object) -> Any:
        text = str(value or "").strip()
        if not text:
            return None
        found = pesos_in_one_way(text)
        if found is None:
            wrong = gettext("“%(typed)s” is not an amount. Write it as %(whole)s or %(cents)s.")
            raise forms.ValidationError(wrong % {"typed": text[:40], **examples()})
        if found <= 0 and not self.may_be_zero:
            raise forms.ValidationError(gettext("The amount is more than zero."))
        if found > settings.MAX_AMOUNT:
            raise forms.ValidationError(gettext("The amount is too large."))
        return found


class PercentField(forms.Field):
    """A part of an amount, which is stored as 0.015 and typed as 1.5."""

    # Of less than a hundred there are no thousands, so either sign is the decimal one.
    typed: ClassVar[re.Pattern[str]] = re.compile(r"([0-9]{1,2})(?:[.,]([0-9]{1,4}))?")

    def __init__(self, **kwargs: Any) -> None:
        attrs = {"inputmode": "decimal", "autocomplete": "off"}
        super().__init__(**{"widget": PercentInput(attrs=attrs), **kwargs})

    def prepare_value(self, value: Any) -> Any:
        return money.grouped(money.text(value * 100)) if isinstance(value, Decimal) else value

    def to_python(self, value: object) -> Any:
        text = re.sub(r"[\s%]", "", str(value if value is not None else ""))
        if not text:
            return None
        if (match := self.typed.fullmatch(text)) is None:
            wrong = gettext("A percentage from 0 to less than 100, such as %(example)s.")
            raise forms.ValidationError(wrong % {"example": money.grouped("1.5")})
        return Decimal(f"{match[1]}.{match[2] or '0'}") / 100
