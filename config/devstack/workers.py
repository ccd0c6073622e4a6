"""The service's own processes: web server, the two Celery workers and beat.

The same commands serve production (Dockerfile, compose.yaml); only the addresses differ.
"""

import subprocess
import sys
from collections.abc import Callable

from config.devstack.options import PROJECT, Options
from config.devstack.process import never, spawn, stop, sweep


class Worker:
    """One long-running command of the service."""

    def __init__(self, name: str, command: list[str], options: Options) -> None:
        self.name = name
        self.command = command
        self.log = options.logs / f"{name}.log"
        # A bare machine may be used as root; Celery would say so with every start.
        quiet = {"PYTHONWARNINGS": "ignore::RuntimeWarning:celery.platforms"}
        self.environment = {**options.environment, **quiet}
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Also after a death: what the old one left behind still holds its port."""
        if self.process is not None:
            sweep(self.process)
        self.process = spawn(self.command, log=self.log, env=self.environment, cwd=PROJECT)

    def stop(self, *, grace_seconds: float = 15, hurry: Callable[[], bool] = never) -> None:
        """SIGTERM lets requests and tasks under way finish."""
        if self.process is not None:
            stop(self.process, grace_seconds=grace_seconds, hurry=hurry)


def service_processes(options: Options) -> list[Worker]:
    """In the order of starting."""
    return [
        Worker("web", web_command(options), options),
        Worker("money", celery_worker("money", queue="default", threads=4), options),
        Worker("pump", celery_worker("pump", queue="webhooks", threads=4), options),
        Worker("beat", beat_command(options), options),
    ]


def prepare_command() -> list[str]:
    """Everything that must be in the database before the first request."""
    return [sys.executable, "-m", "config.devstack.prepare"]


def web_command(options: Options) -> list[str]:
    """Processes use the cores, their threads wait for the database and for providers."""
    return [
        *(sys.executable, "-m", "config.web"),
        f"--host={options.host}",
        f"--port={options.port}",
        f"--workers={options.web_workers}",
        f"--threads={options.web_threads}",
        "--respawn-failed-workers",
        "--workers-kill-timeout=10s",
        "--log-level=warning",
        "config.rsgi:application",
    ]


def celery_worker(name: str, *, queue: str, threads: int) -> list[str]:
    """Answers to `name` and takes what is in `queue`."""
    return [sys.executable, "-m", "config.worker", name, queue, f"--threads={threads}"]


def beat_command(options: Options) -> list[str]:
    """Exactly one of these may run."""
    return [sys.executable, "-m", "config.beat", str(options.data_dir / "celerybeat-schedule")]
