"""The workers' side of the wake-up: losing the broker costs time, never a worker."""

import logging

from kombu import Queue

from config.celery import app
from payments.core import jobs


def test_a_task_that_outlasts_its_connection_to_redis_ends_no_worker() -> None:
    connection = app.connection_for_read()
    channel = connection.default_channel
    queue = Queue("outlasted")(channel)
    queue.declare()
    channel.basic_publish(channel.prepare_message("a wake-up"), exchange="", routing_key=queue.name)
    message = queue.get()
    channel.close()  # what the worker does before it connects again

    message.ack_log_error(logging.getLogger(__name__), (ConnectionError,))

    assert channel.connection is None
    connection.release()


def test_a_worker_that_loses_redis_with_a_message_in_hand_goes_on() -> None:
    connection = app.connection_for_read()
    channel = connection.default_channel
    queue = Queue("held")(channel)
    queue.declare()
    message = channel.prepare_message("a wake-up")
    channel.basic_publish(message, exchange="", routing_key=queue.name)
    assert queue.get() is not None

    connection._do_close_transport()  # what is left of it when the first try to close has failed
    connection.close()


def test_a_scanner_does_not_wait_behind_wake_ups() -> None:
    for number in range(3):
        jobs._send_to_celery(("payments.payout.tasks.send_payout", (f"po_{number}",)), None)
    app.send_task("payments.payout.tasks.process_due", expires=10)

    with app.connection_for_read() as connection:
        queue = Queue("default")(connection.default_channel)
        assert queue.get(no_ack=True).headers["task"] == "payments.payout.tasks.process_due"
        assert queue.get(no_ack=True).headers["task"] == "payments.payout.tasks.send_payout"
