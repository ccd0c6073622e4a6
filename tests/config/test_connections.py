"""A kept connection: checked without a query while the socket is quiet, never trusted when not."""

import gc
import subprocess
import sys
import threading
import time
from collections.abc import Iterator

import psycopg
import pytest
from django.core.cache import caches
from django.db import connection
from django.db.backends.postgresql import base

from config.postgresql.base import CHECK_AFTER_SECONDS
from tests.support.services import child_environment

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[bool]]:
    """What the server answered to each `SELECT 1`."""
    answers: list[bool] = []
    ask = base.DatabaseWrapper.is_usable

    def counted(wrapper: base.DatabaseWrapper) -> bool:
        answers.append(ask(wrapper))
        return answers[-1]

    monkeypatch.setattr(base.DatabaseWrapper, "is_usable", counted)
    connection.close()
    yield answers
    connection.close()


def begin_request() -> None:
    """What Django does with each connection when a request begins."""
    connection.close_if_unusable_or_obsolete()


def backend() -> int:
    """A query, as the request's first; the server's process that answers it."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_backend_pid()")
        return cursor.fetchone()[0]


def terminate(pid: int) -> None:
    """What a restart, an administrator or a pooler does to an idle connection."""
    with psycopg.connect(child_environment()["DATABASE_URL"], autocommit=True) as other:
        # Waits until it is gone, so that the farewell is on its way.
        assert other.execute("SELECT pg_terminate_backend(%s, 5000)", [pid]).fetchone() == (True,)


def test_requests_share_a_connection_and_ask_nothing(asked: list[bool]) -> None:
    pids = set()
    for _ in range(50):
        begin_request()
        pids.add(backend())
    assert len(pids) == 1
    assert asked == []


def test_a_connection_that_the_server_ended_is_replaced_before_the_first_query(
    asked: list[bool],
) -> None:
    begin_request()
    first = backend()
    terminate(first)
    begin_request()
    assert backend() != first
    assert asked == [False]


def test_after_an_error_only_the_servers_word_counts(asked: list[bool]) -> None:
    begin_request()
    backend()
    connection.errors_occurred = True
    begin_request()
    assert asked == [True]
    assert connection.errors_occurred is False


def test_a_quiet_socket_is_believed_for_seconds_only(
    asked: list[bool], monkeypatch: pytest.MonkeyPatch
) -> None:
    begin_request()
    backend()
    now = connection._responded_at + CHECK_AFTER_SECONDS
    monkeypatch.setattr("config.postgresql.base.monotonic", lambda: now)
    begin_request()
    backend()
    assert asked == [True]


def test_a_connection_ends_with_its_thread() -> None:
    """The web server ends idle threads; those that come later bring connections of their own."""
    pids: list[int] = []
    gc.disable()
    try:
        for _ in range(3):
            thread = threading.Thread(target=lambda: pids.append(backend()))
            thread.start()
            thread.join()
        with connection.cursor() as cursor:
            # The server notices a farewell in its own time.
            for _ in range(1200):
                cursor.execute("SELECT count(*) FROM pg_stat_activity WHERE pid = ANY(%s)", [pids])
                if (left := cursor.fetchone()[0]) == 0:
                    break
                time.sleep(0.05)
    finally:
        gc.enable()
    assert (len(set(pids)), left) == (3, 0)


def test_a_fork_leaves_the_connections_of_threads_alone() -> None:
    """The child has no other threads; what they held goes, but not to the server's ears."""
    asked: list[int] = []
    forked = threading.Event()

    def ask() -> None:
        asked.append(backend())
        forked.wait(30)
        asked.append(backend())
        connection.close()

    thread = threading.Thread(target=ask)
    thread.start()
    while not asked:
        time.sleep(0.01)
    subprocess.run([sys.executable, "-c", ""], preexec_fn=lambda: None, check=True)
    forked.set()
    thread.join()
    assert len(asked) == 2
    assert asked[0] == asked[1]


def test_threads_hand_on_their_connections_to_redis() -> None:
    """Each cache has one, which its thread keeps while it lives."""
    clients: set[int] = set()

    def ask() -> None:
        clients.add(caches["default"]._cache.get_client().client_id())
        clients.add(caches["limits"]._count.registered_client.client_id())

    gc.disable()
    try:
        for _ in range(5):
            thread = threading.Thread(target=ask)
            thread.start()
            thread.join()
    finally:
        gc.enable()
    assert len(clients) == 2
