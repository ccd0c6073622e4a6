"""Moments from the database are read as Django reads them, by Python's own parser."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.db.backends.postgresql.psycopg_any import register_tzloader

from config.postgresql import timestamptz

pytestmark = pytest.mark.django_db
ALIKE = [
    "2026-11-21 13:05:00.123456+00",
    "2026-11-21 13:05:00.1+00",
    "2026-11-21 13:05:00+00",
    "2026-11-21 08:05:00.000001-05",
    "0001-01-01 00:00:00+00",
    "9999-12-31 23:59:59.999999+00",
]


@pytest.fixture
def session() -> Iterator[Any]:
    """The connection that Django keeps, in UTC at the end as before."""
    connection.ensure_connection()
    yield connection.connection
    with connection.cursor() as cursor:
        cursor.execute("SET TIME ZONE 'UTC'")


def read(session: Any, text: str, *, djangos: bool = False) -> datetime:
    with session.cursor() as cursor:
        if djangos:
            register_tzloader(UTC, cursor)
        return cursor.execute("SELECT %s::timestamptz", [text]).fetchone()[0]


@pytest.mark.parametrize("zone", ["UTC", "America/Bogota", "Asia/Kathmandu"])
@pytest.mark.parametrize("text", ALIKE[:4])
def test_a_moment_is_what_django_makes_of_it(session: Any, text: str, zone: str) -> None:
    """In a session with another time zone, too."""
    session.execute(f"SET TIME ZONE '{zone}'")
    found = read(session, text)
    assert repr(found) == repr(read(session, text, djangos=True))
    assert found.tzinfo is UTC


@pytest.mark.parametrize("text", ALIKE)
def test_the_quick_way_is_taken(session: Any, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = read(session, text, djangos=True)
    monkeypatch.setattr(timestamptz, "_DjangosLoader", None)
    assert repr(read(session, text)) == repr(expected)


@pytest.mark.parametrize("text", ["infinity", "10000-01-01 00:00:00+00", "0044-03-15 00:00+00 BC"])
def test_what_python_has_no_moment_for_is_refused_as_before(session: Any, text: str) -> None:
    with pytest.raises(psycopg.DataError):
        read(session, text)
