"""Outgoing payments in the store under threads and processes, and in files of earlier releases."""

import multiprocessing
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import replace
from decimal import Decimal
from threading import Barrier

import pytest

from payments.core import clock
from payments.providers.ports import Known, OutgoingState, ProviderError, ProviderTimeout
from payments.simulator import control, magic, schema, store
from payments.simulator.magic import OutgoingProduct
from payments.simulator.outgoing import SimulatorPayout
from payments.simulator.records import NotPossible
from tests.simulator.conftest import TIMEOUT, charge, payout, topup

THREADS = 8
PROCESSES = 2
PAYOUTS = 10
BY_DOCUMENT = magic.OUTGOING_BY_KEY[OutgoingProduct.PAYOUT]
DOCUMENTS = {behaviour.name: document for document, behaviour in BY_DOCUMENT.items()}
COMPLETING = ("clean", "answer-lost-after", "answer-lost-before", "error-after", "unavailable")


def send_often(requests):
    """Sends everything until it is answered, as a service that has lost its memory would."""
    port = SimulatorPayout()
    for request in requests:
        for _ in range(4):
            with suppress(ProviderError):  # what the magic raises; the store raises nothing
                port.send(request, TIMEOUT)


def together(act):
    barrier = Barrier(THREADS)

    def run(number):
        barrier.wait()
        return act(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(run, range(THREADS)))


def test_eight_threads_send_one_payout(payout_port):
    request = payout(document_number=DOCUMENTS["clean"])  # the file does not exist yet, either
    updates = together(lambda _: payout_port.send(request, TIMEOUT))
    assert len({update.provider_id for update in updates}) == 1
    assert store.executions(request.payment_id) == 1
    assert store.calls(request.reference, "send") == THREADS


def test_one_of_eight_answers_is_lost(payout_port):
    request = payout(document_number=DOCUMENTS["answer-lost-after"])

    def send(_):
        try:
            return payout_port.send(request, TIMEOUT).state
        except ProviderTimeout:
            return None

    answers = together(send)
    assert (answers.count(None), answers.count(OutgoingState.COMPLETED)) == (1, THREADS - 1)
    assert store.executions(request.payment_id) == 1


def test_one_of_eight_decides(payout_port, arrived_outgoing):
    request = payout()
    payout_port.send(request, TIMEOUT)

    def decide(number):
        end = OutgoingState.COMPLETED if number % 2 else OutgoingState.FAILED
        try:
            control.resolve(request.reference, end)
        except NotPossible:
            return False
        return True

    assert sum(together(decide)) == 1
    assert len(arrived_outgoing) == 1
    is_completed = arrived_outgoing[0].state is OutgoingState.COMPLETED
    assert store.executions(request.payment_id) == is_completed


def test_eight_wake_the_simulator_and_one_sends_the_callback(
    payout_port, arrived_outgoing, monkeypatch
):
    monkeypatch.setattr(store.outgoing, "due", lambda now: [request.reference])
    request = payout(document_number=DOCUMENTS["completed-later"])
    payout_port.send(request, TIMEOUT)
    past = replace(store.outgoing.by_reference(request.reference), due_at=clock.now())
    store.outgoing.change(request.reference, lambda _: past)
    assert sum(together(lambda _: control.wake())) == 1
    assert [update.state for update in arrived_outgoing] == ["COMPLETED"]
    assert store.executions(request.payment_id) == 1


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_threads_of_two_processes_execute_each_payout_once(settings, method):
    requests = [
        payout(document_number=DOCUMENTS[name]) for name in COMPLETING for _ in range(PAYOUTS)
    ]
    context = multiprocessing.get_context(method)
    workers = [
        context.Process(target=_worker, args=(str(settings.SIMULATOR_STATE), requests))
        for _ in range(PROCESSES)
    ]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(120)
    assert [worker.exitcode for worker in workers] == [0] * PROCESSES
    assert store.executions_by_payment() == {request.payment_id: 1 for request in requests}
    assert {record.state for record in store.outgoing.all()} == {OutgoingState.COMPLETED}


def _worker(state, requests):
    import django
    from django.conf import settings

    django.setup()
    settings.SIMULATOR_STATE = state
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(send_often, [requests] * 4))


def test_what_a_decision_raises_changes_nothing(payout_port):
    request = payout()
    payout_port.send(request, TIMEOUT)
    before = store.outgoing.by_reference(request.reference)

    def fail(record):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.outgoing.change(request.reference, fail)
    assert store.outgoing.by_reference(request.reference) == before
    with pytest.raises(store.UnknownReference):
        store.outgoing.change("po_unknown", fail)


def test_a_record_comes_back_as_it_was_written(payout_port):
    request = payout(amount=Decimal("1000.10"), description="ñ ☕ 'quoted'")
    payout_port.send(request, TIMEOUT)
    record = store.outgoing.by_reference(request.reference)
    assert (str(record.amount), record.description) == ("1000.10", request.description)
    assert record.destination == "1007 SAVINGS 12345678901"
    assert store.outgoing.all() == store.outgoing.by_payment_id(request.payment_id) == [record]


def test_store_without_payouts_is_brought_up_to_date(port, payout_port, monkeypatch):
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "SCHEMAS", schema.SCHEMAS[:1])
        with store.connect() as connection, pytest.raises(sqlite3.OperationalError):
            connection.execute("SELECT * FROM payouts")
    requests = [payout(document_number=DOCUMENTS["clean"]) for _ in range(THREADS)]
    together(lambda number: payout_port.send(requests[number], TIMEOUT))
    assert len(store.outgoing.all()) == THREADS
    assert port.start(charge(), TIMEOUT).provider_id


def test_store_that_knew_only_payouts_is_brought_up_to_date(
    payout_port, topup_port, arrived_outgoing, monkeypatch
):
    known, done = payout(), payout()
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "SCHEMAS", schema.SCHEMAS[:2])
        with store.transaction() as connection:
            for request, state in ((known, "PENDING"), (done, "COMPLETED")):
                connection.execute(
                    f"INSERT INTO payouts VALUES ({', '.join('?' * 18)})",
                    [*earlier_row(request, state)],
                )
            connection.execute(
                "INSERT INTO executions VALUES (?, ?, ?)",
                [done.reference, done.payment_id, "2026-03-02T15:00:00.000000+00:00"],
            )
    together(lambda _: topup_port.send(topup(), 5))
    assert payout_port.query(Known(reference=known.reference)).state is OutgoingState.PENDING
    assert payout_port.send(done, TIMEOUT).provider_id == f"simpo_{done.reference}"
    record = store.outgoing.by_reference(done.reference)
    assert (record.product, record.rail, record.authorization) == (
        OutgoingProduct.PAYOUT,
        "BANK",
        "",
    )
    assert control.resolve(known.reference, OutgoingState.COMPLETED) == 200
    for request in (known, done):
        assert store.executions(request.payment_id) == 1
    assert len(arrived_outgoing) == magic.REPEATED_CALLBACKS


def earlier_row(request, state):
    """A payout as the release before this wrote it, column by column."""
    moment = "2026-03-02T15:00:00.000000+00:00"
    yield from (request.reference, request.payment_id, f"simpo_{request.reference}", "BANK")
    yield from (str(request.amount), request.recipient_name, "CC 1020304050", "1007 SAVINGS 1")
    yield from (request.description, request.callback_url, "callback-repeated", state)
    yield from ("", moment, moment, None, 0, 0)
