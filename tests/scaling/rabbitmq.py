"""A RabbitMQ of an experiment's own: node, port mapper and files in one directory."""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest

from config.devstack.os_user import database_user
from config.devstack.process import Program, StackError, spawn, stop, tail
from config.devstack.valkey import free_port

SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
START_SECONDS = 60


class RabbitMQ:
    """Start, stop and start again at the same address; each time it is empty."""

    def __init__(self, root: Path) -> None:
        if not SERVER.exists() or shutil.which("epmd") is None:
            pytest.skip("No RabbitMQ: apt-get install rabbitmq-server. No second broker was tried.")
        self.root = root
        self.log = root / "rabbitmq.log"
        self.user = database_user()
        self.port, self.epmd_port, self.cluster_port = free_port(), free_port(), free_port()
        self.processes: list[subprocess.Popen[bytes]] = []

    @property
    def url(self) -> str:
        """For BROKER_URL."""
        return f"amqp://guest:guest@127.0.0.1:{self.port}//"

    def start(self) -> float:
        """Returns when it takes connections, after how many seconds."""
        began = time.monotonic()
        home = self.root / "home"
        shutil.rmtree(home, ignore_errors=True)
        self.user.make_private(home)
        environment = self._environment(home)
        mapper = ["epmd", "-port", str(self.epmd_port), "-address", "127.0.0.1"]
        for command in (mapper, [str(SERVER)]):
            program = Program(command=command, log=self.log, env=environment, user=self.user)
            self.processes.append(spawn(program))
        while not self._listens():
            if time.monotonic() - began > START_SECONDS or self.processes[-1].poll() is not None:
                raise StackError(f"RabbitMQ did not start:\n{tail(self.log, 30)}")
            time.sleep(0.1)
        return time.monotonic() - began

    def stop(self) -> None:
        """As a crash does: nothing is handed over."""
        while self.processes:
            stop(self.processes.pop(), first=signal.SIGKILL)

    def _environment(self, home: Path) -> dict[str, str]:
        (home / "rabbitmq.conf").write_text("loopback_users.guest = true\nlog.console = true\n")
        return {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"),
            "HOME": str(home),
            "RABBITMQ_NODENAME": f"test{self.port}@localhost",
            "RABBITMQ_NODE_IP_ADDRESS": "127.0.0.1",
            "RABBITMQ_NODE_PORT": str(self.port),
            "RABBITMQ_DIST_PORT": str(self.cluster_port),
            "ERL_EPMD_PORT": str(self.epmd_port),
            "ERL_EPMD_ADDRESS": "127.0.0.1",
            "RABBITMQ_MNESIA_BASE": str(home / "mnesia"),
            "RABBITMQ_LOG_BASE": str(home / "log"),
            "RABBITMQ_ENABLED_PLUGINS_FILE": str(home / "plugins"),
            "RABBITMQ_CONF_ENV_FILE": str(home / "none"),
            "RABBITMQ_CONFIG_FILE": str(home / "rabbitmq"),
        }

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0
