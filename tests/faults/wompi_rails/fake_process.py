"""A fake rail as a process that may be killed and started again at the same address."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Self

from tests.rails.fake_server.server import ControlClient


class FakeProcess:
    """`with FakeProcess("wompi", state_file, name=value) as fake`."""

    def __init__(self, module: str, state_file: Path, **settings: Any) -> None:
        self._command = [sys.executable, "-m", f"tests.rails.{module}"]
        self._command += ["--state-file", str(state_file)]
        for name, value in settings.items():
            self._command += ["--set", f"{name}={json.dumps(value)}"]
        self._addresses: list[str] = []
        self.start()

    def start(self) -> None:
        command = [*self._command, *self._addresses]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        found = json.loads(self._process.stdout.readline())
        self.url, self.control = found["rail"], ControlClient(found["control"])
        port, control_port = (url.rpartition(":")[2] for url in (self.url, self.control.url))
        self._addresses = ["--port", port, "--control-port", control_port]

    def kill(self) -> None:
        """SIGKILL: what it had answered stands, what it was about to answer is lost."""
        self._process.kill()
        self._process.communicate()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()
