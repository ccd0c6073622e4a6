"""A web worker that stands still takes its share of the requests with it, until it is replaced."""

import os
import resource
import signal
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from config.devstack.options import read_options
from config.devstack.valkey import free_port
from config.devstack.workers import web_command
from config.worker_watchdog import WorkerWatchdog
from tests.deploy.test_graceful_stop import answers, process, wait_for

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]
# Less than the usual 20, and above the delay that a busy machine causes.
SILENT_SECONDS = 8.0


def workers(server: int) -> set[int]:
    return {int(pid) for pid in Path(f"/proc/{server}/task/{server}/children").read_text().split()}


def beating(directory: Path, count: int) -> Callable[[], bool]:
    return lambda: len(list(directory.glob("*"))) >= count


def test_a_frozen_worker_of_several_is_replaced_by_another(tmp_path: Path) -> None:
    """Only the other worker watches here, as in the image."""
    port = free_port()
    command = web_command(read_options({"PORT": str(port), "WEB_WORKERS": "2"}))
    pulse = tmp_path / "pulse"
    environment = {"WEB_PULSE_DIR": str(pulse), "WEB_SILENT_SECONDS": str(SILENT_SECONDS)}
    with process(command, tmp_path / "web.log", **environment) as web:
        wait_for("both workers", beating(pulse, 2))
        frozen = int(min(pulse.glob("*")).name.partition("-")[2])
        os.kill(frozen, signal.SIGSTOP)
        began = time.monotonic()
        try:
            replaced = False
            while not replaced and time.monotonic() - began < SILENT_SECONDS + 40:
                time.sleep(0.2)
                replaced = frozen not in workers(web.pid) and beating(pulse, 2)()
            assert replaced
            assert time.monotonic() - began > SILENT_SECONDS / 2
        finally:
            if frozen in workers(web.pid):
                os.kill(frozen, signal.SIGKILL)
        assert all(answers(port) for _ in range(12))


def test_the_only_worker_is_ended_by_who_started_it(tmp_path: Path) -> None:
    port = free_port()
    command = web_command(read_options({"PORT": str(port), "WEB_WORKERS": "1"}))
    pulse = tmp_path / "pulse"
    watch = WorkerWatchdog(pulse, silent_seconds=4)
    with process(command, tmp_path / "web.log", WEB_PULSE_DIR=str(pulse)) as web:
        wait_for("the worker", beating(pulse, 1))
        began = time.monotonic()
        while time.monotonic() - began < 6:  # it beats: it is left alone
            assert watch.kill_silent(web.pid) == []
            time.sleep(0.2)
        frozen = int(next(pulse.glob("*")).name.partition("-")[2])
        os.kill(frozen, signal.SIGSTOP)
        assert wait_for("its end", lambda: watch.kill_silent(web.pid)) == [frozen]
        wait_for("another in its place", lambda: answers(port))


def test_workers_that_were_paused_together_are_left_alone(tmp_path: Path) -> None:
    """A paused container, a virtual machine that is moved: time passes, and no process runs."""
    port = free_port()
    command = web_command(read_options({"PORT": str(port), "WEB_WORKERS": "2"}))
    pulse = tmp_path / "pulse"
    environment = {"WEB_PULSE_DIR": str(pulse), "WEB_SILENT_SECONDS": str(SILENT_SECONDS)}
    with process(command, tmp_path / "web.log", **environment) as web:
        wait_for("both workers", beating(pulse, 2))
        began = workers(web.pid)
        time.sleep(2)  # until each has seen the other
        for pid in (web.pid, *began):
            os.kill(pid, signal.SIGSTOP)
        time.sleep(SILENT_SECONDS + 3)
        for pid in (*began, web.pid):  # one comes first, as on a machine with one core
            os.kill(pid, signal.SIGCONT)
            time.sleep(0.2)
        time.sleep(4)
        assert workers(web.pid) == began
        assert all(answers(port) for _ in range(12))


def test_a_worker_that_had_no_descriptor_left_beats_on(tmp_path: Path) -> None:
    """Clients that hold connections open can bring it there; it must not be killed for that."""
    port = free_port()
    command = web_command(read_options({"PORT": str(port), "WEB_WORKERS": "1"}))
    pulse = tmp_path / "pulse"
    with process(command, tmp_path / "web.log", WEB_PULSE_DIR=str(pulse)) as web:
        wait_for("the worker", beating(pulse, 1))
        # One that still starts would end without descriptors.
        wait_for("an answer", lambda: answers(port))
        (file,) = pulse.glob("*")
        (worker,) = workers(web.pid)
        usual = resource.prlimit(worker, resource.RLIMIT_NOFILE)
        resource.prlimit(worker, resource.RLIMIT_NOFILE, (3, usual[1]))
        time.sleep(3)
        resource.prlimit(worker, resource.RLIMIT_NOFILE, usual)
        last = file.stat().st_mtime_ns
        wait_for("a beat", lambda: file.stat().st_mtime_ns > last)
        assert answers(port)
