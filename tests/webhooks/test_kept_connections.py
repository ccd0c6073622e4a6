"""Connections that are kept, and receivers that close them at the wrong moment."""

from typing import Any

import pytest

from tests.webhooks.receivers import Behaviour, Receiver, resetting, response
from tests.webhooks.test_sender import BODY, post


def closing_after(responses: int, *then: bytes, reads: bool = False) -> Behaviour:
    """Closes its first connection at the next request after so many, with no word but `then`.

    With `reads`, it has read that request before. Its other connections answer.
    """

    async def behave(receiver: Receiver, reader: Any, writer: Any) -> None:
        is_first = receiver.connections == 1
        while True:
            if is_first and len(receiver.requests) >= responses:
                await (receiver.read(reader) if reads else reader.readexactly(1))
                for piece in then:
                    await receiver.send(writer, piece)
                return
            receiver.note(await receiver.read(reader))
            await receiver.send(writer, response(200, b"ok"))

    return behave


@pytest.mark.parametrize("reads", [False, True], ids=["unread", "read"])
def test_request_on_a_connection_that_was_just_closed_is_sent_once_more(reads: bool) -> None:
    with Receiver(closing_after(2, reads=reads)) as receiver:
        answer = post(receiver.url, times=3)
    assert (answer.status, answer.error) == (200, "")
    assert len(receiver.requests) == 3
    assert receiver.connections == 2
    assert receiver.requests[-1].body == BODY
    assert receiver.requests[-1].headers["x-service-event-id"] == "evt_1"


def test_request_whose_response_has_begun_is_not_sent_again() -> None:
    with Receiver(closing_after(1, b"HTTP/1.1 2", reads=True)) as receiver:
        answer = post(receiver.url, times=2)
    assert answer.error == "DISCONNECTED"
    assert receiver.connections == 1


def test_first_request_of_a_connection_is_not_sent_again() -> None:
    with Receiver(resetting) as receiver:
        assert post(receiver.url).error == "DISCONNECTED"
    assert receiver.connections == 1


def test_request_that_is_closed_twice_is_a_failed_attempt() -> None:
    async def behave(receiver: Receiver, reader: Any, writer: Any) -> None:
        receiver.note(await receiver.read(reader))
        if len(receiver.requests) == 1:
            await receiver.send(writer, response(200))
            await receiver.read(reader)

    with Receiver(behave) as receiver:
        assert post(receiver.url, times=2).error == "DISCONNECTED"
    assert receiver.connections == 2
