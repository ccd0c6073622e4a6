"""The simulator's store under threads, processes and forks."""

import multiprocessing
import os
import sqlite3
import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from decimal import Decimal
from threading import Barrier

import pytest

from payments.providers.ports import ChargeStatus, Rail
from payments.simulator import control, records, store
from payments.simulator.payin import SimulatorPayin
from tests.simulator.conftest import TIMEOUT, charge

THREADS = 8
DEPOSITS = 12


def deposit_often(reference: str) -> None:
    """Cumulative totals are read, added to and written: a lost update would show."""
    for _ in range(DEPOSITS):
        store.charges.change(
            reference, lambda record: replace(record, received=record.received + 1)
        )


def test_eight_threads_start_one_charge(port):
    request, barrier = charge(), Barrier(THREADS)

    def start(_: int) -> str:
        barrier.wait()
        return port.start(request, TIMEOUT).provider_id

    with ThreadPoolExecutor(THREADS) as pool:  # the file does not exist yet: they race for it, too
        assert len(set(pool.map(start, range(THREADS)))) == 1


def test_eight_threads_lose_no_money(port):
    request = charge(Rail.BANK_TRANSFER)
    port.start(request, TIMEOUT)
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(deposit_often, [request.reference] * THREADS))
    assert store.charges.by_reference(request.reference).received == THREADS * DEPOSITS


@pytest.mark.slow
@pytest.mark.parametrize("method", ["fork", "spawn"])
def test_two_processes_lose_no_money(port, settings, method):
    request = charge(Rail.BANK_TRANSFER)
    port.start(request, TIMEOUT)
    context = multiprocessing.get_context(method)
    workers = [
        context.Process(target=_worker, args=(str(settings.SIMULATOR_STATE), request.reference))
        for _ in range(2)
    ]
    for worker in workers:
        worker.start()
    deposit_often(request.reference)
    for worker in workers:
        worker.join(60)
    assert [worker.exitcode for worker in workers] == [0, 0]
    # Each worker deposits from four threads.
    assert store.charges.by_reference(request.reference).received == DEPOSITS * (1 + 2 * 4)


def _worker(state: str, reference: str) -> None:
    import django
    from django.conf import settings

    django.setup()
    settings.SIMULATOR_STATE = state
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(deposit_often, [reference] * 4))


def test_one_of_many_decides(port, arrived):
    request, barrier = charge(), Barrier(THREADS)
    port.start(request, TIMEOUT)

    def decide(number: int) -> bool:
        barrier.wait()
        end = ChargeStatus.SUCCEEDED if number % 2 else ChargeStatus.FAILED
        try:
            control.resolve(request.reference, end)
        except control.NotPossible:
            return False
        return True

    with ThreadPoolExecutor(THREADS) as pool:
        assert sum(pool.map(decide, range(THREADS))) == 1
    assert len(arrived) == 1


def test_what_a_decision_raises_changes_nothing(port):
    request = charge()
    port.start(request, TIMEOUT)
    before = store.charges.by_reference(request.reference)

    def fail(record: records.ChargeRecord) -> records.ChargeRecord:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        store.charges.change(request.reference, fail)
    assert store.charges.by_reference(request.reference) == before
    with pytest.raises(store.UnknownReference):
        store.charges.change("chg_unknown", fail)


def test_a_record_comes_back_as_it_was_written(port):
    request = charge(Rail.CRYPTO, amount=Decimal("0.10000000"), description="ñ ☕ 'quoted'")
    provider_id = port.start(request, TIMEOUT).provider_id
    record = store.charges.by_provider_id(provider_id)
    assert record == store.charges.by_reference(request.reference)
    assert str(record.amount) == "0.10000000"
    assert record.description == request.description
    assert record.expires_at == request.expires_at


def test_calls_are_counted_apart():
    assert [store.count_call("chg_1", "start") for _ in range(3)] == [1, 2, 3]
    assert store.count_call("chg_1", "query") == store.count_call("chg_2", "start") == 1


def test_the_setting_is_read_at_each_call(settings, tmp_path, port):
    request = charge()
    port.start(request, TIMEOUT)
    settings.SIMULATOR_STATE = tmp_path / "elsewhere.sqlite3"
    assert store.charges.by_reference(request.reference) is None


def test_the_file_is_private_and_in_wal(settings, port):
    SimulatorPayin().start(charge(), TIMEOUT)
    path = settings.SIMULATOR_STATE
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    connection.close()
