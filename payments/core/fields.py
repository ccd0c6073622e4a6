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

# Our pages write 3950 as "3.950", which is less than four as a decimal.
_GROUPED = re.compile(r"-?[1-9]\d{0,2}(?:[.,]\d{3})+")


class TypedMoney(forms.DecimalField):
    """An amount as a person types it: a decimal point, no separators of thousands."""

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
        """Text that to_python accepts: 1.1250 and not 1.125."""
        if not isinstance(value, Decimal):
            return value
        text = money.text(value)
        return f"{text}0" if _GROUPED.fullmatch(text) else text


class MoneyField(models.DecimalField):
    """numeric(24, 8), the type of every amount."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_digits", money.MAX_DIGITS)
        kwargs.setdefault("decimal_places", money.DECIMAL_PLACES)
        super().__init__(*args, **kwargs)

    def formfield(self, **kwargs: Any) -> Any:
        return super().formfield(**{"form_class": TypedMoney, **kwargs})


class IdField(models.CharField):
    """A public id (payments.core.ids). With collation C it compares fast and sorts by time."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", ID_MAX_LENGTH)
        kwargs.setdefault("db_collation", "C")
        super().__init__(*args, **kwargs)


def cipher() -> MultiFernet:
    """Encrypts with the first key of ENCRYPTION_KEYS, and decrypts with each of them."""
    return MultiFernet([Fernet(key) for key in settings.ENCRYPTION_KEYS])


def decrypt(ciphertext: str) -> str:
    """Raises InvalidToken."""
    return cipher().decrypt(ciphertext.encode()).decode()


class EncryptedTextField(models.TextField):
    """Encrypted in the database and plain in Python. Cannot be searched."""

    def get_prep_value(self, value: str | None) -> str | None:
        return cipher().encrypt(value.encode()).decode() if value else value

    def from_db_value(self, value: str | None, *_: object) -> str | None:
        return decrypt(value) if value else value
