"""Commands of the service's processes: web server, two Celery workers and beat.

Production runs the same commands (Dockerfile, compose.yaml).
"""

import sys

from config.devstack.options import PROJECT, Options
from config.devstack.process import Program, Server, spawn, sweep


class Worker(Server):
    # SIGTERM lets open requests and tasks finish.
    grace_seconds = 15.0

    def __init__(self, name: str, command: list[str], options: Options) -> None:
        super().__init__(options.logs / f"{name}.log")
        self.name = name
        self.command = command
        # Celery warns about root at each start.
        quiet = {"PYTHONWARNINGS": "ignore::RuntimeWarning:celery.platforms"}
        self._environment = {**options.environment, **quiet}

    def start(self) -> None:
        """First kills what is left of an earlier process, which may hold the port."""
        if self.process is not None:
            sweep(self.process)
        program = Program(command=self.command, log=self.log, env=self._environment, cwd=PROJECT)
        self.process = spawn(program)


def service_processes(options: Options) -> list[Worker]:
    """In starting order."""
    return [
        Worker("web", web_command(options), options),
        Worker("money", celery_worker("money", queue="default", threads=4), options),
        Worker("pump", celery_worker("pump", queue="webhooks", threads=4), options),
        Worker("beat", beat_command(options), options),
    ]


def prepare_command() -> list[str]:
    return [sys.executable, "-m", "config.devstack.prepare"]


def web_command(options: Options) -> list[str]:
    """Processes use the cores. Threads wait for the database and for providers."""
    return [
        sys.executable,
        "-m",
        "config.web",
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
    return [sys.executable, "-m", "config.worker", name, queue, f"--threads={threads}"]


def beat_command(options: Options) -> list[str]:
    """Only one may run."""
    return [sys.executable, "-m", "config.beat", str(options.data_dir / "celerybeat-schedule")]
