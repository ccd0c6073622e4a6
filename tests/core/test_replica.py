"""Which questions may go to a replica, and what happens when it does not answer."""

from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, transaction
from psycopg.errors import AdminShutdown, QueryCanceled

from payments.core import replica


class Connection:
    """The replica's: only whether it was closed."""

    def __init__(self) -> None:
        self.closed = 0

    def close(self) -> None:
        self.closed += 1


@pytest.fixture
def copy(monkeypatch: pytest.MonkeyPatch) -> Connection:
    """There is one."""
    connection = Connection()
    monkeypatch.setattr(replica, "settings", SimpleNamespace(DATABASES={"replica": {}}))
    monkeypatch.setattr(replica, "connections", {"replica": connection})
    monkeypatch.setattr(replica.breaker, "paused_until", 0.0)
    return connection


def read_from() -> str:
    return replica.Router().db_for_read(None)


@replica.may_lag
def listed() -> str:
    return read_from()


def failing_at_the_replica(error: Exception, cause: Exception) -> Any:
    @replica.may_lag
    def read() -> str:
        if read_from() == "replica":
            raise error from cause
        return read_from()

    return read


def test_reads_that_may_lag_go_to_the_replica_and_writes_never(copy: Connection) -> None:
    assert (listed(), read_from()) == ("replica", "default")
    assert replica.Router().db_for_write(None) == "default"
    assert not replica.Router().allow_migrate("replica", "collect")


def test_without_one_everything_is_read_from_the_primary() -> None:
    assert listed() == "default"


@pytest.mark.django_db
def test_a_transaction_sees_what_it_has_written(copy: Connection) -> None:
    with transaction.atomic():
        assert listed() == "default"


def test_one_that_is_away_is_left_alone_for_a_while(
    copy: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = failing_at_the_replica(OperationalError("gone"), AdminShutdown())
    assert (read(), copy.closed) == ("default", 1)
    assert (listed(), copy.closed) == ("default", 1)  # it gets no query
    monkeypatch.setattr(replica.breaker, "paused_until", 0.0)
    assert listed() == "replica"


def test_a_question_that_took_too_long_is_not_put_to_the_primary(copy: Connection) -> None:
    read = failing_at_the_replica(OperationalError("too slow"), QueryCanceled())
    with pytest.raises(OperationalError, match="too slow"):
        read()
    assert listed() == "replica"
    assert read_from() == "default"
