"""Column types: money, public ids, and text that is encrypted at rest."""

from decimal import Decimal
from typing import Any

from cryptography.fernet import Fernet, MultiFernet
from django import forms
from django.conf import settings
from django.db import models

from payments.core import money
from payments.core.ids import ID_MAX_LENGTH


class TypedMoney(forms.DecimalField):
    """What is on the books stands in the form as a person would type it: 200000, no zeros after."""

    def prepare_value(self, value: Any) -> Any:
        """See the class."""
        return money.text(value) if isinstance(value, Decimal) else value


class MoneyField(models.DecimalField):
    """numeric(24, 8): every amount on the books has this size."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_digits", money.MAX_DIGITS)
        kwargs.setdefault("decimal_places", money.DECIMAL_PLACES)
        super().__init__(*args, **kwargs)

    def formfield(self, **kwargs: Any) -> Any:
        """See TypedMoney."""
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
    """Text that lies encrypted in the database and is plain in Python. Cannot be searched."""

    def get_prep_value(self, value: Any) -> Any:
        return cipher().encrypt(value.encode()).decode() if value else value

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return cipher().decrypt(value.encode()).decode() if value else value
