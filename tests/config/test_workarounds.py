"""Workarounds for other packages, each with the version that needs it.

A test that fails here after an upgrade says: check whether the workaround is still needed.
"""

import logging
from importlib.metadata import version
from typing import Any

import pytest
from kombu import Queue
from kombu.transport import virtual
from kombu.transport.redis import Channel

from config.celery import app


@pytest.mark.parametrize(
    ("package", "release", "where"),
    [("kombu", "5.7", "config/celery.py"), ("granian", "2.8", "config/sigterm.py")],
)
def test_a_workaround_is_checked_again_with_each_release(
    package: str, release: str, where: str
) -> None:
    installed = version(package)
    assert installed.startswith(f"{release}."), f"{where} is for {package} {release}"


def receive(connection: Any, name: str) -> Any:
    """A message that is not acknowledged yet."""
    channel = connection.default_channel
    queue = Queue(name)(channel)
    queue.declare()
    message = channel.prepare_message("a wake-up")
    channel.basic_publish(message, exchange="", routing_key=queue.name)
    return queue.get()


def test_kombu_still_fails_to_acknowledge_on_a_closed_channel(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Channel, "basic_ack", virtual.Channel.basic_ack)
    connection = app.connection_for_read()
    message = receive(connection, "unpatched-ack")
    message.channel.close()
    with pytest.raises(AttributeError):
        message.ack_log_error(logging.getLogger(__name__), (ConnectionError,))
    connection.release()


def test_kombu_still_fails_to_return_a_message_of_a_lost_connection(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Channel, "do_restore", True)
    connection = app.connection_for_read()
    receive(connection, "unpatched-restore")
    connection._do_close_transport()
    with pytest.raises(AttributeError):
        connection.close()
