"""Runs the scenario on a new stack with free ports, and prints each step with its time."""

import contextlib
import os
import shutil
import sys
import time
from pathlib import Path

from config.devstack.control import StopSignals
from config.devstack.demo.browser import DemoError
from config.devstack.demo.coins import CoinScenario
from config.devstack.demo.receiver import Receiver
from config.devstack.demo.scenario import Scenario
from config.devstack.options import Options, read_options
from config.devstack.process import StackError
from config.devstack.supervisor import Stack, StopRequested
from config.devstack.throwaway import make_throwaway
from config.devstack.valkey import free_port

# Without the caller's other settings, because the demo has its own servers.
KEPT_VARIABLES = ("CHAINS", "PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "TZ")


def main() -> int:
    """Exit status 0 when every step succeeded, else 1."""
    signals = StopSignals()
    signals.listen()
    data_dir = make_throwaway("demo")
    receiver = Receiver()
    stack: Stack | None = None
    try:
        stack = Stack(demo_options(data_dir), signals, print_error)
        began = time.monotonic()
        stack.start()
        print(f"{milliseconds(began)}  A fresh stack: database, tables, web, workers", flush=True)
        kind = CoinScenario if stack.options.has_local_chains else Scenario
        scenario = kind(stack.options, receiver)
        print_steps(scenario, signals)
        print(f"\n{scenario.success}", flush=True)
    except (DemoError, StackError) as error:
        print_error(f"\nFailed: {error}")
        if stack is not None:
            stack.check()
        return 1
    except StopRequested:
        print_error("Interrupted.")
        return 1
    finally:
        if stack is not None:
            stack.stop()
        receiver.close()
        shutil.rmtree(data_dir, ignore_errors=True)
    return 0


def demo_options(data_dir: Path) -> Options:
    environment = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
    environment |= {"DATA_DIR": str(data_dir), "PORT": str(free_port()), "WEB_WORKERS": "1"}
    return read_options(environment)


def print_steps(scenario: Scenario, signals: StopSignals) -> None:
    began = time.monotonic()
    for description, outcome in scenario.steps():
        print(f"{milliseconds(began)}  {description}\n             {outcome}", flush=True)
        if signals.is_stop_requested():
            raise StopRequested
        began = time.monotonic()


def milliseconds(began: float) -> str:
    return f"{(time.monotonic() - began) * 1000:8.0f} ms"


def print_error(text: str) -> None:
    """On standard error, because standard output has only the steps."""
    with contextlib.suppress(OSError):
        print(text, file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main())
