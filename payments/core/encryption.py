"""Encrypts every EncryptedTextField again with the first key of ENCRYPTION_KEYS."""

from collections.abc import Iterator
from dataclasses import dataclass
from uuid import UUID

from cryptography.fernet import Fernet, InvalidToken
from django.apps import apps
from django.conf import settings
from django.db import connection
from django.db.models import Model

from payments.core.fields import EncryptedTextField, cipher

BATCH = 500
Key = str | int | UUID  # a primary key


@dataclass(slots=True)
class Rotation:
    read: int = 0
    rotated: int = 0
    left: int = 0  # values that no key decrypts


def rotate() -> Rotation:
    """Safe to stop, to repeat, and to run beside the service.

    If a value has changed since it was read, it is not replaced, because the service has
    encrypted it with the first key.
    """
    total = Rotation()
    for model, column in encrypted_columns():
        last = None
        while rows := _batch(model, column, last):
            for key, token in rows:
                _rotate_one(model, column, key, token, total)
            last = rows[-1][0]
    return total


def encrypted_columns() -> Iterator[tuple[type[Model], str]]:
    for model in apps.get_models():
        for field in model._meta.concrete_fields:
            if isinstance(field, EncryptedTextField) and not model._meta.proxy:
                yield model, str(field.column)


def _batch(model: type[Model], column: str, last: Key | None) -> list[tuple[Key, str]]:
    """Primary keys and ciphertexts. Raw SQL, because the field would decrypt them."""
    table, key, value = _names(model, column)
    after = "" if last is None else f"AND {key} > %(last)s"
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT {key}, {value} FROM {table} WHERE {value} <> '' {after}"  # noqa: S608
            f" ORDER BY {key} LIMIT {BATCH}",
            {"last": last},
        )
        return [(row[0], row[1]) for row in cursor.fetchall()]


def _rotate_one(model: type[Model], column: str, key: Key, token: str, total: Rotation) -> None:
    total.read += 1
    try:
        if _is_under_first_key(token):
            return
        fresh = cipher().rotate(token.encode()).decode()
    except InvalidToken:
        total.left += 1
        return
    table, key_name, value = _names(model, column)
    with connection.cursor() as cursor:
        cursor.execute(
            f"UPDATE {table} SET {value} = %s WHERE {key_name} = %s AND {value} = %s",  # noqa: S608
            [fresh, key, token],
        )
        total.rotated += cursor.rowcount


def _names(model: type[Model], column: str) -> list[str]:
    names = (model._meta.db_table, model._meta.pk.column, column)
    return [connection.ops.quote_name(str(name)) for name in names]


def _is_under_first_key(token: str) -> bool:
    try:
        Fernet(settings.ENCRYPTION_KEYS[0]).decrypt(token.encode())
    except InvalidToken:
        return False
    return True
