"""Column types: money, public ids, and text that is encrypted at rest."""

import re
from decimal import Decimal
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
from django import forms
from django.conf import settings
from django.db import models
from django.utils.translation import gettext

from payments.core import money
from payments.core.ids import ID_MAX_LENGTH

# "3.950" is nearly four thousand as our pages write it, and less than four as a decimal.
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(?:[.,]\d{3})+")


class TypedMoney(forms.DecimalField):
    """An amount that a person types: 200000, with a point before decimals and no separators."""

    def to_python(self, value: object) -> Any:
        if isinstance(value, str) and _GROUPED.fullmatch(value.strip()):
            parts = re.split("[.,]", value.strip())
            text = gettext(
                "Write it without separators of thousands: %(whole)s. If you mean decimals, "
                "write %(decimals)s."
            )
            meant = {"whole": "".join(parts), "decimals": f"{parts[0]}.{parts[1]}0"}
            raise forms.ValidationError(text, code="grouped", params=meant)
        return super().to_python(value)

    def prepare_value(self, value: object) -> object:
        """As text that to_python accepts: 1.1250 and not 1.125."""
        if not isinstance(value, Decimal):
            return value
        text = money.text(value)
        return f"{text}0" if _GROUPED.fullmatch(text) else text


class MoneyField(models.DecimalField):
    """numeric(24, 8): every amount on the books has this size."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_digits", money.MAX_DIGITS)
        kwargs.setdefault("decimal_places", money.DECIMAL_PLACES)
        super().__init__(*args, **kwargs)

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": TypedMoney, **kwargs})


class IdField(models.CharField):
    """A public id (payments.core.ids). Collation C: bytes compare fast and sort by time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", ID_MAX_LENGTH)
        kwargs.setdefault("db_collation", "C")
        super().__init__(*args, **kwargs)


def cipher() -> MultiFernet:
    """The first key of ENCRYPTION_KEYS encrypts, all of them decrypt."""
    return MultiFernet([Fernet(key) for key in settings.ENCRYPTION_KEYS])


class EncryptedTextField(models.TextField):
    """Encrypted in the database and plain in Python. Cannot be searched."""

    def get_prep_value(self, value: str | None) -> str | None:
        return cipher().encrypt(value.encode()).decode() if value else value

    def from_db_value(self, value: str | None, *_: object) -> str | None:
        return cipher().decrypt(value.encode()).decode() if value else value
